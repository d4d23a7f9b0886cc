-- The reentrant lock's client half: waiting by pub/sub, the watchdog, release.
--
-- A client has one entry for each lock that it renews: it counts the holds of its threads, and is
-- renewed for the thread that has been in it longest. Nobody is told when a renewal finds the lock
-- gone: the entry ends, and the thread goes on believing.

local half = {}

local node <const> = 1
local unlock_message <const> = 0

local renewals = {}  -- by lock name: {lock =, owners = in order, holds = by owner, task =}
local renewed_names = {}  -- the names in `renewals`, in order of registration
local shared_timer = nil  -- the task that renews them all

local function channel_of(lock)
  return "redisson_lock__channel:{" .. lock.name .. "}"
end

-- Renewal ----------------------------------------------------------------------------------------

local function end_renewals(lock)
  local entry = renewals[lock.name]
  if not entry then return end
  if entry.task then client.cancel(entry.task) end
  renewals[lock.name] = nil
  for i, name in ipairs(renewed_names) do
    if name == lock.name then table.remove(renewed_names, i) break end
  end
end

-- What a renewal that raised leads to; true where it is tried again at the next tick.
local function after_renewal_error(lock)
  if lock.options.renewal_error == "drop" then end_renewals(lock) end
  return lock.options.renewal_error == "retry"
end

