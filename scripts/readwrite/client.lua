-- The read-write lock's client model. Readers and writers go the same ways; what differs between the
-- two, the scripts and what they are given, is in the tables `reading` and `writing`.

local waiting = require("waiting")
local watchdog = require("watchdog")

local model = {}

local function node_of(lock)
  return client.node_of(lock.name)
end

local function channel_of(lock)
  return "redisson_rwlock:" .. lock.tagged_name
end

local function latch_of(lock)
  return "redisson_unlock_latch:" .. lock.tagged_name .. ":" .. client.token()
end

-- A thread is one owner as a reader and another one as a writer.
local function writer(owner)
  return owner .. ":write"
end

-- Before the number of the hold: the names of the owner's timeout keys, or of everybody's.
local function timeouts_of(lock, owner)
  return lock.tagged_name .. ":" .. owner .. ":rwlock_timeout"
end

local function everybodys_timeouts(lock)
  return lock.tagged_name
end

-- Of messages: after a write release all waiters may get the lock as readers, so all are woken.
local wake_one <const> = 0
local wake_all <const> = 1

local function wakes(message, threads)
  return message == tostring(wake_all) and threads or 1
end

-- Readers ----------------------------------------------------------------------------------------

local reading = {acquires = "acquire_shared", renews = "renew_shared", releases = "release_shared"}

function reading.acquire(lock, lease_ms)
  local owner = client.owner()
  local keys, arguments = {lock.name, timeouts_of(lock, owner)}, {lease_ms, owner, writer(owner)}
  return client.eval(node_of(lock), "read_acquire", keys, arguments)
end

function reading.renew(lock, lease_ms, owner)
  local keys = {lock.name, everybodys_timeouts(lock)}
  return client.eval(node_of(lock), "read_renew", keys, {lease_ms, owner})
end

function reading.release(lock)
  local owner = client.owner()
  local timeouts = timeouts_of(lock, owner)
  local keys = {lock.name, channel_of(lock), timeouts, everybodys_timeouts(lock)}
  local arguments = {wake_one, owner}
  if lock.options.release == "latched" then
    keys[5] = latch_of(lock)
    arguments[3] = "publish"
    arguments[4] = lock.options.latch_ms
  end
  return client.eval(node_of(lock), "read_release", keys, arguments)
end

-- Writers ----------------------------------------------------------------------------------------

-- Each hold of a reader has a lease of its own, which the release of another leaves as it is; a writer's
-- have one together.
local writing = {acquires = "acquire", renews = "renew", releases = "release", release_renews = true}

function writing.acquire(lock, lease_ms)
  local arguments = {lease_ms, writer(client.owner())}
  return client.eval(node_of(lock), "write_acquire", {lock.name}, arguments)
end

function writing.renew(lock, lease_ms, owner)
  return client.eval(node_of(lock), "write_renew", {lock.name}, {lease_ms, writer(owner)})
end

function writing.release(lock, lease_ms)
  local keys = {lock.name, channel_of(lock)}
  local arguments = {wake_all, lease_ms, writer(client.owner())}
  if lock.options.release == "latched" then
    keys[3] = latch_of(lock)
    arguments[4] = "publish"
    arguments[5] = lock.options.latch_ms
  end
  return client.eval(node_of(lock), "write_release", keys, arguments)
end

-- Both -------------------------------------------------------------------------------------------

-- One attempt. Returns nil where the thread has the lock now, else for how many ms it stays another's
-- (negative: for ever).
local function attempt(mode, lock, lease_ms)
  local asked_ms = lease_ms or lock.options.watchdog_lease_ms
  local operation = client.invoke(mode.acquires, lock, asked_ms)
  local left_ms = mode.acquire(lock, asked_ms)
  client.complete(operation, left_ms and "fail" or "ok")
  if left_ms then return left_ms end
  if not lease_ms then return watchdog.add_hold(mode, lock) end
  mode.leases_ms[lock.name] = lease_ms
