-- What anybody may ask a reentrant lock: its hash says who has it, how often, and for how long.

local place = require("place")

local questions = {}

function questions.is_locked(lock)
  return client.command(place.node_of(lock), "EXISTS", lock.name) == 1
end

function questions.is_held_by_me(lock)
  return client.command(place.node_of(lock), "HEXISTS", lock.name, client.owner()) == 1
end

function questions.hold_count(lock)
  return tonumber(client.command(place.node_of(lock), "HGET", lock.name, client.owner()) or 0)
end

-- In ms; -1: the lock stays for ever, -2: nobody has it.
function questions.remaining_lease(lock)
  return client.command(place.node_of(lock), "PTTL", lock.name)
end

return questions
