// The code of each command. Each reads its words from the call, changes the data through it, and
// writes exactly one reply. Arity, READONLY and where a command may run are checked before.
#pragma once

#include "redis/server/command_call.h"

namespace lockstep::redis::commands {

// string.cpp
void get(Call& call);
void getdel(Call& call);
void getset(Call& call);
void mget(Call& call);
void mset(Call& call);
void msetnx(Call& call);
void append(Call& call);
void strlen(Call& call);

// string_range.cpp
void getrange(Call& call);
void setrange(Call& call);

// float.cpp
void incrbyfloat(Call& call);
void hincrbyfloat(Call& call);

// lcs.cpp
void lcs(Call& call);

// collections/hash_random.cpp
void hrandfield(Call& call);

// collections/set.cpp
void getex(Call& call);
void set(Call& call);
void delifeq(Call& call);
void msetex(Call& call);
void setnx(Call& call);
void setex(Call& call);
void psetex(Call& call);

// persistence_commands.cpp
void save(Call& call);
void bgsave(Call& call);
void lastsave(Call& call);
void bgrewriteaof(Call& call);

// counter.cpp
void incr(Call& call);
void decr(Call& call);
void incrby(Call& call);
void decrby(Call& call);

// key.cpp
void exists(Call& call);
void del(Call& call);
void type(Call& call);
void keys(Call& call);
void touch(Call& call);
void randomkey(Call& call);
void dbsize(Call& call);
void flushdb(Call& call);
void flushall(Call& call);

// key_moving.cpp
void rename(Call& call);
void renamenx(Call& call);
void copy(Call& call);
void move(Call& call);
void swapdb(Call& call);

// scan.cpp
void scan(Call& call);
void hscan(Call& call);

// object.cpp
void object_encoding(Call& call);
void object_freq(Call& call);
void object_help(Call& call);
void object_refcount(Call& call);

// expire.cpp
void expire(Call& call);
void pexpire(Call& call);
void expireat(Call& call);
void pexpireat(Call& call);
void ttl(Call& call);
void pttl(Call& call);
void expiretime(Call& call);
void pexpiretime(Call& call);
void persist(Call& call);

// collections/hash.cpp
void hset(Call& call);
void hmset(Call& call);
void hsetnx(Call& call);
void hget(Call& call);
void hmget(Call& call);
void hgetall(Call& call);
void hkeys(Call& call);
void hvals(Call& call);
void hdel(Call& call);
void hexists(Call& call);
void hincrby(Call& call);
void hlen(Call& call);
void hstrlen(Call& call);

// collections/hash_expiry.cpp
void hexpire(Call& call);
void hpexpire(Call& call);
void hexpireat(Call& call);
void hpexpireat(Call& call);
void httl(Call& call);
void hpttl(Call& call);
void hexpiretime(Call& call);
void hpexpiretime(Call& call);
void hpersist(Call& call);
void hgetex(Call& call);
void hsetex(Call& call);
void hgetdel(Call& call);

// collections/list.cpp
void lpush(Call& call);
void rpush(Call& call);
void lpushx(Call& call);
void rpushx(Call& call);
void lpop(Call& call);
void rpop(Call& call);
void lmpop(Call& call);
void lmove(Call& call);
void rpoplpush(Call& call);
void linsert(Call& call);
void lset(Call& call);
void lrem(Call& call);

// collections/list_reading.cpp
void llen(Call& call);
void lindex(Call& call);
void lrange(Call& call);
void ltrim(Call& call);
void lpos(Call& call);

// collections/blocking.cpp
void blpop(Call& call);
void brpop(Call& call);
void blmpop(Call& call);
void blmove(Call& call);
void brpoplpush(Call& call);
void client_unblock(Call& call);

// collections/set_members.cpp
void sadd(Call& call);
void srem(Call& call);
void smove(Call& call);
void sismember(Call& call);
void smismember(Call& call);
void scard(Call& call);

// collections/set_random.cpp
void spop(Call& call);
void srandmember(Call& call);

// collections/set_algebra.cpp
void smembers(Call& call);
void sinter(Call& call);
void sunion(Call& call);
void sdiff(Call& call);
void sinterstore(Call& call);
void sunionstore(Call& call);
void sdiffstore(Call& call);
void sintercard(Call& call);

// collections/sorted_set.cpp
void zadd(Call& call);
void zincrby(Call& call);
void zrem(Call& call);
void zcard(Call& call);
void zscore(Call& call);
void zmscore(Call& call);
void zrank(Call& call);
void zrevrank(Call& call);

// collections/sorted_set_range.cpp
void zrange(Call& call);
void zrevrange(Call& call);
void zrangebyscore(Call& call);
void zrevrangebyscore(Call& call);
void zrangebylex(Call& call);
void zrevrangebylex(Call& call);
void zcount(Call& call);
void zlexcount(Call& call);
void zremrangebyrank(Call& call);
void zremrangebyscore(Call& call);
void zremrangebylex(Call& call);
void zrangestore(Call& call);

// collections/sorted_set_algebra.cpp
void zunion(Call& call);
void zinter(Call& call);
void zdiff(Call& call);
void zunionstore(Call& call);
void zinterstore(Call& call);
void zdiffstore(Call& call);
void zintercard(Call& call);

// collections/sorted_set_pop.cpp
void zpopmin(Call& call);
void zpopmax(Call& call);
void zmpop(Call& call);
void zrandmember(Call& call);

// collections/member_scan.cpp
void sscan(Call& call);
void zscan(Call& call);

// collections/sorted_set_blocking.cpp
void bzpopmin(Call& call);
void bzpopmax(Call& call);
void bzmpop(Call& call);

// pubsub.cpp
void subscribe(Call& call);
void unsubscribe(Call& call);
void psubscribe(Call& call);
void punsubscribe(Call& call);
void publish(Call& call);
void ssubscribe(Call& call);
void sunsubscribe(Call& call);
void spublish(Call& call);
void pubsub_channels(Call& call);
void pubsub_help(Call& call);
void pubsub_numpat(Call& call);
void pubsub_numsub(Call& call);
void pubsub_shardchannels(Call& call);
void pubsub_shardnumsub(Call& call);

// script.cpp
void eval(Call& call);
void evalsha(Call& call);
void script_exists(Call& call);
void script_flush(Call& call);
void script_help(Call& call);
void script_kill(Call& call);
void script_load(Call& call);

// function.cpp
void fcall(Call& call);
void function_delete(Call& call);
void function_dump(Call& call);
void function_flush(Call& call);
void function_help(Call& call);
void function_kill(Call& call);  // script.cpp
void function_list(Call& call);
void function_load(Call& call);
void function_restore(Call& call);
void function_stats(Call& call);

// transaction.cpp
void multi(Call& call);
void exec(Call& call);
void discard(Call& call);
void watch(Call& call);
void unwatch(Call& call);

// config_commands.cpp
void config_get(Call& call);
void config_set(Call& call);
void config_resetstat(Call& call);
void config_rewrite(Call& call);
void config_help(Call& call);

// connection.cpp
void ping(Call& call);
void echo(Call& call);
void select(Call& call);
void auth(Call& call);
void hello(Call& call);
void reset(Call& call);
void monitor(Call& call);
void quit(Call& call);

// command.cpp
void command(Call& call);
void command_count(Call& call);
void command_info(Call& call);
void command_docs(Call& call);
void command_list(Call& call);
void command_getkeys(Call& call);
void command_help(Call& call);

// cluster.cpp
void cluster_countkeysinslot(Call& call);
void cluster_failover(Call& call);
void cluster_info(Call& call);
void cluster_keyslot(Call& call);
void cluster_myid(Call& call);
void cluster_nodes(Call& call);
void cluster_replicas(Call& call);
void cluster_shards(Call& call);
void cluster_slots(Call& call);
void asking(Call& call);
void readonly(Call& call);
void readwrite(Call& call);

// info.cpp
void info(Call& call);

// debug.cpp
void debug(Call& call);

// server_commands.cpp
void time(Call& call);
void role(Call& call);
void shutdown(Call& call);
void wait(Call& call);
void waitaof(Call& call);
void replicaof(Call& call);

// client.cpp
void client_id(Call& call);
void client_setname(Call& call);
void client_getname(Call& call);
void client_reply(Call& call);
void client_info(Call& call);
void client_list(Call& call);
void client_kill(Call& call);
void client_no_evict(Call& call);
void client_getredir(Call& call);
void client_setinfo(Call& call);
void client_help(Call& call);
/// 6.0's: of whatever follows a command that has subcommands.
void refuse_subcommand(Call& call);
/// Whether a session may have this name; where not, with a reply.
bool is_client_name(Call& call, std::string_view name);
/// Gives the session a name; false, with a reply, where it is none.
bool set_client_name(Call& call, std::string_view name);

}  // namespace lockstep::redis::commands
