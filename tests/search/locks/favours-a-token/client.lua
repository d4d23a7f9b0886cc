-- Asks once.
local model = {}

function model.try_lock(lock, wait_ms, lease_ms)
  local operation = client.invoke("acquire", lock, lease_ms)
  local keys = {lock.name, lock.name .. ":others"}
  local taken = client.eval(client.node_of(lock.name), "grant", keys, {client.owner(), lease_ms}) == 1
  client.complete(operation, taken and "ok" or "fail")
  return taken
end

function model.unlock(lock) client.refuse("nobody gives this lock back") end

return model
