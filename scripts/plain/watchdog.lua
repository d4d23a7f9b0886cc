-- The watchdog: renews the locks that the client's threads took without a lease, again and again
-- when a third of it is over.
--
-- A client has one entry for each lock that it renews: it counts the holds of its threads, and is
-- renewed for the thread that has been in it longest. Nobody is told when a renewal finds the lock
-- gone: the entry ends, and the thread goes on believing.

local place = require("place")

local watchdog = {}

local renewals = {}  -- by place: {lock =, owners = in order, holds = by owner, task =}
local shared = {}    -- by node: {places = those in `renewals`, in order of registration, task =}

-- Ends the renewals of a lock, whoever's they are.
function watchdog.stop(lock)
  local where = place.of(lock)
  local entry = renewals[where]
  if not entry then return end
  if entry.task then client.cancel(entry.task) end
  renewals[where] = nil
  local places = shared[place.node_of(lock)].places
  for i, each in ipairs(places) do
    if each == where then table.remove(places, i) break end
  end
end

-- What a renewal that raised leads to; true where it is tried again at the next tick.
local function after_error(lock)
  if lock.options.renewal_error == "drop" then watchdog.stop(lock) end
  return lock.options.renewal_error == "retry"
end

-- One timer for each lock, from the entry's first hold to its last.
local function renew_one(entry)
  local lock = entry.lock
  local lease_ms = lock.options.watchdog_lease_ms
  while true do
    client.sleep(lease_ms // 3)
    local owner = entry.owners[1]
    if renewals[place.of(lock)] ~= entry or not owner then return end
    local operation = place.invoke("renew", lock, lease_ms, owner)
    local replied, renewed = pcall(function()
      return client.eval(place.node_of(lock), "renew", {lock.name}, {lease_ms, owner})
    end)
    if not replied then
      if not after_error(lock) then return end
    elseif renewed == 0 then
      place.complete(operation, "fail")
      watchdog.stop(lock)
      return
    else
      place.complete(operation, "ok")
    end
  end
end

local function settle_batch(entries, operations, replied, renewed)
  for i, entry in ipairs(entries) do
    if not replied then
      after_error(entry.lock)
    else
      place.complete(operations[i], renewed[i] == 1 and "ok" or "fail")
      if renewed[i] ~= 1 then watchdog.stop(entry.lock) end
    end
  end
end

-- One timer for all locks that the client has on a node, while there are any. Each node has its
-- own, so that one that does not answer keeps no other waiting.
local function renew_all(node, lease_ms)
  local places = shared[node].places
  while true do
    client.sleep(lease_ms // 3)
    if #places == 0 then break end
    local entries, operations, keys, arguments = {}, {}, {}, {lease_ms}
    for i, where in ipairs(places) do
      local entry = renewals[where]
      entries[i] = entry
      keys[i] = entry.lock.name
      arguments[i + 1] = entry.owners[1]
      operations[i] = place.invoke("renew", entry.lock, lease_ms, entry.owners[1])
    end
    local replied, renewed = pcall(function()
      return client.eval(node, "renew_batch", keys, arguments)
    end)
    settle_batch(entries, operations, replied, renewed)
  end
  shared[node].task = nil
end

-- The caller has taken the lock once more.
function watchdog.add_hold(lock)
  local owner = client.owner()
  local where = place.of(lock)
  local entry = renewals[where]
  if entry then
    local is_listed = entry.holds[owner] and lock.options.renewed_owners ~= "each-hold"
    if not is_listed then table.insert(entry.owners, owner) end
    entry.holds[owner] = (entry.holds[owner] or 0) + 1
    return
  end
  local node = place.node_of(lock)
  entry = {lock = lock, owners = {owner}, holds = {[owner] = 1}}
  renewals[where] = entry
  shared[node] = shared[node] or {places = {}}
  table.insert(shared[node].places, where)
  if lock.options.watchdog == "per-lock" then
    entry.task = client.spawn("watchdog", renew_one, entry)
  elseif not shared[node].task then
    shared[node].task = client.spawn("watchdog", renew_all, node, lock.options.watchdog_lease_ms)
  end
end

-- The caller has released it, which takes one of its holds off, whatever the release returned.
function watchdog.take_hold_off(lock, freed)
  local entry = renewals[place.of(lock)]
  if not entry then return end
  if lock.options.release == "oldest" then
    if freed == 1 then watchdog.stop(lock) end
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
  if #entry.owners == 0 then watchdog.stop(lock) end
end

return watchdog
