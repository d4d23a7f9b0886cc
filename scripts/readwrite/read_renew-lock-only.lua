-- As read_renew, but it forgets the timeout keys: once they are over, who releases sees no other reader.
-- KEYS[1] the lock, KEYS[2] prefix of everybody's timeout keys · ARGV[1] lease in ms, ARGV[2] owner
if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
  return 0
end
redis.call('pexpire', KEYS[1], ARGV[1])
return 1
