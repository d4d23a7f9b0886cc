-- A textbook lock that its holder may take again: the key has the holder's token, and how often the
-- holder has the lock is known to its client alone.

local model = {}

-- By lock name and owner: {token =, count =}. One that nobody knows to be given back, as its release
-- failed, has the count 0: the key may have its token, and then it is the owner's yet.
local holds = {}

local function key_of(lock)
  return lock.name .. " " .. client.owner()
end

local function node_of(lock)
  return client.node_of(lock.name)
end

-- Begins the lease anew. False where the lock was lost, and with it all of its holds.
local function renew(lock, hold, lease_ms)
  if client.eval(node_of(lock), "extend", {lock.name}, {hold.token, lease_ms}) == 1 then return true end
  holds[key_of(lock)] = nil
  return false
end

local function take(lock, lease_ms)
  local hold = holds[key_of(lock)]
  if hold and hold.count > 0 and renew(lock, hold, lease_ms) then
    hold.count = hold.count + 1
    return true
  end
  local token = client.token()
  if client.command(node_of(lock), "SET", lock.name, token, "NX", "PX", lease_ms) == nil then return false end
  holds[key_of(lock)] = {token = token, count = 1}
  return true
end

local function attempt(lock, lease_ms)
  local asked_ms = lease_ms or lock.options.lease_ms
  local operation = client.invoke("acquire", lock, asked_ms)
  local taken = take(lock, asked_ms)
  client.complete(operation, taken and "ok" or "fail")
  return taken
end

local function pause_ms(lock)
  return lock.options.poll_ms + client.random(lock.options.poll_jitter_ms + 1) - 1
end

function model.lock(lock, lease_ms)
  while not attempt(lock, lease_ms) do
    client.sleep(pause_ms(lock))
  end
  return true
end

function model.try_lock(lock, wait_ms, lease_ms)
  local deadline_ms = client.wall_ms() + (wait_ms or 0)
  while not attempt(lock, lease_ms) do
    local left_ms = deadline_ms - client.wall_ms()
    if left_ms <= 0 then return false end
    client.sleep(math.min(pause_ms(lock), left_ms))
  end
  return true
end

function model.unlock(lock)
  local hold = holds[key_of(lock)]
  if not hold or hold.count == 0 then client.refuse("not locked by " .. client.owner()) end
  local operation = client.invoke("release", lock)
  hold.count = hold.count - 1
  if hold.count > 0 and lock.options.frees == "last" then
    client.complete(operation, "ok")
    return true
  end
  local freed = client.eval(node_of(lock), "release", {lock.name}, {hold.token}) == 1
  if hold.count == 0 then holds[key_of(lock)] = nil end
  client.complete(operation, freed and "ok" or "fail")
  if not freed then client.refuse("the lock of " .. client.owner() .. " was lost") end
  return true
end

function model.extend(lock, lease_ms)
  local hold = holds[key_of(lock)]
  if not hold or hold.count == 0 then client.refuse("not locked by " .. client.owner()) end
  local operation = client.invoke("renew", lock, lease_ms)
  local extended = renew(lock, hold, lease_ms)
  client.complete(operation, extended and "ok" or "fail")
  return extended
end

function model.is_locked(lock)
  return client.command(node_of(lock), "EXISTS", lock.name) == 1
end

function model.is_held_by_me(lock)
  local hold = holds[key_of(lock)]
  return hold ~= nil and client.command(node_of(lock), "GET", lock.name) == hold.token
end

function model.hold_count(lock)
  return model.is_held_by_me(lock) and math.max(holds[key_of(lock)].count, 1) + lock.options.miscounts or 0
end

return model
