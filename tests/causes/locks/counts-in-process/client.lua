local model = {}

local held = {}  -- by lock name: what was written, and how often this process has it

function model.lock(lock, lease_ms)
  local hold = held[lock.name]
  local operation = client.invoke("acquire", lock, lease_ms)
  if hold then
    hold.count = hold.count + 1
    client.complete(operation, "ok")
    return true
  end
  local value = client.token()
  while not client.command(client.node_of(lock.name), "SET", lock.name, value, "NX", "PX", lease_ms) do
    client.complete(operation, "fail")
    client.sleep(100)
    operation = client.invoke("acquire", lock, lease_ms)
  end
  client.complete(operation, "ok")
  held[lock.name] = {value = value, count = 1}
  return true
end

function model.unlock(lock)
  local hold = held[lock.name]
  local operation = client.invoke("release", lock)
  hold.count = hold.count - 1
  if hold.count > 0 then
    client.complete(operation, "ok")
    return true
  end
  held[lock.name] = nil
  local freed = client.eval(client.node_of(lock.name), "release", {lock.name}, {hold.value}) == 1
  client.complete(operation, freed and "ok" or "fail")
  if not freed then client.refuse("the lock of " .. client.owner() .. " was lost") end
  return true
end

return model
