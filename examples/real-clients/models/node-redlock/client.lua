-- node-redlock's client model, versions 4 and 5. lockstep conform compares it with the real ones.
--
-- Both ask all masters at once, and try again with the same token. 4 waits for all answers, compares the validity with the
-- clock, and gives back what an attempt got before the next one. 5 goes on when a quorum agrees, looks at no clock, and
-- gives nothing back until it gives up. What 5 says of the validity counts from before the first attempt.

local model = {}

local held = {}  -- by lock name and owner: {token =, valid_until_ms = on the wall clock}

local function key_of(lock)
  return lock.name .. " " .. client.owner()
end

local function quorum()
  return client.nodes() // 2 + 1
end

local function is_version_4(lock)
  return lock.options.version == "4"
end

-- Asking the masters ---------------------------------------------------------------------------

local function ask(node, question, votes, answered)
  local replied, answer = pcall(question, node)
  if replied and answer == 1 then
    votes.yes = votes.yes + 1
  else
    votes.no = votes.no + 1
  end
  client.signal(answered)
end

local function is_over(lock, votes)
  if is_version_4(lock) then return votes.yes + votes.no == client.nodes() end
  return votes.yes >= quorum() or votes.no >= quorum()
end

local questions = 0

-- Whether a quorum said yes.
local function vote(lock, question)
  local votes = {yes = 0, no = 0}
  questions = questions + 1
  local answered = "answer " .. questions
  for node = 1, client.nodes() do
    client.spawn("ask", ask, node, question, votes, answered)
  end
  while not is_over(lock, votes) do
    client.wait(answered)
  end
  return votes.yes >= quorum()
end

-- What the masters are asked: the names of scripts have to stand where they are called.
local function to_acquire(lock, token, lease_ms)
  return function(node) return client.eval(node, "acquire", {lock.name}, {token, lease_ms}) end
end

local function to_extend(lock, token, lease_ms)
  return function(node) return client.eval(node, "extend", {lock.name}, {token, lease_ms}) end
end

local function to_release(lock, token)
  return function(node) return client.eval(node, "release", {lock.name}, {token}) end
end

local function pause(lock)
  local jitter_ms = lock.options.retry_jitter_ms
  client.sleep(math.max(0, lock.options.retry_delay_ms - jitter_ms + client.random(2 * jitter_ms + 1) - 1))
end

local function valid_until_ms(started_ms, lease_ms)
  return started_ms + lease_ms - ((lease_ms + 50) // 100 + 2)
end

-- What the caller is told.
local function details_of(hold)
  return {valid_until_ms = client.monotonic_ms() + hold.valid_until_ms - client.wall_ms()}
end

-- Acquisition and extension ----------------------------------------------------------------------

-- Returns the hold, or nil once there were so many attempts.
local function execute_4(lock, question, token, lease_ms, attempts)
  local giving_back = to_release(lock, token)
  for attempt = 1, attempts do
    local until_ms = valid_until_ms(client.wall_ms(), lease_ms)
    local agreed = vote(lock, question)
    if agreed and until_ms > client.wall_ms() then return {token = token, valid_until_ms = until_ms} end
    vote(lock, giving_back)
    if attempt < attempts then pause(lock) end
  end
end

local function execute_5(lock, question, attempts)
  for attempt = 1, attempts do
    if vote(lock, question) then return true end
    if attempt < attempts then pause(lock) end
  end
  return false
end

local function acquire_5(lock, token, lease_ms, attempts)
  local until_ms = valid_until_ms(client.wall_ms(), lease_ms)
  local asking = to_acquire(lock, token, lease_ms)
  if execute_5(lock, asking, attempts) then
    return {token = token, valid_until_ms = until_ms}
  end
  local giving_back = to_release(lock, token)
  execute_5(lock, giving_back, 1)
end

local function take(lock, lease_ms, attempts)
  local token = client.token()
  local operation = client.invoke("acquire", lock, lease_ms)
  local hold
  if is_version_4(lock) then
    local asking = to_acquire(lock, token, lease_ms)
    hold = execute_4(lock, asking, token, lease_ms, attempts)
  else
    hold = acquire_5(lock, token, lease_ms, attempts)
  end
  client.complete(operation, hold and "ok" or "info")
  held[key_of(lock)] = hold
  if hold then return true, details_of(hold) end
  return false
end

function model.lock(lock, lease_ms)
  return take(lock, lease_ms or lock.options.lease_ms, math.maxinteger)
end

-- It counts attempts, not time.
function model.try_lock(lock, wait_ms, lease_ms)
  local attempts = 1 + (wait_ms or 0) // lock.options.retry_delay_ms
  return take(lock, lease_ms or lock.options.lease_ms, attempts)
end

local function extend(lock, hold, lease_ms)
  local attempts = 1 + lock.options.retry_count
  local question = to_extend(lock, hold.token, lease_ms)
  if is_version_4(lock) then return execute_4(lock, question, hold.token, lease_ms, attempts) end
  local until_ms = valid_until_ms(client.wall_ms(), lease_ms)
  if execute_5(lock, question, attempts) then
    return {token = hold.token, valid_until_ms = until_ms}
  end
end

function model.extend(lock, lease_ms)
  local hold = held[key_of(lock)]
  if not hold then client.refuse("not locked by " .. client.owner()) end
  if hold.valid_until_ms < client.wall_ms() then return false end
  local operation = client.invoke("renew", lock, lease_ms)
  local longer = extend(lock, hold, lease_ms)
  client.complete(operation, longer and "ok" or "info")
  if not longer then return false end
  held[key_of(lock)] = longer
  return true, details_of(longer)
end

-- Release ----------------------------------------------------------------------------------------

function model.unlock(lock)
  local hold = held[key_of(lock)]
  if not hold then client.refuse("not locked by " .. client.owner()) end
  held[key_of(lock)] = nil
  local operation = client.invoke("release", lock)
  local giving_back = to_release(lock, hold.token)
  local freed
  if is_version_4(lock) then
    freed = vote(lock, giving_back)
  else
    freed = execute_5(lock, giving_back, 1 + lock.options.retry_count)
  end
  client.complete(operation, freed and "ok" or "info")
  if not freed then client.refuse("the lock of " .. client.owner() .. " was lost") end
  return true
end

return model