-- One timer for each lock, from the entry's first hold to its last.
local function renew_one(entry)
  local lock = entry.lock
  local lease_ms = lock.options.watchdog_lease_ms
  while true do
    client.sleep(lease_ms // 3)
    local owner = entry.owners[1]
    if renewals[lock.name] ~= entry or not owner then return end
    local operation = client.invoke("renew", lock, lease_ms, owner)
    local replied, renewed = pcall(function()
      return client.eval(node, "renew", {lock.name}, {lease_ms, owner})
    end)
    if not replied then
      if not after_renewal_error(lock) then return end
    elseif renewed == 0 then
      client.complete(operation, "fail")
      end_renewals(lock)
      return
    else
      client.complete(operation, "ok")
    end
  end
end

local function settle_batch(entries, operations, replied, renewed)
  for i, entry in ipairs(entries) do
    if not replied then
      after_renewal_error(entry.lock)
    else
      client.complete(operations[i], renewed[i] == 1 and "ok" or "fail")
      if renewed[i] ~= 1 then end_renewals(entry.lock) end
    end
  end
end

-- One timer for all locks of the client, while it has any.
local function renew_all(lease_ms)
  while true do
    client.sleep(lease_ms // 3)
    if #renewed_names == 0 then break end
    local entries, operations, keys, arguments = {}, {}, {}, {lease_ms}
    for i, name in ipairs(renewed_names) do
      entries[i] = renewals[name]
      keys[i] = name
      arguments[i + 1] = entries[i].owners[1]
      operations[i] = client.invoke("renew", entries[i].lock, lease_ms, entries[i].owners[1])
    end
    local replied, renewed = pcall(function()
      return client.eval(node, "renew_batch", keys, arguments)
    end)
    settle_batch(entries, operations, replied, renewed)
  end
  shared_timer = nil
end

local function add_hold(lock)
  local owner = client.owner()
  local entry = renewals[lock.name]
  if entry then
    if not entry.holds[owner] then table.insert(entry.owners, owner) end
    entry.holds[owner] = (entry.holds[owner] or 0) + 1
    return
  end
  entry = {lock = lock, owners = {owner}, holds = {[owner] = 1}}
  renewals[lock.name] = entry
  table.insert(renewed_names, lock.name)
  if lock.options.watchdog == "per-lock" then
    entry.task = client.spawn("watchdog", renew_one, entry)
  elseif not shared_timer then
    shared_timer = client.spawn("watchdog", renew_all, lock.options.watchdog_lease_ms)
  end
end

-- A release takes one of its thread's holds off, whatever it returned.
local function take_hold_off(lock, freed)
  local entry = renewals[lock.name]
  if not entry then return end
  if lock.options.release == "oldest" then
    if freed == 1 then end_renewals(lock) end
    return
  end
  local owner = client.owner()
  if not entry.holds[owner] then return end
  entry.holds[owner] = entry.holds[owner] - 1
  if entry.holds[owner] > 0 then return end
  entry.holds[owner] = nil
  for i, each in ipairs(entry.owners) do
    if each == owner then table.remove(entry.owners, i) break end
  end
  if #entry.owners == 0 then end_renewals(lock) end
end

-- Release ----------------------------------------------------------------------------------------

local function release(lock, lease_ms)
  local keys = {lock.name, channel_of(lock)}
  local arguments = {unlock_message, lease_ms, client.owner()}
  if lock.options.release == "latched" then
    keys[3] = "redisson_unlock_latch:{" .. lock.name .. "}:" .. client.token()
    arguments[4] = "publish"
    arguments[5] = lock.options.latch_ms
  end
  local operation = client.invoke("release", lock, lease_ms)
  local freed = client.eval(node, "release", keys, arguments)
  client.complete(operation, freed and "ok" or "fail")
  return freed
end

function half.unlock(lock)
  local lease_ms = lock.lease_ms or lock.options.watchdog_lease_ms
  local replied, freed = pcall(release, lock, lease_ms)
  take_hold_off(lock, replied and freed or nil)
  if not replied then error(freed, 0) end
  if not freed then client.refuse("not locked by current thread " .. client.owner()) end
  return true
end

function half.force_unlock(lock)
  end_renewals(lock)
  local operation = client.invoke("force_release", lock)
  local freed = client.eval(node, "force_release", {lock.name, channel_of(lock)}, {unlock_message})
  client.complete(operation, freed == 1 and "ok" or "fail")
  return freed == 1
end

-- Acquisition ------------------------------------------------------------------------------------

-- The acquire script's reply as (ms that the lock stays another's or nil, token or nil), and how many
-- replicas have acknowledged it, where that is asked for.
local function send_acquire(lock, lease_ms)
  local options = lock.options
  local keys = {lock.name}
  if options.fencing then keys[2] = "redisson_lock_token:{" .. lock.name .. "}" end
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

-- One attempt. Returns nil and the grant's details where the thread has the lock now, else for how
-- many ms it stays another's (negative: for ever).
local function attempt(lock, lease_ms)
  local asked_ms = lease_ms or lock.options.watchdog_lease_ms
  local operation = client.invoke("acquire", lock, asked_ms)
  local left_ms, token, acknowledged = send_acquire(lock, asked_ms)
  client.complete(operation, left_ms and "fail" or "ok")
  if left_ms then return left_ms end
  if acknowledged == 0 then
    if lock.options.unacknowledged ~= "leave" then release(lock, asked_ms) end
    if lock.options.unacknowledged == "retry" then return 0 end
    client.refuse("no replica has acknowledged the lock")
  end
  if lease_ms then lock.lease_ms = lease_ms else add_hold(lock) end
  return nil, {token = token}
end

-- Runs `body` while the client is subscribed to the lock's channel.
local function subscribed(lock, time_ms, body)
  if not client.subscribe(node, channel_of(lock), time_ms) then return false end
  local succeeded, result, details = pcall(body)
  client.unsubscribe(node, channel_of(lock))
  if not succeeded then error(result, 0) end
  return result, details
end

function half.lock(lock, lease_ms)
  local first_left_ms, first_details = attempt(lock, lease_ms)
  if not first_left_ms then return true, first_details end
  return subscribed(lock, nil, function()
    while true do
      local left_ms, details = attempt(lock, lease_ms)
      if not left_ms then return true, details end
      client.wait_message(node, channel_of(lock), left_ms >= 0 and left_ms or nil)
    end
  end)
end

-- The time that is left is read off the wall clock, so a clock that is set makes it longer or shorter.
function half.try_lock(lock, wait_ms, lease_ms)
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
      client.wait_message(node, channel_of(lock), pause_ms)
    end
    return false
  end)
end

-- Questions --------------------------------------------------------------------------------------

function half.is_locked(lock)
  return client.command(node, "EXISTS", lock.name) == 1
end

function half.is_held_by_me(lock)
  return client.command(node, "HEXISTS", lock.name, client.owner()) == 1
end

function half.hold_count(lock)
  return tonumber(client.command(node, "HGET", lock.name, client.owner()) or 0)
end

-- In ms; -1: the lock stays for ever, -2: nobody has it.
function half.remaining_lease(lock)
  return client.command(node, "PTTL", lock.name)
end

return half
