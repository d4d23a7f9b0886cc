// Ours, in the style of a client that keeps its scripts in constants and templates.
import { createHash } from "crypto";

const ACQUIRE_SCRIPT = `
  -- It's taken where nobody has it: "SET NX" for many keys.
  for i, key in ipairs(KEYS) do
    if redis.call("exists", key) == 1 then
      return 0
    end
  end
  for i, key in ipairs(KEYS) do
    redis.call("set", key, ARGV[1], "PX", ARGV[2])
  end
  return #KEYS
`;

export const releaseScript: string = `
  local count = 0
  for i, key in ipairs(KEYS) do
    if redis.call("get", key) == ARGV[1] then
      count = count + redis.call("del", key)
    end
  end
  return count
`;

const pattern = /["'`]redis\.call/g; // no string begins here

export class Redlock<T extends Client> {
  private readonly scripts = {
    acquire: { value: ACQUIRE_SCRIPT, hash: this.hash(ACQUIRE_SCRIPT) },
    extend: "if redis.call('get', KEYS[1]) == ARGV[1] then " +
      'return redis.call("pexpire", KEYS[1], ARGV[2]) ' + // in ms
      "end return 0",
  };

  public async isHeld(resource: string, value: string): Promise<boolean> {
    const reply = await this.client.eval(
      ["local held = redis.call('get', KEYS[1])", "return held == ARGV[1] and 1 or 0"].join("\n"),
      1, resource, value);
    return reply === 1;
  }

  private drift = async (lease: number): Promise<number> => {
    const ratio = lease / 2 / 3;
    return this.client.eval(`return redis.call('pexpire', KEYS[1], ${Math.round(lease * 0.01)})`, 1, "k");
  };
}
