-- Takes several reentrant locks, one after the other: all of them, or all but as many as may fail.
--
-- Each is taken with a lease that lasts while the others are waited for; once there are enough, all
-- get the lease that was asked for, whatever became of them meanwhile: no answer of that is looked
-- at. What was taken is given back where it does not come to enough, and everything begins anew
-- while there is time.

local plain = require("plain")
local place = require("place")

local several = {}

-- Together ---------------------------------------------------------------------------------------

local function run(finished, results, i, action, item)
  results[i] = table.pack(pcall(action, item))
  client.signal(finished)
end

local works = 0

-- A name that nobody waited at before: what an interrupted thread has left behind still finishes.
local function name_of_end()
  works = works + 1
  return "finished " .. works
end

-- Does the same to all, each in a task of its own, and waits for all. Returns what pcall did, packed.
function several.together(items, action)
  local results = {}
  local finished = name_of_end()
  for i, item in ipairs(items) do
    client.spawn("part", run, finished, results, i, action, item)
  end
  for _ = 1, #items do
    client.wait(finished)
  end
  return results
end

-- Does it in a task of its own, which may do something together. Returns or raises what it did. An
-- interrupted caller does not wait for it; then what it did is undone as soon as it is done.
function several.apart(action, undo)
  local results = {}
  local finished = name_of_end()
  local is_waited_for = true
  client.spawn("whole", function()
    run(finished, results, 1, action)
    local result = results[1]
    if not is_waited_for and result[1] then undo(table.unpack(result, 2, result.n)) end
  end)
  local was_done, why = pcall(function() client.wait(finished) end)
  if not was_done then
    is_waited_for = false
    error(why, 0)
  end
  local result = results[1]
  if not result[1] then error(result[2], 0) end
  return table.unpack(result, 2, result.n)
end

-- Acquisition ------------------------------------------------------------------------------------

-- With which lease each is taken; nil: the watchdog's. No wait is a wait of −1.
local function first_lease_ms(options, wait_ms, lease_ms)
  if not lease_ms or options.first_lease == "lease" then return lease_ms end
  if wait_ms then return wait_ms * 2 end
  return options.first_lease == "twice-any-wait" and -2 or lease_ms
end

-- Whether the caller has it now, and whether that is certain: a lock that did not answer may have
-- been taken all the same.
local function take(lock, wait_ms, lease_ms)
  local replied, taken = pcall(plain.try_lock, lock, wait_ms, lease_ms)
  if replied then return taken, true end
  if taken.code == "TIMEOUT" then pcall(plain.unlock, lock) end
  return false, false
end

-- Whether all are certainly free of the caller.
function several.give_back(locks)
  for _, result in ipairs(several.together(locks, plain.unlock)) do
    if not result[1] then return false end
  end
  return true
end

-- One round. Returns those that the caller has, or nil, and whether the answers were certain.
local function take_round(locks, left_ms, each_wait_ms, lease_ms, may_fail)
  local taken, failures, all_certain = {}, 0, true
  for _, lock in ipairs(locks) do
    local wait_ms = each_wait_ms and math.min(each_wait_ms, left_ms())
    local is_taken, is_certain = take(lock, wait_ms, lease_ms)
    all_certain = all_certain and is_certain
    local out_of_time = each_wait_ms and left_ms() <= 0
    if is_taken then
      table.insert(taken, lock)
    elseif #locks - #taken == may_fail and not out_of_time then
      break
    end
    failures = failures + (is_taken and 0 or 1)
    if failures > may_fail or out_of_time then
      local given_back = several.give_back(taken)
      return nil, all_certain and given_back
    end
  end
  return taken, true
end

-- Whoever has the key by then: so it may be said to be renewed, and be another's.
local function set_lease(locks, lease_ms)
  several.together(locks, function(lock)
    local operation = place.invoke("renew", lock, lease_ms)
    local renewed = client.command(place.node_of(lock), "PEXPIRE", lock.name, lease_ms)
    place.complete(operation, renewed == 1 and "ok" or "fail")
  end)
end

-- Takes the locks, of which `may_fail` need not be taken, within `wait_ms`, or without waiting where
-- it is nil. `each_wait_ms` is for how long one is waited for at most. Returns whether the caller has
-- them, and where not, whether it certainly has none; then those that it has now.
function several.try_lock(locks, wait_ms, each_wait_ms, lease_ms, may_fail)
  local started_ms = client.wall_ms()
  local function left_ms()
    return wait_ms - (client.wall_ms() - started_ms)
  end
  local first_ms = first_lease_ms(locks[1].options, wait_ms, lease_ms)
  local all_certain = true
  while true do
    local taken, is_certain = take_round(locks, left_ms, each_wait_ms, first_ms, may_fail)
    if taken then
      if lease_ms then set_lease(taken, lease_ms) end
      return true, true, taken
    end
    all_certain = all_certain and is_certain
    if not wait_ms or left_ms() <= 0 then return false, all_certain end
  end
end

-- For how long one of the attempts waits that `lock` makes: 1.5 s for each of the locks; with a
-- longer lease chance takes it from there to the lease.
function several.attempt_wait_ms(locks, lease_ms)
  local least_ms = #locks * locks[1].options.wait_for_each_ms
  if not lease_ms or lease_ms <= least_ms then return least_ms end
  return least_ms + client.random(lease_ms - least_ms)
end

return several
