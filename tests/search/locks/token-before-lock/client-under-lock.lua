-- Draws the token under the lock: of two holds the later has the higher one, where both last.
local model = {}

local values = {}
local own_lease_ms = 30000

function model.lock(lock, lease_ms)
  local value = client.token()
  while true do
    local taken = client.command(1, "SET", lock.name, value, "NX", "PX", lease_ms or own_lease_ms)
    if taken then break end
    client.sleep(50)
  end
  values[client.owner()] = value
  local token = client.command(1, "INCR", lock.name .. ":token")
  return true, {token = token}
end

function model.unlock(lock)
  if client.eval(1, "release", {lock.name}, {values[client.owner()]}) == 0 then
    client.refuse("the lock was lost")
  end
  return true
end

return model
