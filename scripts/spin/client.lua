-- The spin lock's client model: plain's, but a waiter hears of nothing; it sleeps, longer each time, and
-- asks again. What wakes it is its own clock, so no message can be lost.

local plain = require("plain")

local model = {}

for name, call in pairs(plain) do model[name] = call end

-- Sleeps between two attempts, for `left_ms` at most (nil: no limit). Returns the next pause.
local function pause(lock, pause_ms, left_ms)
  client.sleep(left_ms and math.min(pause_ms, left_ms) or pause_ms)
  return math.min(2 * pause_ms, lock.options.longest_pause_ms)
end

function model.lock(lock, lease_ms)
  local pause_ms = lock.options.first_pause_ms
  while true do
    local taken, details = plain.try_lock(lock, nil, lease_ms)
    if taken then return true, details end
    pause_ms = pause(lock, pause_ms)
  end
end

-- The time that is left is read off the wall clock, as plain does.
function model.try_lock(lock, wait_ms, lease_ms)
  local deadline_ms = client.wall_ms() + (wait_ms or 0)
  local pause_ms = lock.options.first_pause_ms
  while true do
    local taken, details = plain.try_lock(lock, nil, lease_ms)
    if taken then return true, details end
    local left_ms = deadline_ms - client.wall_ms()
    if left_ms <= 0 then return false end
    pause_ms = pause(lock, pause_ms, left_ms)
  end
end

return model
