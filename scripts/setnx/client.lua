-- The textbook lock's client model: it polls, or blocks on a list; it renews nothing, and is not reentrant.

local model = {}

local values = {}  -- by lock name and owner: what the owner wrote when it took the lock

local function value_key(lock)
  return lock.name .. " " .. client.owner()
end

local function new_value(lock)
  if lock.options.value == "fixed" then return "locked" end
  return client.token()
end

-- True where the lock is taken now.
local function set(lock, value, lease_ms)
  local node = client.node_of(lock.name)
  if lock.options.acquire == "set" then
    return client.command(node, "SET", lock.name, value, "NX", "PX", lease_ms) ~= nil
  elseif lock.options.acquire == "set-unleased" then
    return client.command(node, "SET", lock.name, value, "NX") ~= nil
  end
  if client.command(node, "SETNX", lock.name, value) == 0 then return false end
  client.command(node, "PEXPIRE", lock.name, lease_ms)
  return true
end

local function attempt(lock, lease_ms)
  local value = new_value(lock)
  local operation = client.invoke("acquire", lock, lease_ms)
  local taken = set(lock, value, lease_ms)
  client.complete(operation, taken and "ok" or "fail")
  if taken then values[value_key(lock)] = value end
  return taken
end

local function pause_ms(lock)
  return lock.options.poll_ms + client.random(lock.options.poll_jitter_ms + 1) - 1
end

-- The list on which a release leaves one word for one waiter.
local function signal_key(lock)
  return lock.tagged_name .. ":signal"
end

-- Until it is time to ask again. False at once where that is later than the caller has.
local function wait(lock, left_ms)
  if lock.options.waiting == "poll" then
    local poll_ms = pause_ms(lock)
    if left_ms and poll_ms > left_ms then return false end
    client.sleep(poll_ms)
    return true
  end
  -- Redis takes 0 for "without an end", as the option does.
  local longest_ms = lock.options.longest_wait_ms
  if left_ms and (longest_ms == 0 or left_ms < longest_ms) then longest_ms = left_ms end
  client.command(client.node_of(lock.name), "BLPOP", signal_key(lock),
    string.format("%.3f", longest_ms / 1000))
  return true
end

function model.lock(lock, lease_ms)
  while not attempt(lock, lease_ms or lock.options.lease_ms) do
    wait(lock)
  end
  return true
end

function model.try_lock(lock, wait_ms, lease_ms)
  local deadline_ms = client.wall_ms() + (wait_ms or 0)
  while not attempt(lock, lease_ms or lock.options.lease_ms) do
    local left_ms = deadline_ms - client.wall_ms()
    if left_ms <= 0 or not wait(lock, left_ms) then return false end
  end
  return true
end

-- True where the lock was freed.
local function free(lock, value)
  local node = client.node_of(lock.name)
  if lock.options.release == "del" then
    return client.command(node, "DEL", lock.name) == 1
  elseif lock.options.release == "get-then-del" then
    if client.command(node, "GET", lock.name) ~= value then return false end
    return client.command(node, "DEL", lock.name) == 1
  end
  local keys, arguments = {lock.name}, {value}
  if lock.options.waiting == "list" then
    keys[2], arguments[2] = signal_key(lock), lock.options.lease_ms
  end
  return client.eval(node, "release", keys, arguments) == 1
end

function model.unlock(lock)
  local value = values[value_key(lock)]
  if not value then client.refuse("not locked by " .. client.owner()) end
  values[value_key(lock)] = nil
  local operation = client.invoke("release", lock)
  local freed = free(lock, value)
  client.complete(operation, freed and "ok" or "fail")
  if not freed then client.refuse("the lock of " .. client.owner() .. " was lost") end
  return true
end

function model.force_unlock(lock)
  local operation = client.invoke("force_release", lock)
  local freed = client.command(client.node_of(lock.name), "DEL", lock.name) == 1
  client.complete(operation, freed and "ok" or "fail")
  return freed
end

-- True where the lease begins anew.
local function renew(lock, value, lease_ms)
  local node = client.node_of(lock.name)
  if lock.options.extension == "set" then
    return client.command(node, "SET", lock.name, value, "PX", lease_ms) ~= nil
  end
  return client.eval(node, "extend", {lock.name}, {value, lease_ms}) == 1
end

function model.extend(lock, lease_ms)
  local value = values[value_key(lock)]
  if not value then client.refuse("not locked by " .. client.owner()) end
  local operation = client.invoke("renew", lock, lease_ms)
  local extended = renew(lock, value, lease_ms)
  client.complete(operation, extended and "ok" or "fail")
  return extended
end

function model.is_locked(lock)
  return client.command(client.node_of(lock.name), "EXISTS", lock.name) == 1
end

function model.is_held_by_me(lock)
  local value = values[value_key(lock)]
  return value ~= nil and client.command(client.node_of(lock.name), "GET", lock.name) == value
end

-- In ms; -1: the lock stays for ever, -2: nobody has it.
function model.remaining_lease(lock)
  return client.command(client.node_of(lock.name), "PTTL", lock.name)
end

return model
