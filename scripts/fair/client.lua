-- The fair lock's client model: as the reentrant one's (../plain), but every thread stands in the lock's
-- queue and waits on a channel of its own, and a try_lock that gives up leaves the queue.

local place = require("place")
local watchdog = require("watchdog")

local model = {}

local unlock_message <const> = 0

local function queue_of(lock)
  return "redisson_lock_queue:" .. lock.tagged_name
end

local function deadlines_of(lock)
  return "redisson_lock_timeout:" .. lock.tagged_name
end

local function channels_of(lock)
  return "redisson_lock__channel:" .. lock.tagged_name
end

local function own_channel_of(lock)
  return channels_of(lock) .. ":" .. client.owner()
end

-- Release ----------------------------------------------------------------------------------------

local function release(lock, lease_ms)
  local keys = {lock.name, queue_of(lock), deadlines_of(lock), channels_of(lock)}
  local arguments = {unlock_message, lease_ms, client.owner(), client.wall_ms()}
  if lock.options.release == "latched" then
    keys[5] = "redisson_unlock_latch:" .. lock.tagged_name .. ":" .. client.token()
    arguments[5] = "publish"
    arguments[6] = lock.options.latch_ms
  end
  local operation = place.invoke("release", lock, lease_ms)
  local freed = client.eval(place.node_of(lock), "release", keys, arguments)
  place.complete(operation, freed and "ok" or "fail")
  return freed
end

function model.unlock(lock)
  local lease_ms = lock.lease_ms or lock.options.watchdog_lease_ms
  local replied, freed = pcall(release, lock, lease_ms)
  watchdog.take_hold_off(lock, replied and freed or nil)
  if not replied then error(freed, 0) end
  if not freed then client.refuse("not locked by current thread " .. client.owner()) end
  return true
end

function model.force_unlock(lock)
  watchdog.stop(lock)
  local keys = {lock.name, queue_of(lock), deadlines_of(lock), channels_of(lock)}
  local arguments = {unlock_message, client.wall_ms()}
  local operation = place.invoke("force_release", lock)
  local freed = client.eval(place.node_of(lock), "force_release", keys, arguments)
  place.complete(operation, freed == 1 and "ok" or "fail")
  return freed == 1
end

-- The lease begins anew, where the thread has the lock.
function model.extend(lock, lease_ms)
  local operation = place.invoke("renew", lock, lease_ms)
  local arguments = {lease_ms, client.owner()}
  local renewed = client.eval(place.node_of(lock), "renew", {lock.name}, arguments) == 1
  place.complete(operation, renewed and "ok" or "fail")
  if renewed then lock.lease_ms = lease_ms end
  return renewed
end

-- Acquisition ------------------------------------------------------------------------------------

-- The script's reply, and how many replicas have acknowledged what it wrote, where that is asked for.
local function send(lock, script, arguments)
  local node, options = place.node_of(lock), lock.options
  local keys = {lock.name, queue_of(lock), deadlines_of(lock)}
  if options.wait_replicas == 0 then return client.eval(node, script, keys, arguments) end
  local wait = {"WAIT", options.wait_replicas, options.wait_timeout_ms}
  return client.pipeline(node, {"eval", script, keys, arguments}, wait)
end

-- One attempt with a script that is given these arguments after the lease and the owner. Returns nil
-- where the thread has the lock now, else what the script says.
local function attempt(lock, script, lease_ms, third, fourth)
  local asked_ms = lease_ms or lock.options.watchdog_lease_ms
  local operation = place.invoke("acquire", lock, asked_ms)
  local reply, acknowledged = send(lock, script, {asked_ms, client.owner(), third, fourth})
  local is_kept_unsaid = acknowledged == 0 and lock.options.unacknowledged == "leave"
  place.complete(operation, (reply or is_kept_unsaid) and "fail" or "ok")
  if reply then return reply end
  if acknowledged == 0 then
    if lock.options.unacknowledged ~= "leave" then release(lock, asked_ms) end
    if lock.options.unacknowledged == "retry" then return 0 end
    client.refuse("no replica has acknowledged the lock")
  end
  if lease_ms then lock.lease_ms = lease_ms else watchdog.add_hold(lock) end
  return nil
end

-- For how many ms there is no use in coming back (negative: nobody knows); nil: the thread has it.
local function ask(lock, lease_ms, wait_ms)
  return attempt(lock, "acquire", lease_ms, wait_ms, client.wall_ms())
end

-- Leaves the queue, and takes back what the wait has added to the deadlines behind.
local function give_up(lock, wait_ms)
  if lock.options.give_back == "fixed" then wait_ms = lock.options.wait_ms end
  local keys = {queue_of(lock), deadlines_of(lock)}
  client.eval(place.node_of(lock), "acquire_failed", keys, {client.owner(), wait_ms})
end

-- Runs `body` while the thread is subscribed to its channel.
local function subscribed(lock, time_ms, body)
  local node = place.node_of(lock)
  if not client.subscribe(node, own_channel_of(lock), time_ms) then return false end
  local succeeded, result = pcall(body)
  client.unsubscribe(node, own_channel_of(lock))
  if not succeeded then error(result, 0) end
  return result
end

local function wait_message(lock, time_ms)
  return client.wait_message(place.node_of(lock), own_channel_of(lock), time_ms)
end

function model.lock(lock, lease_ms)
  local wait_ms = lock.options.wait_ms
  if not ask(lock, lease_ms, wait_ms) then return true end
  return subscribed(lock, nil, function()
    while true do
      local left_ms = ask(lock, lease_ms, wait_ms)
      if not left_ms then return true end
      wait_message(lock, left_ms >= 0 and left_ms or nil)
    end
  end)
end

-- Stands in the queue until a moment of the wall clock, so a clock that is set makes it longer or
-- shorter.
local function wait_until(lock, deadline_ms, lease_ms, queue_wait_ms)
  if not ask(lock, lease_ms, queue_wait_ms) then return true end
  local time_ms = deadline_ms - client.wall_ms()
  if time_ms <= 0 then return false end
  return subscribed(lock, time_ms, function()
    while client.wall_ms() < deadline_ms do
      local left_ms = ask(lock, lease_ms, queue_wait_ms)
      if not left_ms then return true end
      local pause_ms = deadline_ms - client.wall_ms()
      if pause_ms <= 0 then return false end
      if left_ms >= 0 then pause_ms = math.min(pause_ms, left_ms) end
      wait_message(lock, pause_ms)
    end
    return false
  end)
end

function model.try_lock(lock, wait_ms, lease_ms)
  if not wait_ms then
    return not attempt(lock, "try", lease_ms, client.wall_ms(), lock.options.wait_ms)
  end
  local queue_wait_ms = lock.options.wait_ms
  if lock.options.callers_wait and wait_ms > 0 then queue_wait_ms = wait_ms end
  local deadline_ms = client.wall_ms() + wait_ms
  if wait_until(lock, deadline_ms, lease_ms, queue_wait_ms) then return true end
  give_up(lock, queue_wait_ms)
  return false
end

for name, question in pairs(require("questions")) do model[name] = question end

return model
