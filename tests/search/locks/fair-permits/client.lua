-- Asks again and again. Each acquisition has a word of its own, which is its place in the queue.

local model = {}
local held = {}
local function stack(lock)
  local key = lock.name .. " " .. client.owner()
  held[key] = held[key] or {}
  return held[key]
end
local function attempt(lock, word, permits)
  local node = client.node_of(lock.name)
  return client.eval(node, "take", {lock.name, lock.name .. ":queue"}, {word, permits}) == 1
end
function model.acquire(lock, permits)
  local word = client.token()
  while not attempt(lock, word, permits) do
    client.sleep(lock.options.pause_ms)
  end
  table.insert(stack(lock), {word = word, permits = permits})
  return true
end
function model.try_acquire(lock, permits, wait_ms)
  local word = client.token()
  local until_ms = client.monotonic_ms() + (wait_ms or 0)
  while not attempt(lock, word, permits) do
    local left_ms = until_ms - client.monotonic_ms()
    if left_ms <= 0 then
      client.eval(client.node_of(lock.name), "leave", {lock.name .. ":queue"}, {word})
      return false
    end
    client.sleep(math.min(left_ms, lock.options.pause_ms))
  end
  table.insert(stack(lock), {word = word, permits = permits})
  return true
end
function model.release(lock, permits)
  local mine = stack(lock)
  for i = #mine, 1, -1 do
    if mine[i].permits == permits then
      local word = table.remove(mine, i).word
      client.eval(client.node_of(lock.name), "give", {lock.name}, {word, permits})
      return true
    end
  end
  client.refuse("no permits")
end
return model
