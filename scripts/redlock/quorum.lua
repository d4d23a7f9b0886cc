-- The arithmetic of a quorum: votes, and for how long what they gave is valid.

local quorum = {}

-- More than half: any two have a node in common.
function quorum.of(nodes)
  return nodes // 2 + 1
end

function quorum.is_one(votes, nodes)
  return votes >= quorum.of(nodes)
end

-- What is left of a lease once acquiring it has taken `elapsed_ms`, if no clock runs away from
-- another by more than a hundredth, and Redis ends a lease to the millisecond.
function quorum.validity_ms(lease_ms, elapsed_ms)
  local drift_ms = (lease_ms + 99) // 100 + 2
  return lease_ms - elapsed_ms - drift_ms
end

-- Counts the answers, {value =} by node: those with this value, others, and those that are missing.
function quorum.count(answers, nodes, value)
  local votes = {yes = 0, no = 0, missing = 0}
  for node = 1, nodes do
    local answer = answers[node]
    local which = not answer and "missing" or answer.value == value and "yes" or "no"
    votes[which] = votes[which] + 1
  end
  return votes
end

-- The same for the value that most have.
function quorum.count_most(answers, nodes)
  local most = quorum.count(answers, nodes, {})  -- a table that nobody else has: no votes
  for node = 1, nodes do
    local value = answers[node] and answers[node].value
    local votes = value ~= nil and quorum.count(answers, nodes, value)
    if votes and votes.yes > most.yes then most = votes end
  end
  return most
end

-- Whether a quorum may have done it: of some it is not known.
function quorum.possible(votes, nodes)
  return quorum.is_one(votes.yes + votes.missing, nodes)
end

-- How an operation that did what a quorum did has ended.
function quorum.outcome(votes, nodes)
  if quorum.is_one(votes.yes, nodes) then return "ok" end
  return quorum.possible(votes, nodes) and "info" or "fail"
end

return quorum
