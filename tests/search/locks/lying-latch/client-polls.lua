-- Counts down by reading and writing, so that of two at once one is lost; who waits asks again and again.

local model = {}
function model.try_set_count(lock, count)
  return client.command(client.node_of(lock.name), "SET", lock.name, count, "NX") ~= nil
end
local function left(lock)
  return tonumber(client.command(client.node_of(lock.name), "GET", lock.name) or 0)
end
function model.count_down(lock)
  local count = left(lock)
  if count > 1 then
    client.command(client.node_of(lock.name), "SET", lock.name, count - 1)
  elseif count == 1 then
    client.command(client.node_of(lock.name), "DEL", lock.name)
  end
  return true
end
function model.await(lock, wait_ms)
  local until_ms = wait_ms and client.monotonic_ms() + wait_ms
  while left(lock) > 0 do
    if until_ms and client.monotonic_ms() >= until_ms then return false end
    client.sleep(200)
  end
  return true
end
return model
