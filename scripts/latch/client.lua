-- The count-down latch's client model: waiting by pub/sub, for the message that the count is zero.

local waiting = require("waiting")

local model = {}

local zero_message <const> = 0
local new_count_message <const> = 1

local function node_of(lock)
  return client.node_of(lock.name)
end

local function channel_of(lock)
  return "redisson_countdownlatch__channel__" .. lock.tagged_name
end

-- Zero opens the gate for all; a new count shuts it again, which wakes nobody.
local function wakes(message, threads)
  return message == tostring(zero_message) and threads or 0
end

local function is_open(lock)
  return tonumber(client.command(node_of(lock), "GET", lock.name) or 0) <= 0
end

function model.try_set_count(lock, count)
  local keys = {lock.name, channel_of(lock)}
  return client.eval(node_of(lock), "try_set_count", keys, {new_count_message, count}) == 1
end

function model.count_down(lock)
  client.eval(node_of(lock), "count_down", {lock.name, channel_of(lock)}, {zero_message})
  return true
end

-- Without wait_ms for as long as it takes. The time is read off the wall clock.
function model.await(lock, wait_ms)
  local deadline_ms = wait_ms and client.wall_ms() + wait_ms
  return waiting.inside(node_of(lock), channel_of(lock), wait_ms, wakes, function(room)
    while not is_open(lock) do
      local left_ms = deadline_ms and deadline_ms - client.wall_ms()
      if left_ms and left_ms <= 0 then return false end
      waiting.sleep(room, left_ms)
    end
    return true
  end)
end

return model
