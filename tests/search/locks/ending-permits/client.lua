-- A semaphore that polls. Who has permits knows them by a word of its own.

local model = {}
local held = {}
local function stack(lock)
  local key = lock.name .. " " .. client.owner()
  held[key] = held[key] or {}
  return held[key]
end
local function attempt(lock, permits)
  local word = client.token()
  if client.eval(client.node_of(lock.name), "take", {lock.name}, {word, permits, lock.options.permit_lease_ms}) ~= 1 then return false end
  table.insert(stack(lock), {word = word, permits = permits})
  return true
end
function model.acquire(lock, permits)
  while not attempt(lock, permits) do
    client.sleep(lock.options.pause_ms + client.random(20))
  end
  return true
end
function model.try_acquire(lock, permits, wait_ms)
  local until_ms = client.monotonic_ms() + (wait_ms or 0)
  while not attempt(lock, permits) do
    local left_ms = until_ms - client.monotonic_ms()
    if left_ms <= 0 then return false end
    client.sleep(math.min(left_ms, lock.options.pause_ms))
  end
  return true
end
-- Permits that were taken together may be given back one after another.
function model.release(lock, permits)
  local mine = stack(lock)
  local left = 0
  for _, each in ipairs(mine) do left = left + each.permits end
  if left < permits then client.refuse("no permits") end
  local given = 0
  left = permits
  while left > 0 do
    local newest = mine[#mine]
    local first = math.max(newest.permits - left, 0) + 1
    local last = newest.permits
    left = left - (last - first + 1)
    newest.permits = first - 1
    if newest.permits == 0 then table.remove(mine) end
    given = given + client.eval(client.node_of(lock.name), "give", {lock.name}, {newest.word, first, last})
  end
  if given < permits and lock.options.tells == "truth" then client.refuse("a permit had ended") end
  return true
end
return model
