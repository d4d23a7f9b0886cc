-- A renewal that is under way as its hold is given back goes on. What it is told then, and asks
-- next, is taken for the hold that its owner has by now.
local model = {}
local held = {}  -- by lock and owner

local function id(lock)
  return lock.name .. "/" .. client.owner()
end

local function watch(lock, mine)
  while true do
    client.sleep(lock.options.lease_ms // 3)
    local call = client.invoke("renew", lock, lock.options.lease_ms)
    local renewed = client.eval(1, "extend", {lock.name}, {mine.token, lock.options.lease_ms}) == 1
    client.complete(call, renewed and "ok" or "fail")
    if mine.is_over and lock.options.looks_again == "yes" then
      return
    end
    if not renewed then
      client.lost(lock)
      return
    end
  end
end

local function take(lock, lease_ms)
  local mine = {token = client.token()}
  local call = client.invoke("acquire", lock, lease_ms or lock.options.lease_ms)
  local granted = client.command(1, "SET", lock.name, mine.token, "NX", "PX", lease_ms or lock.options.lease_ms) == "OK"
  client.complete(call, granted and "ok" or "fail")
  if granted then
    held[id(lock)] = mine
    mine.watch = not lease_ms and client.spawn("watchdog", watch, lock, mine)
  end
  return granted
end

function model.lock(lock, lease_ms)
  while not take(lock, lease_ms) do
    client.sleep(lock.options.poll_ms)
  end
  return true
end

function model.unlock(lock)
  local mine = held[id(lock)]
  if not mine then
    client.refuse("not held")
  end
  held[id(lock)] = nil
  mine.is_over = true
  if mine.watch then
    client.cancel(mine.watch)
  end
  local call = client.invoke("release", lock)
  local released = client.eval(1, "release", {lock.name}, {mine.token}) == 1
  client.complete(call, released and "ok" or "fail")
  if not released then
    client.refuse("lost")
  end
  return true
end

return model
