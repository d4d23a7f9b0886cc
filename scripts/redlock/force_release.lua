-- Frees the lock on this node, whoever has it.
-- KEYS[1] the lock
-- Returns the token that it had, nil where it was free.
local token = redis.call('get', KEYS[1])
redis.call('del', KEYS[1])
return token
