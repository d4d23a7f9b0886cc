-- As acquire_failed, but the deadlines behind stay where they are.
-- KEYS[1] the queue, KEYS[2] the waiters' deadlines · ARGV[1] owner, ARGV[2] wait in ms
redis.call('zrem', KEYS[2], ARGV[1])
redis.call('lrem', KEYS[1], 0, ARGV[1])
