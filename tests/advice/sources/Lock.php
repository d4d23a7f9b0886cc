<html>it's redis.call('x')</html>
<?php
namespace App\Locks;
class LuaScripts
{
    /**
     * KEYS[1] - The name of the lock
     */
    public static function releaseLock()
    {
        return <<<'LUA'
if redis.call("get",KEYS[1]) == ARGV[1] then
    return redis.call("del",KEYS[1])
else
    return 0
end
LUA;
    }
    private function save() {
        $script = '
            local key = KEYS[1]
            if redis.call("GET", key) == ARGV[1] then return redis.call("PEXPIRE", key, ARGV[2]) end
        ';
        $this->evaluate($script, "x", []);
        $s2 = "return redis.call('get', KEYS[1])" . " -- {$this->name}";
        $this->redis->eval($s2, [1], 1);
        $this->redis->eval(LuaScripts::releaseLock(), 1, $this->name, $this->owner);
        $this->redis->eval(Other::script(), 1, $this->name);
        $s3 = "local a = redis.call('get', KEYS[1]) ";
        $s3 .= "return a";
        $redis->eval($s3, [1], 1);
    }
    const EXTEND = <<<LUA
        return redis.call('pexpire', KEYS[1], ARGV[1])
        LUA;
}
?>
<p>it's</p>
