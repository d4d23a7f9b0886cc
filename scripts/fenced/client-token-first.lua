-- The reentrant lock's client model, with a token that is drawn before the lock is asked for.

local plain = require("plain")

local model = {}
for name, step in pairs(plain) do model[name] = step end

local function draw(lock)
  return client.command(client.node_of(lock.name), "INCR", "redisson_lock_token:" .. lock.tagged_name)
end

function model.lock(lock, lease_ms)
  local token = draw(lock)
  plain.lock(lock, lease_ms)
  return true, {token = token}
end

function model.try_lock(lock, wait_ms, lease_ms)
  local token = draw(lock)
  if not plain.try_lock(lock, wait_ms, lease_ms) then return false end
  return true, {token = token}
end

return model
