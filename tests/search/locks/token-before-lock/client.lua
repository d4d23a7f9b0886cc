-- Draws the token first: whoever waits keeps one that is lower than those who come before it have.
local model = {}

local values = {}
local own_lease_ms = 30000

function model.lock(lock, lease_ms)
  local value = client.token()
  local token = client.command(1, "INCR", lock.name .. ":token")
  while true do
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
