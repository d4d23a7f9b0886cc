-- The naive lock that writes down when it ends, by its own clock, instead of letting Redis expire it.
--
-- The key's value is the holder's wall clock plus the lease. A waiter that finds that moment past, by
-- *its* clock, takes the lock over with GETSET. The key has no TTL.

local model = {}

local ends_ms = {}  -- by lock name and owner: what the owner wrote when it took the lock

local function key_of(lock)
  return lock.name .. " " .. client.owner()
end

-- True where the value was written; `mine` where this thread wrote it into a free or outlived lock.
local function take(lock, mine)
  if client.command(client.node_of(lock.name), "SETNX", lock.name, mine) == 1 then return true end
  local found = client.command(client.node_of(lock.name), "GET", lock.name)
  if found and tonumber(found) >= client.wall_ms() then return false end
  return client.command(client.node_of(lock.name), "GETSET", lock.name, mine) == found
end

local function attempt(lock, lease_ms)
  local mine = client.wall_ms() + lease_ms
  local operation = client.invoke("acquire", lock, lease_ms)
  local taken = take(lock, mine)
  client.complete(operation, taken and "ok" or "fail")
  if taken then ends_ms[key_of(lock)] = mine end
  return taken
end

local function pause_ms(lock)
  return lock.options.poll_ms + client.random(lock.options.poll_jitter_ms + 1) - 1
end

function model.lock(lock, lease_ms)
  while not attempt(lock, lease_ms or lock.options.lease_ms) do
    client.sleep(pause_ms(lock))
  end
  return true
end

function model.try_lock(lock, wait_ms, lease_ms)
  local deadline_ms = client.wall_ms() + (wait_ms or 0)
  while not attempt(lock, lease_ms or lock.options.lease_ms) do
    local left_ms = deadline_ms - client.wall_ms()
    if left_ms <= 0 then return false end
    client.sleep(math.min(pause_ms(lock), left_ms))
  end
  return true
end

-- The holder trusts its own clock: while its lease lasts by it, the key must be its own.
function model.unlock(lock)
  local mine = ends_ms[key_of(lock)]
  ends_ms[key_of(lock)] = nil
  if not mine or mine < client.wall_ms() then
    client.refuse("the lease of " .. client.owner() .. " is over")
  end
  local operation = client.invoke("release", lock)
  local freed = client.command(client.node_of(lock.name), "DEL", lock.name)
  client.complete(operation, freed == 1 and "ok" or "fail")
  return true
end

function model.force_unlock(lock)
  local operation = client.invoke("force_release", lock)
  local freed = client.command(client.node_of(lock.name), "DEL", lock.name) == 1
  client.complete(operation, freed and "ok" or "fail")
  return freed
end

return model
