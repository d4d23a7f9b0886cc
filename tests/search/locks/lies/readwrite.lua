-- The read-write lock's client model, which lies where `lie` says so.
local model = require("model")

local liar = {}

for name, call in pairs(model) do liar[name] = call end

function liar.read_unlock(lock)
  if lock.options.lie ~= "read_unlock" then return model.read_unlock(lock) end
  pcall(model.read_unlock, lock)
  return true
end

function liar.write_unlock(lock)
  if lock.options.lie ~= "write_unlock" then return model.write_unlock(lock) end
  pcall(model.write_unlock, lock)
  return true
end

function liar.is_held_by_me(lock)
  if lock.options.lie == "is_held_by_me" then return model.is_locked(lock) end
  return model.is_held_by_me(lock)
end

-- Says no to a reader while others read.
function liar.try_read_lock(lock, wait_ms, lease_ms)
  if lock.options.lie == "try_read_lock" then
    local is_locked = model.is_locked(lock)
    if is_locked then return false end
  end
  return model.try_read_lock(lock, wait_ms, lease_ms)
end

return liar
