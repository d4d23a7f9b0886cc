-- Gives permits back, and tells the waiters how many there are now.
-- KEYS[1] the semaphore, KEYS[2] its channel · ARGV[1] how many
redis.call('publish', KEYS[2], redis.call('incrby', KEYS[1], ARGV[1]))
