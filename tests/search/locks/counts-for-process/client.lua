-- One hold count for all threads of a process; the lease that ends last counts.
local model = {}
local function attempt(lock, lease_ms)
  local asked = lease_ms or lock.options.lease_ms
  local operation = client.invoke("acquire", lock, asked)
  local taken = client.eval(client.node_of(lock.name), "take", {lock.name}, {client.owner(), asked}) == 1
  client.complete(operation, taken and "ok" or "fail")
  return taken
end
function model.lock(lock, lease_ms)
  while not attempt(lock, lease_ms) do
    client.sleep(lock.options.poll_ms)
  end
  return true
end
function model.try_lock(lock, wait_ms, lease_ms)
  local deadline = client.wall_ms() + (wait_ms or 0)
  while not attempt(lock, lease_ms) do
    local left = deadline - client.wall_ms()
    if left <= 0 then return false end
    client.sleep(math.min(lock.options.poll_ms, left))
  end
  return true
end
function model.unlock(lock)
  local operation = client.invoke("release", lock)
  local given = client.eval(client.node_of(lock.name), "give", {lock.name}, {client.owner()}) == 1
  client.complete(operation, given and "ok" or "fail")
  if not given then client.refuse("not held") end
  return true
end
return model
