-- The published algorithm's client model: one token on a quorum of independent masters.
--
-- Each node is asked by a task of its own, so that one that does not answer in time is a vote that
-- is missing and nothing else. `timeout` is small and there are no retries: who waits for a node
-- that is down loses the validity that the others gave.

local quorum = require("quorum")

local model = {}

local held = {}  -- by lock name and owner: {token =, valid_until_ms = on the monotonic clock}

local function key_of(lock)
  return lock.name .. " " .. client.owner()
end

-- The clock that elapsed time is read off.
local function now_ms(lock)
  if lock.options.clock == "monotonic" then return client.monotonic_ms() end
  return client.wall_ms()
end

-- What is left of a lease that was asked for at `started_ms`.
local function validity_ms(lock, lease_ms, started_ms)
  return quorum.validity_ms(lease_ms, now_ms(lock) - started_ms)
end

-- When the lease that was asked for at `started_ms` begins, as far as the caller takes it. The keys
-- are written after the sending and before the replies: who counts from the replies believes longer
-- than the keys last.
local function lease_began_ms(lock, started_ms)
  if lock.options.counting == "from-reply" then return now_ms(lock) end
  return started_ms
end

-- Asking the nodes -------------------------------------------------------------------------------

-- What lock.options.order makes the i-th node to be asked.
local function node_at(lock, i)
  local nodes = client.nodes()
  if lock.options.order == "nodes" then return i end
  return (i - 1 + (client.number() - 1) * (nodes // 2)) % nodes + 1
end

local function ask(node, question, answers, asked)
  local replied, answer = pcall(question, node)
  if replied then answers[node] = {value = answer} end
  client.signal(asked)
end

local askings = 0

-- Asks every node. The answers to one who was interrupted still come: they are counted under
-- another name than those to whoever asks next. Returns the answers of those that answered, by node.
local function ask_all(lock, question)
  local answers = {}
  askings = askings + 1
  local asked = "asked " .. askings
  local in_turn = lock.options.asking == "in-turn"
  for i = 1, client.nodes() do
    client.spawn("ask", ask, node_at(lock, i), question, answers, asked)
    if in_turn then client.wait(asked) end
  end
  for _ = 1, in_turn and 0 or client.nodes() do
    client.wait(asked)
  end
  return answers
end

local function votes_for(answers, value)
  return quorum.count(answers, client.nodes(), value)
end

local function release_all(lock, token)
  return ask_all(lock, function(node)
    return client.eval(node, "release", {lock.name}, {token})
  end)
end

-- Acquisition ------------------------------------------------------------------------------------

-- An even number of nodes can vote neither way. Who settles only by a quorum waits for one more
-- answer, which never comes.
local function wait_for_settlement(votes)
  local most = math.max(votes.yes, votes.no + votes.missing)
  if quorum.is_one(most, client.nodes()) then return end
  client.wait("the vote that is missing to " .. client.owner())
end

-- Whether the votes and the time that they took make a lock, and until when it is valid.
local function judge(lock, lease_ms, started_ms, votes)
  local has_quorum = quorum.is_one(votes.yes, client.nodes())
  if lock.options.validity == "ignored" then return has_quorum, math.maxinteger end
  local left_ms = validity_ms(lock, lease_ms, started_ms)
  local is_valid = left_ms > 0 or lock.options.validity == "told"
  return has_quorum and is_valid, client.monotonic_ms() + left_ms
end

-- What the caller is told of its lock.
local function details_of(lock, valid_until_ms)
  if lock.options.validity == "ignored" then return nil end
  return {valid_until_ms = valid_until_ms}
end

-- One attempt. Returns whether the caller has the lock now, and the grant's details.
local function attempt(lock, lease_ms)
  local token = client.token()
  local operation = client.invoke("acquire", lock, lease_ms)
  local started_ms = now_ms(lock)
  local answers = ask_all(lock, function(node)
    return client.command(node, "SET", lock.name, token, "NX", "PX", lease_ms)
  end)
  local votes = votes_for(answers, "OK")
  if lock.options.settling == "by-quorum" then wait_for_settlement(votes) end
  local began_ms = lease_began_ms(lock, started_ms)
  local granted, valid_until_ms = judge(lock, lease_ms, began_ms, votes)
  if granted then
    client.complete(operation, "ok")
    held[key_of(lock)] = {token = token, valid_until_ms = valid_until_ms}
    return true, details_of(lock, valid_until_ms)
  end
  -- Where a quorum may have it, it may be the caller's until it is released, or for its lease.
  client.complete(operation, quorum.possible(votes, client.nodes()) and "info" or "fail")
  if lock.options.refused == "released" then release_all(lock, token) end
  return false
end

-- Chance keeps clients that failed together from failing together again.
local function retry_delay_ms(lock)
  if lock.options.retry_delays == "fixed" then return lock.options.retry_delay_ms end
  return client.random(lock.options.retry_delay_ms)
end

function model.lock(lock, lease_ms)
  while true do
    local granted, details = attempt(lock, lease_ms or lock.options.lease_ms)
    if granted then return true, details end
    client.sleep(retry_delay_ms(lock))
  end
end

-- The time that is left is read off the wall clock, so a clock that is set makes it longer or
-- shorter.
function model.try_lock(lock, wait_ms, lease_ms)
  local deadline_ms = client.wall_ms() + (wait_ms or 0)
  while true do
    local granted, details = attempt(lock, lease_ms or lock.options.lease_ms)
    if granted then return true, details end
    local left_ms = deadline_ms - client.wall_ms()
    if left_ms <= 0 then return false end
    client.sleep(math.min(retry_delay_ms(lock), left_ms))
  end
end

-- Extension --------------------------------------------------------------------------------------

-- Whether the votes count, and until when the lock is valid then.
local function judge_extension(lock, hold, lease_ms, started_ms, votes)
  local left_ms = validity_ms(lock, lease_ms, started_ms)
  local at_ms = client.monotonic_ms()
  local valid_until_ms = math.max(hold.valid_until_ms, at_ms + left_ms)
  if lock.options.extension == "any-node" then return votes.yes > 0, valid_until_ms end
  local in_time = left_ms > 0 and at_ms < hold.valid_until_ms
  return quorum.is_one(votes.yes, client.nodes()) and in_time, valid_until_ms
end

local function give_up(lock, hold)
  local operation = client.invoke("release", lock)
  local votes = votes_for(release_all(lock, hold.token), 1)
  client.complete(operation, quorum.outcome(votes, client.nodes()))
end

-- Where it fails the lock stays valid for as long as it was.
function model.extend(lock, lease_ms)
  local hold = held[key_of(lock)]
  if not hold then client.refuse("not locked by " .. client.owner()) end
  lease_ms = lease_ms or lock.options.lease_ms
  if client.monotonic_ms() >= hold.valid_until_ms then return false end
  local operation = client.invoke("renew", lock, lease_ms)
  local started_ms = now_ms(lock)
  local answers = ask_all(lock, function(node)
    return client.eval(node, "extend", {lock.name}, {hold.token, lease_ms})
  end)
  local votes = votes_for(answers, 1)
  client.complete(operation, quorum.outcome(votes, client.nodes()))
  if lock.options.extension == "all-nodes" and votes.yes < client.nodes() then
    give_up(lock, hold)
    return false
  end
  local began_ms = lease_began_ms(lock, started_ms)
  local extended, valid_until_ms = judge_extension(lock, hold, lease_ms, began_ms, votes)
  if not extended then return false end
  hold.valid_until_ms = valid_until_ms
  return true, details_of(lock, valid_until_ms)
end

-- Release ----------------------------------------------------------------------------------------

-- A node that does not answer keeps its key for what is left of the lease.
function model.unlock(lock)
  local hold = held[key_of(lock)]
  if not hold then client.refuse("not locked by " .. client.owner()) end
  held[key_of(lock)] = nil
  local operation = client.invoke("release", lock)
  local answers = release_all(lock, hold.token)
  local outcome = quorum.outcome(votes_for(answers, 1), client.nodes())
  client.complete(operation, outcome)
  if outcome == "fail" then client.refuse("the lock of " .. client.owner() .. " was lost") end
  return true
end

function model.force_unlock(lock)
  local operation = client.invoke("force_release", lock)
  local answers = ask_all(lock, function(node)
    return client.eval(node, "force_release", {lock.name}, {})
  end)
  local outcome = quorum.outcome(quorum.count_most(answers, client.nodes()), client.nodes())
  client.complete(operation, outcome)
  return outcome == "ok"
end

-- Questions --------------------------------------------------------------------------------------

local function tokens(lock)
  return ask_all(lock, function(node)
    return client.command(node, "GET", lock.name)
  end)
end

-- Whether a quorum of the nodes that answer has one token.
function model.is_locked(lock)
  local answers = tokens(lock)
  return quorum.is_one(quorum.count_most(answers, client.nodes()).yes, client.nodes())
end

function model.is_held_by_me(lock)
  local hold = held[key_of(lock)]
  if not hold then return false end
  local answers = tokens(lock)
  return quorum.is_one(votes_for(answers, hold.token).yes, client.nodes())
end

-- For how many ms the caller may trust its lock; -2: it has none.
function model.remaining_lease(lock)
  local hold = held[key_of(lock)]
  local left_ms = hold and hold.valid_until_ms - client.monotonic_ms() or 0
  return left_ms > 0 and left_ms or -2
end

return model
