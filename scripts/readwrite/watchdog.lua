-- The watchdog of readers, and that of writers: renews what threads took without a lease, again and
-- again when a third of it is over.
--
-- A client has one entry for each lock and mode, which counts the holds of its threads. Nobody is told
-- when a renewal finds a hold gone: the thread goes on believing.

local watchdog = {}

local entries = {}  -- by mode, by lock name: {owners = in order, holds = by owner, task =}

local function entry_of(mode, lock)
  entries[mode] = entries[mode] or {}
  return entries[mode][lock.name]
end

function watchdog.stop(mode, lock)
  local entry = entry_of(mode, lock)
  if not entry then return end
  entries[mode][lock.name] = nil
  client.cancel(entry.task)
end

local function forget_owner(mode, lock, entry, owner)
  entry.holds[owner] = nil
  for i, each in ipairs(entry.owners) do
    if each == owner then table.remove(entry.owners, i) break end
  end
  if #entry.owners == 0 and entry_of(mode, lock) == entry then watchdog.stop(mode, lock) end
end

-- Whose holds are renewed: each thread's, or those of the one that has been here longest.
local function due(lock, entry)
  if lock.options.renews == "first" then return {entry.owners[1]} end
  return table.move(entry.owners, 1, #entry.owners, 1, {})
end

-- A renewal that raises is tried again at the next tick.
local function renew(mode, lock, lease_ms, owner)
  local operation = client.invoke(mode.renews, lock, lease_ms, owner)
  local replied, renewed = pcall(function()
    return mode.renew(lock, lease_ms, owner)
  end)
  if replied then client.complete(operation, renewed == 1 and "ok" or "fail") end
  return not replied or renewed == 1
end

local function run(mode, lock, entry)
  local lease_ms = lock.options.watchdog_lease_ms
  while true do
    client.sleep(lease_ms // 3)
    for _, owner in ipairs(due(lock, entry)) do
      if entry.holds[owner] and not renew(mode, lock, lease_ms, owner) then
        forget_owner(mode, lock, entry, owner)
      end
      if entry_of(mode, lock) ~= entry then return end
    end
  end
end

function watchdog.add_hold(mode, lock)
  local owner = client.owner()
  local entry = entry_of(mode, lock)
  if not entry then
    entry = {owners = {}, holds = {}}
    entries[mode][lock.name] = entry
    entry.task = client.spawn("watchdog", run, mode, lock, entry)
  end
  if not entry.holds[owner] then table.insert(entry.owners, owner) end
  entry.holds[owner] = (entry.holds[owner] or 0) + 1
end

-- A release takes one of its thread's holds off, whatever it returned.
function watchdog.take_hold_off(mode, lock)
  local owner = client.owner()
  local entry = entry_of(mode, lock)
  if not entry or not entry.holds[owner] then return end
  entry.holds[owner] = entry.holds[owner] - 1
  if entry.holds[owner] == 0 then forget_owner(mode, lock, entry, owner) end
end

return watchdog
