-- The client model of a lock that lies where `lie` says so, and is the good lock otherwise.
local model = require("model")

local liar = {}

for name, call in pairs(model) do liar[name] = call end

local asked_ms = {}  -- by lock name: the last lease that was asked for

function liar.lock(lock, lease_ms)
  asked_ms[lock.name] = lease_ms
  return model.lock(lock, lease_ms)
end

-- Does not even ask; or looks at the time once it has the lock, and forgets that it has it.
function liar.try_lock(lock, wait_ms, lease_ms)
  if lock.options.lie == "refuses" then return false end
  local started_ms = client.monotonic_ms()
  local taken, details = model.try_lock(lock, wait_ms, lease_ms)
  local is_late = client.monotonic_ms() - started_ms > 100
  if lock.options.lie == "try_lock" and is_late then return false end
  return taken, details
end

-- Nobody looks at what the release said; or it is told as a failure.
function liar.unlock(lock)
  if lock.options.lie == "denies" then return not model.unlock(lock) end
  if lock.options.lie ~= "unlock" then return model.unlock(lock) end
  pcall(model.unlock, lock)
  return true
end

function liar.extend(lock, lease_ms)
  if lock.options.lie == "extend" then
    pcall(model.extend, lock, lease_ms)
    return true
  end
  local extended, details = model.extend(lock, lease_ms)
  if lock.options.lie == "validity" then details = {valid_until_ms = client.monotonic_ms() + 2 * lease_ms} end
  return extended, details
end

-- Whoever has it.
function liar.is_held_by_me(lock)
  if lock.options.lie == "is_held_by_me" then return model.is_locked(lock) end
  return model.is_held_by_me(lock)
end

-- As if it had been asked for just now.
function liar.remaining_lease(lock)
  if lock.options.lie == "remaining_lease" then return asked_ms[lock.name] end
  return model.remaining_lease(lock)
end

if model.hold_count then
  function liar.hold_count(lock)
    local count = model.hold_count(lock)
    if lock.options.lie == "hold_count" and count > 1 then return 1 end
    return count
  end
end

if model.unlock_all then
  function liar.unlock_all(locks)
    if locks[1].options.lie ~= "unlock" then return model.unlock_all(locks) end
    pcall(model.unlock_all, locks)
    return true
  end
end

return liar
