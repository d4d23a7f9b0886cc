-- Draws a token before each try: the lock may have been another's, and free again, in between.
local model = {}

local values = {}
local own_lease_ms = 30000

function model.lock(lock, lease_ms)
  local value = client.token()
  while true do
    local token = client.command(1, "INCR", lock.name .. ":token")
    local taken = client.command(1, "SET", lock.name, value, "NX", "PX", lease_ms or own_lease_ms)
    if taken then
      values[client.owner()] = value
      return true, {token = token}
    end
    client.sleep(50)
  end
end

function model.unlock(lock)
  if client.eval(1, "release", {lock.name}, {values[client.owner()]}) == 0 then
    client.refuse("the lock was lost")
  end
  return true
end

return model
