-- The client model: it polls, renews nothing by itself, and is not reentrant.

local model = {}

local tokens = {}  -- by lock name and owner: what the owner wrote when it took the lock

local function token_key(lock)
  return lock.name .. " " .. client.owner()
end

local function key_of(lock)
  return "my-lock:" .. lock.name
end

-- Of several masters the one that has the key.
local function node_of(lock)
  return client.node_of(key_of(lock))
end

-- Acquisition ------------------------------------------------------------------------------------

-- invoke and complete declare what the caller asked for and what came of it: that is what
-- lease-linearizability is judged by.
local function attempt(lock, lease_ms)
  local token = client.token()
  local operation = client.invoke("acquire", lock, lease_ms)
  local taken = client.eval(node_of(lock), "acquire", {key_of(lock)}, {token, lease_ms}) == 1
  client.complete(operation, taken and "ok" or "fail")
  if taken then tokens[token_key(lock)] = token end
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
  local deadline_ms = client.monotonic_ms() + (wait_ms or 0)
  while not attempt(lock, lease_ms or lock.options.lease_ms) do
    local left_ms = deadline_ms - client.monotonic_ms()
    if left_ms <= 0 then return false end
    client.sleep(math.min(pause_ms(lock), left_ms))
  end
  return true
end

function model.extend(lock, lease_ms)
  local asked_ms = lease_ms or lock.options.lease_ms
  local operation = client.invoke("renew", lock, asked_ms)
  local token = tokens[token_key(lock)] or "none"
  local extended = client.eval(node_of(lock), "extend", {key_of(lock)}, {token, asked_ms}) == 1
  client.complete(operation, extended and "ok" or "fail")
  return extended
end

-- Release ----------------------------------------------------------------------------------------

function model.unlock(lock)
  local token = tokens[token_key(lock)]
  if not token then client.refuse("not locked by " .. client.owner()) end
  tokens[token_key(lock)] = nil
  local operation = client.invoke("release", lock)
  local freed = client.eval(node_of(lock), "release", {key_of(lock)}, {token}) == 1
  client.complete(operation, freed and "ok" or "fail")
  if not freed then client.refuse("the lock of " .. client.owner() .. " was lost") end
  return true
end

-- Whoever has it: the owner is not asked.
function model.force_unlock(lock)
  local operation = client.invoke("force_release", lock)
  local freed = client.command(node_of(lock), "DEL", key_of(lock)) == 1
  client.complete(operation, freed and "ok" or "fail")
  return freed
end

-- Questions --------------------------------------------------------------------------------------

function model.is_locked(lock)
  return client.command(node_of(lock), "EXISTS", key_of(lock)) == 1
end

function model.is_held_by_me(lock)
  local token = tokens[token_key(lock)]
  return token ~= nil and client.command(node_of(lock), "GET", key_of(lock)) == token
end

-- In ms; -1: the lock stays for ever, -2: nobody has it.
function model.remaining_lease(lock)
  return client.command(node_of(lock), "PTTL", key_of(lock))
end

return model
