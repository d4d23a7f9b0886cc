-- Waiting for messages of which one may wake several threads of a client.
--
-- The threads of a client that wait for messages of one channel are in one room. It has a subscription
-- and a listener, which turns each message into as many permits as threads are to be woken. A permit
-- is kept where nobody is asleep, so that no message is missed between an attempt and the next sleep.

local waiting = {}

local rooms = {}  -- by node and channel: {signal =, threads = how many, listener = its task}
local rooms_made = 0

local function listen(node, channel, room, wakes)
  while true do
    local _, message = client.wait_message(node, channel)
    if room.threads == 0 then return end
    local count = wakes(message, room.threads)
    if count > 0 then client.signal(room.signal, count) end
  end
end

local function enter(node, channel, wakes)
  local place = node .. ":" .. channel
  if not rooms[place] then
    rooms_made = rooms_made + 1
    local room = {place = place, signal = place .. "#" .. rooms_made, threads = 0}
    rooms[place] = room
    room.listener = client.spawn("listener", listen, node, channel, room, wakes)
  end
  rooms[place].threads = rooms[place].threads + 1
  return rooms[place]
end

local function leave(room)
  room.threads = room.threads - 1
  if room.threads > 0 then return end
  rooms[room.place] = nil
  client.cancel(room.listener)
end

-- Runs `body` with the channel's room; returns what it returns, or false where to subscribe took longer
-- than time_ms. wakes(message, threads) says how many of the room's threads a message wakes.
function waiting.inside(node, channel, time_ms, wakes, body)
  if not client.subscribe(node, channel, time_ms) then return false end
  local room = enter(node, channel, wakes)
  local succeeded, result = pcall(body, room)
  leave(room)
  client.unsubscribe(node, channel)
  if not succeeded then error(result, 0) end
  return result
end

-- Until the thread is woken, or for time_ms.
function waiting.sleep(room, time_ms)
  client.wait(room.signal, time_ms)
end

return waiting
