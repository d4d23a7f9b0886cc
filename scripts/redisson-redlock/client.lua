-- The client model of RedissonRedLock: one reentrant lock on each of N masters, of which a minority
-- may fail.
--
-- Everything happens in a task of its own, so that a node that does not answer leaves the operation
-- open that is declared of the whole.

local plain = require("plain")
local quorum = require("quorum")
local several = require("several")

local model = {}

-- The lock's parts, one on each node.
local function parts_of(lock)
  if not lock.parts then
    lock.parts = {}
    for node = 1, client.nodes() do
      lock.parts[node] = {
        name = lock.name, tagged_name = lock.tagged_name, options = lock.options,
        node = node, is_part = true,
      }
    end
  end
  return lock.parts
end

local function may_fail()
  return client.nodes() - quorum.of(client.nodes())
end

-- What happened to the parts, as votes: an error that is no refusal leaves it open, and so does a refusal
-- that came after `until_ms`.
local function votes_of(results, until_ms, is_yes)
  local answers = {}
  for node, result in ipairs(results) do
    if result[1] then
      answers[node] = {value = is_yes(result[2])}
    elseif result[2].refused and (result[2].at_ms or 0) <= until_ms then
      answers[node] = {value = false}
    end
  end
  return quorum.count(answers, client.nodes(), true)
end

-- Acquisition ------------------------------------------------------------------------------------

-- The share of the wait that each node has.
local function each_wait_ms(wait_ms)
  return wait_ms and math.max(wait_ms // client.nodes(), 1)
end

local function attempt(lock, wait_ms, lease_ms)
  local asked_ms = lease_ms or lock.options.watchdog_lease_ms
  local operation = client.invoke("acquire", lock, asked_ms)
  local taken, is_certain = several.apart(function()
    return several.try_lock(parts_of(lock), wait_ms, each_wait_ms(wait_ms), lease_ms, may_fail())
  end, function(taken, _, parts)
    if taken then several.give_back(parts) end
  end)
  client.complete(operation, taken and "ok" or is_certain and "fail" or "info")
  return taken
end

function model.try_lock(lock, wait_ms, lease_ms)
  return attempt(lock, wait_ms, lease_ms)
end

function model.lock(lock, lease_ms)
  while true do
    local wait_ms = several.attempt_wait_ms(parts_of(lock), lease_ms)
    local taken = attempt(lock, wait_ms, lease_ms)
    if taken then return true end
  end
end

-- Release ----------------------------------------------------------------------------------------

local function release_part(lock)
  if lock.options.unlock == "by-force" then return plain.force_unlock(lock) end
  local replied, freed = pcall(plain.unlock, lock)
  if replied then return freed end
  freed.at_ms = client.monotonic_ms()
  error(freed, 0)
end

-- Nobody is told what could not be released. A refusal that comes late says nothing: the part may have
-- been the caller's when the others were released, and its lease have ended since.
function model.unlock(lock)
  local operation = client.invoke("release", lock)
  local until_ms = client.monotonic_ms() + lock.options.timeout_ms
  local results = several.together(parts_of(lock), release_part)
  local votes = votes_of(results, until_ms, function(freed) return freed end)
  client.complete(operation, quorum.outcome(votes, client.nodes()))
  return true
end

function model.force_unlock(lock)
  local operation = client.invoke("force_release", lock)
  local results = several.together(parts_of(lock), plain.force_unlock)
  local votes = votes_of(results, math.maxinteger, function(freed) return freed end)
  -- What was freed here and there may have been several owners'.
  local outcome = quorum.outcome(votes, client.nodes())
  client.complete(operation, outcome == "ok" and "info" or outcome)
  return outcome == "ok"
end

-- Questions --------------------------------------------------------------------------------------

local function quorum_says(lock, question)
  local results = several.together(parts_of(lock), question)
  local votes = votes_of(results, math.maxinteger, function(answer) return answer end)
  return quorum.is_one(votes.yes, client.nodes())
end

function model.is_locked(lock)
  return quorum_says(lock, plain.is_locked)
end

function model.is_held_by_me(lock)
  return quorum_says(lock, plain.is_held_by_me)
end

return model