end

-- The last lease that was given, or the watchdog's, is what a hold that stays gets.
local function lease_of_rest(mode, lock)
  return mode.leases_ms[lock.name] or lock.options.watchdog_lease_ms
end

reading.leases_ms = {}  -- by lock name
writing.leases_ms = {}

local function lock_in(mode, lock, lease_ms)
  if not attempt(mode, lock, lease_ms) then return true end
  return waiting.inside(node_of(lock), channel_of(lock), nil, wakes, function(room)
    while true do
      local left_ms = attempt(mode, lock, lease_ms)
      if not left_ms then return true end
      waiting.sleep(room, left_ms >= 0 and left_ms or nil)
    end
  end)
end

-- The time that is left is read off the wall clock, so a clock that is set makes it longer or shorter.
local function try_lock_in(mode, lock, wait_ms, lease_ms)
  local deadline_ms = client.wall_ms() + (wait_ms or 0)
  if not attempt(mode, lock, lease_ms) then return true end
  local time_ms = deadline_ms - client.wall_ms()
  if not wait_ms or time_ms <= 0 then return false end
  return waiting.inside(node_of(lock), channel_of(lock), time_ms, wakes, function(room)
    while client.wall_ms() < deadline_ms do
      local left_ms = attempt(mode, lock, lease_ms)
      if not left_ms then return true end
      local pause_ms = deadline_ms - client.wall_ms()
      if pause_ms <= 0 then return false end
      if left_ms >= 0 then pause_ms = math.min(pause_ms, left_ms) end
      waiting.sleep(room, pause_ms)
    end
    return false
  end)
end

local function release(mode, lock)
  local lease_ms = lease_of_rest(mode, lock)
  local operation = client.invoke(mode.releases, lock, mode.release_renews and lease_ms or nil)
  local freed = mode.release(lock, lease_ms)
  client.complete(operation, freed and "ok" or "fail")
  return freed
end

local function unlock_in(mode, lock)
  local replied, freed = pcall(release, mode, lock)
  watchdog.take_hold_off(mode, lock)
  if not replied then error(freed, 0) end
  if not freed then client.refuse("not locked by current thread " .. client.owner()) end
  return true
end

-- What the lock offers ---------------------------------------------------------------------------

function model.read_lock(lock, lease_ms) return lock_in(reading, lock, lease_ms) end
function model.try_read_lock(lock, wait_ms, lease_ms) return try_lock_in(reading, lock, wait_ms, lease_ms) end
function model.read_unlock(lock) return unlock_in(reading, lock) end

function model.write_lock(lock, lease_ms) return lock_in(writing, lock, lease_ms) end
function model.try_write_lock(lock, wait_ms, lease_ms) return try_lock_in(writing, lock, wait_ms, lease_ms) end
function model.write_unlock(lock) return unlock_in(writing, lock) end

-- Frees the lock of its writer, or of all its readers.
function model.force_unlock(lock)
  watchdog.stop(reading, lock)
  watchdog.stop(writing, lock)
  local operation = client.invoke("force_release", lock)
  local node, keys = node_of(lock), {lock.name, channel_of(lock)}
  local freed = client.eval(node, "force_release", keys, {wake_all})
  client.complete(operation, freed == 1 and "ok" or "fail")
  return freed == 1
end

function model.is_locked(lock)
  return client.command(node_of(lock), "EXISTS", lock.name) == 1
end

-- As a reader or as a writer.
function model.is_held_by_me(lock)
  local owner = client.owner()
  local counts = client.command(node_of(lock), "HMGET", lock.name, owner, writer(owner))
  return counts[1] ~= nil or counts[2] ~= nil
end

-- In ms; -1: the lock stays for ever, -2: nobody has it.
function model.remaining_lease(lock)
  return client.command(node_of(lock), "PTTL", lock.name)
end

return model
