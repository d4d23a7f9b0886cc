local model = {}

local values, is_started = {}, false

function model.lock(lock, lease_ms)
  local node, value = client.node_of(lock.name), client.token()
  if not is_started then
    is_started = true
    client.command(node, "DEL", lock.name)
  end
  local operation = client.invoke("acquire", lock, lease_ms)
  while not client.command(node, "SET", lock.name, value, "NX", "PX", lease_ms) do
    client.complete(operation, "fail")
    client.sleep(100)
    operation = client.invoke("acquire", lock, lease_ms)
  end
  client.complete(operation, "ok")
  values[client.owner()] = value
  return true
end

function model.unlock(lock)
  local operation = client.invoke("release", lock)
  local freed = client.eval(client.node_of(lock.name), "release", {lock.name}, {values[client.owner()]}) == 1
  client.complete(operation, freed and "ok" or "fail")
  if not freed then client.refuse("the lock of " .. client.owner() .. " was lost") end
  return true
end

return model
