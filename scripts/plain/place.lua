-- Where a lock is, and whether its operations are declared.
--
-- A lock is a table with `name` and `options`. One that another lock is made of is a table of that
-- lock's own: `node` says which master has it, where that is not the one with its slot, and
-- `is_part` that what is done to it is no operation of the service, but a part of one.

local place = {}

function place.node_of(lock)
  if not lock.node then lock.node = client.node_of(lock.name) end
  return lock.node
end

-- The same text for the same key of the same node.
function place.of(lock)
  if not lock.place then lock.place = place.node_of(lock) .. ":" .. lock.name end
  return lock.place
end

function place.invoke(kind, lock, lease_ms, owner)
  if lock.is_part then return nil end
  return client.invoke(kind, lock, lease_ms, owner)
end

function place.complete(operation, outcome)
  if operation then client.complete(operation, outcome) end
end

return place
