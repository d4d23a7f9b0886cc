local model = {}

local values = {}

function model.lock(lock, lease_ms)
  local node, value = client.node_of(lock.name), client.token()
  local operation = client.invoke("acquire", lock, lease_ms)
  if not client.command(node, "SET", lock.name, value, "NX", "PX", lease_ms) then
    local left_ms = client.command(node, "PTTL", lock.name)
    client.sleep(left_ms)
    client.command(node, "SET", lock.name, value, "PX", lease_ms)
  end
  client.complete(operation, "ok")
  values[client.owner()] = value
  return true
end

function model.extend(lock, lease_ms)
  local operation = client.invoke("renew", lock, lease_ms)
  local node = client.node_of(lock.name)
  local extended = client.eval(node, "extend", {lock.name}, {values[client.owner()], lease_ms}) == 1
  client.complete(operation, extended and "ok" or "fail")
  return extended
end

function model.unlock(lock)
  local operation = client.invoke("release", lock)
  local node = client.node_of(lock.name)
  local freed = client.eval(node, "release", {lock.name}, {values[client.owner()]}) == 1
  client.complete(operation, freed and "ok" or "fail")
  if not freed then client.refuse("the lock of " .. client.owner() .. " was lost") end
  return true
end

return model
