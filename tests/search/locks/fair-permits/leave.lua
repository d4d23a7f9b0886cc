-- KEYS[1] the queue · ARGV[1] the word
return redis.call('lrem', KEYS[1], 0, ARGV[1])
