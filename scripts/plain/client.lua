-- The reentrant lock's client model: waiting by pub/sub, release, questions.
-- Other locks are built of it: then `lock` may be a part (see place.lua).

local place = require("place")
local watchdog = require("watchdog")

local model = {}

local unlock_message <const> = 0

local function channel_of(lock)
  if not lock.channel then lock.channel = "redisson_lock__channel:" .. lock.tagged_name end
  return lock.channel
end

-- Release ----------------------------------------------------------------------------------------

local function send_release(lock, lease_ms)
  local node, options, owner = place.node_of(lock), lock.options, client.owner()
  local keys, arguments
  if options.release == "latched" then
    local latch = "redisson_unlock_latch:" .. lock.tagged_name .. ":" .. client.token()
    keys = {lock.name, channel_of(lock), latch}
    arguments = {unlock_message, lease_ms, owner, "publish", options.latch_ms}
  else
    keys = {lock.name, channel_of(lock)}
    arguments = {unlock_message, lease_ms, owner}
  end
  return client.eval(node, "release", keys, arguments)
end

-- A client that tries again in its own code makes a new request each time, with a latch of its own.
local function send_release_again(lock, lease_ms, attempts_left)
  if attempts_left == 0 then return send_release(lock, lease_ms) end
  local replied, freed = pcall(send_release, lock, lease_ms)
  if replied then return freed end
  if not freed.unknown then error(freed, 0) end
  return send_release_again(lock, lease_ms, attempts_left - 1)
end

local function release(lock, lease_ms)
  local operation = place.invoke("release", lock, lease_ms)
  local freed = send_release_again(lock, lease_ms, lock.options.release_attempts)
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
  local operation = place.invoke("force_release", lock)
  local node, keys = place.node_of(lock), {lock.name, channel_of(lock)}
  local freed = client.eval(node, "force_release", keys, {unlock_message})
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

-- The acquire script's reply as (ms that the lock stays another's or nil, token or nil), and how many
-- replicas have acknowledged it, where that is asked for.
local function send_acquire(lock, lease_ms)
  local node, options, keys = place.node_of(lock), lock.options, {lock.name}
  if options.fencing then keys[2] = "redisson_lock_token:" .. lock.tagged_name end
  local arguments = {lease_ms, client.owner()}
  local reply, acknowledged
  if options.wait_replicas > 0 then
    local wait = {"WAIT", options.wait_replicas, options.wait_timeout_ms}
    reply, acknowledged = client.pipeline(node, {"eval", "acquire", keys, arguments}, wait)
  else
    reply = client.eval(node, "acquire", keys, arguments)
  end
  if not options.fencing then return reply, nil, acknowledged end
  local granted = reply[2] ~= -1
  return not granted and reply[1] or nil, granted and reply[2] or nil, acknowledged
end

-- Returns nil and the grant's details where the thread has the lock now, else for how many ms it
-- stays another's (negative: for ever).
local function acquire(lock, lease_ms)
  local asked_ms = lease_ms or lock.options.watchdog_lease_ms
  local operation = place.invoke("acquire", lock, asked_ms)
  local left_ms, token, acknowledged = send_acquire(lock, asked_ms)
  local is_kept_unsaid = acknowledged == 0 and lock.options.unacknowledged == "leave"
  place.complete(operation, (left_ms or is_kept_unsaid) and "fail" or "ok")
  if left_ms then return left_ms end
  if acknowledged == 0 then
    if lock.options.unacknowledged ~= "leave" then release(lock, asked_ms) end
    if lock.options.unacknowledged == "retry" then return 0 end
    client.refuse("no replica has acknowledged the lock")
  end
  if lease_ms then lock.lease_ms = lease_ms else watchdog.add_hold(lock) end
  return nil, {token = token}
end

local callbacks = 0

-- The callback of the reply does the rest, whether or not its thread still waits for it.
local function acquire_by_callback(lock, lease_ms)
  callbacks = callbacks + 1
  local finished, answer = "acquired " .. callbacks, nil
  client.spawn("acquire", function()
    answer = table.pack(pcall(acquire, lock, lease_ms))
    client.signal(finished)
  end)
  client.wait(finished)
  if not answer[1] then error(answer[2], 0) end
  return answer[2], answer[3]
end

-- One attempt.
local function attempt(lock, lease_ms)
  if lock.options.armed_by == "callback" then return acquire_by_callback(lock, lease_ms) end
  return acquire(lock, lease_ms)
end

-- Runs `body` while the client is subscribed to the lock's channel.
local function subscribed(lock, time_ms, body)
  local node = place.node_of(lock)
  if not client.subscribe(node, channel_of(lock), time_ms) then return false end
  local succeeded, result, details = pcall(body)
  client.unsubscribe(node, channel_of(lock))
  if not succeeded then error(result, 0) end
  return result, details
end

function model.lock(lock, lease_ms)
  local first_left_ms, first_details = attempt(lock, lease_ms)
  if not first_left_ms then return true, first_details end
  return subscribed(lock, nil, function()
    while true do
      local left_ms, details = attempt(lock, lease_ms)
      if not left_ms then return true, details end
      client.wait_message(place.node_of(lock), channel_of(lock), left_ms >= 0 and left_ms or nil)
    end
  end)
end

-- The time that is left is read off the wall clock, so a clock that is set makes it longer or shorter.
function model.try_lock(lock, wait_ms, lease_ms)
  local deadline_ms = client.wall_ms() + (wait_ms or 0)
  local first_left_ms, first_details = attempt(lock, lease_ms)
  if not first_left_ms then return true, first_details end
  local time_ms = deadline_ms - client.wall_ms()
  if not wait_ms or time_ms <= 0 then return false end
  return subscribed(lock, time_ms, function()
    while client.wall_ms() < deadline_ms do
      local left_ms, details = attempt(lock, lease_ms)
      if not left_ms then return true, details end
      local pause_ms = deadline_ms - client.wall_ms()
      if pause_ms <= 0 then return false end
      if left_ms >= 0 then pause_ms = math.min(pause_ms, left_ms) end
      client.wait_message(place.node_of(lock), channel_of(lock), pause_ms)
    end
    return false
  end)
end

for name, question in pairs(require("questions")) do model[name] = question end

return model
