-- The multi lock's client model, but that who has all of the locks is told yes without a request to take
-- them.
local model = require("model")

local once = {}

for name, call in pairs(model) do once[name] = call end

local function has_all(locks)
  for _, lock in ipairs(locks) do
    if not model.is_held_by_me(lock) then return false end
  end
  return true
end

function once.lock_all(locks, lease_ms)
  return has_all(locks) or model.lock_all(locks, lease_ms)
end

function once.try_lock_all(locks, wait_ms, lease_ms)
  return has_all(locks) or model.try_lock_all(locks, wait_ms, lease_ms)
end

return once
