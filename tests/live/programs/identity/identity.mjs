// Says what libraries of node make owner ids of.
import { existsSync, readFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";

const files = ["/etc/machine-id", "/var/lib/dbus/machine-id", "/proc/sys/kernel/random/boot_id", "/sys/class/net/eth0/address"];
const said = files.filter(existsSync).map((path) => `${path}=${readFileSync(path, "ascii").trim()}`);
for (const [name, addresses] of Object.entries(os.networkInterfaces())) {
  for (const { address, mac, internal } of addresses) if (!internal) said.push(`${name}-ip=${address}`, `${name}-mac=${mac}`);
}
said.push(`same-interfaces=${Object.keys(os.networkInterfaces()).join("+")}`);
said.push(`uptime=${os.uptime()}`);
const redis = net.connect(6379, "localhost", () => redis.write(`SET who ${said}\r\n`));
redis.once("data", () => redis.destroy());
