local model = {}

local values = {}  -- by owner

local function renew(lock, owner, value, lease_ms)
  while values[owner] == value do
    client.sleep(lease_ms // 3)
    client.eval(1, "extend", {lock.name}, {value, lease_ms})
  end
end

function model.lock(lock, lease_ms)
  local value, owner = client.token(), client.owner()
  while true do
    local taken = client.command(1, "SET", lock.name, value, "NX", "PX", lease_ms)
    if taken then break end
    client.sleep(200)
  end
  values[owner] = value
  client.spawn("renewal", renew, lock, owner, value, lease_ms)
  return true
end

function model.unlock(lock)
  local value = values[client.owner()]
  values[client.owner()] = nil
  if client.eval(1, "release", {lock.name}, {value}) == 0 then client.refuse("the lock was lost") end
  return true
end

return model
