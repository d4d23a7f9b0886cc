-- The multi lock's client model: several reentrant locks as one, all or nothing. Each can be taken
-- alone as well.

local plain = require("plain")
local several = require("several")

local model = {}

for name, action in pairs(plain) do
  model[name] = action
end

function model.try_lock_all(locks, wait_ms, lease_ms)
  return several.try_lock(locks, wait_ms, wait_ms, lease_ms, 0)
end

function model.lock_all(locks, lease_ms)
  while true do
    local wait_ms = several.attempt_wait_ms(locks, lease_ms)
    local taken = several.try_lock(locks, wait_ms, wait_ms, lease_ms, 0)
    if taken then return true end
  end
end

-- Each is released, also where another was not the caller's any more; then the caller is told.
local function unlock_together(locks)
  for _, result in ipairs(several.together(locks, plain.unlock)) do
    if not result[1] then error(result[2], 0) end
  end
end

local function unlock_in_order(locks)
  for _, lock in ipairs(locks) do
    plain.unlock(lock)
  end
end

function model.unlock_all(locks)
  if locks[1].options.unlock_all == "together" then
    unlock_together(locks)
  else
    unlock_in_order(locks)
  end
  return true
end

return model
