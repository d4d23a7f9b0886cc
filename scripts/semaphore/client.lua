-- The semaphore's client model: waiting by pub/sub. A message says how many permits there are now, and
-- wakes so many threads of each client.

local waiting = require("waiting")

local model = {}

local function node_of(lock)
  return client.node_of(lock.name)
end

local function channel_of(lock)
  return "redisson_sc:" .. lock.tagged_name
end

local function wakes(message, threads)
  return math.min(tonumber(message), threads)
end

local function attempt(lock, permits)
  return client.eval(node_of(lock), "acquire", {lock.name}, {permits}) == 1
end

function model.acquire(lock, permits)
  if attempt(lock, permits) then return true end
  return waiting.inside(node_of(lock), channel_of(lock), nil, wakes, function(room)
    while not attempt(lock, permits) do
      waiting.sleep(room)
    end
    return true
  end)
end

-- The time that is left is read off the wall clock, so a clock that is set makes it longer or shorter.
function model.try_acquire(lock, permits, wait_ms)
  local deadline_ms = client.wall_ms() + (wait_ms or 0)
  if attempt(lock, permits) then return true end
  local time_ms = deadline_ms - client.wall_ms()
  if not wait_ms or time_ms <= 0 then return false end
  return waiting.inside(node_of(lock), channel_of(lock), time_ms, wakes, function(room)
    while client.wall_ms() < deadline_ms do
      if attempt(lock, permits) then return true end
      waiting.sleep(room, deadline_ms - client.wall_ms())
    end
    return false
  end)
end

function model.release(lock, permits)
  client.eval(node_of(lock), "release", {lock.name, channel_of(lock)}, {permits})
  return true
end

function model.try_set_permits(lock, permits)
  local keys = {lock.name, channel_of(lock)}
  return client.eval(node_of(lock), "try_set_permits", keys, {permits}) == 1
end

return model
