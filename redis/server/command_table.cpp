#include "redis/server/command_table.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "redis/commands/commands.h"
#include "redis/protocol/letter_case.h"

namespace lockstep::redis {
namespace {

using enum CommandFlag;

// Where keys stand.
constexpr KeyPositions no_keys{};
constexpr KeyPositions one_key{1, 1, 1};
constexpr KeyPositions two_keys{1, 2, 1};
constexpr KeyPositions all_keys{1, -1, 1};
constexpr KeyPositions all_but_last{1, -2, 1};
constexpr KeyPositions key_value_pairs{1, -1, 2};

constexpr CommandFlag fast_read = read_only | fast;
constexpr CommandFlag fast_write = write | fast;
constexpr CommandFlag growing_write = write | deny_oom | fast;
constexpr CommandFlag saving = admin | no_script | no_async_loading;
constexpr CommandFlag talk =
    pubsub | no_script | loading | stale | allowed_subscribed | replies_with_push;
constexpr CommandFlag greeting = no_script | loading | stale | fast | no_auth | allow_busy;
constexpr CommandFlag connection = no_script | loading | stale;
constexpr CommandFlag transaction = no_script | loading | stale | fast | allow_busy | never_queued;
constexpr CommandFlag script = no_script | skip_monitor | may_replicate | no_mandatory_keys | stale;
constexpr CommandFlag script_ro = no_script | skip_monitor | no_mandatory_keys | stale | read_only;

constexpr CommandSpec row(std::string_view name, std::int16_t arity, CommandFlag flags,
                          KeyPositions keys, CommandProc code) {
  return {name, arity, flags, keys, code, {}, {}, VersionSet::all()};
}
constexpr CommandSpec parent(std::string_view name, std::span<const CommandSpec> subcommands) {
  return {name, -2, none, no_keys, nullptr, subcommands, {}, VersionSet::all()};
}

/// A row whose command differs from Redis's: `missing` says in what.
constexpr CommandSpec partial(CommandSpec spec, std::string_view missing) {
  spec.missing = missing;
  return spec;
}

// The versions that have a command in the form of its row.
constexpr VersionSet from_7_0 = VersionSet::all().without(ServerVersion::redis_6_0);
constexpr VersionSet up_to_7_0{ServerVersion::redis_6_0, ServerVersion::redis_7_0};
constexpr VersionSet only_7_0{ServerVersion::redis_7_0};
constexpr VersionSet from_8_0{ServerVersion::redis_8_0, ServerVersion::valkey_8_0,
                              ServerVersion::valkey_8_1, ServerVersion::valkey_9_1};
constexpr VersionSet up_to_redis_8_0{ServerVersion::redis_6_0, ServerVersion::redis_7_0,
                                     ServerVersion::redis_8_0};

constexpr VersionSet with_field_expiries{ServerVersion::redis_8_0, ServerVersion::valkey_9_1};

constexpr CommandSpec in(VersionSet versions, CommandSpec spec) {
  spec.versions = versions;
  return spec;
}

constexpr std::array client_table{
    row("client|getname", 2, connection, no_keys, commands::client_getname),
    row("client|getredir", 2, connection, no_keys, commands::client_getredir),
    partial(row("client|help", 2, loading | stale, no_keys, commands::client_help),
            "tells of what is offered"),
    row("client|id", 2, connection, no_keys, commands::client_id),
    partial(in(from_7_0, row("client|info", 2, connection, no_keys, commands::client_info)),
            "buffers and descriptors are those of an idle connection"),
    in(from_7_0, row("client|kill", -3, admin | connection, no_keys, commands::client_kill)),
    partial(row("client|list", -2, admin | connection, no_keys, commands::client_list),
            "buffers and descriptors are those of idle connections"),
    partial(in(from_7_0,
               row("client|no-evict", 3, admin | connection, no_keys, commands::client_no_evict)),
            "has no effect: clients are never evicted"),
    row("client|reply", 3, connection, no_keys, commands::client_reply),
    partial(in(from_7_0, row("client|setinfo", 4, connection, no_keys, commands::client_setinfo)),
            "of Redis 7.2: accepted, and shown nowhere"),
    row("client|setname", 3, connection, no_keys, commands::client_setname),
    row("client|unblock", -3, admin | connection, no_keys, commands::client_unblock),
};
constexpr CommandFlag cluster_query = stale;
constexpr std::array cluster_table{
    row("cluster|countkeysinslot", 3, cluster_query, no_keys, commands::cluster_countkeysinslot),
    partial(row("cluster|failover", -2, admin | no_async_loading | stale, no_keys,
                commands::cluster_failover),
            "with FORCE or TAKEOVER only"),
    partial(row("cluster|info", 2, cluster_query, no_keys, commands::cluster_info),
            "does not count messages"),
    row("cluster|keyslot", 3, cluster_query, no_keys, commands::cluster_keyslot),
    row("cluster|myid", 2, cluster_query, no_keys, commands::cluster_myid),
    row("cluster|nodes", 2, cluster_query, no_keys, commands::cluster_nodes),
    row("cluster|replicas", 3, admin | stale, no_keys, commands::cluster_replicas),
    row("cluster|shards", 2, cluster_query, no_keys, commands::cluster_shards),
    row("cluster|slots", 2, cluster_query, no_keys, commands::cluster_slots),
};
constexpr std::array command_subtable{
    partial(row("command|count", 2, loading | stale, no_keys, commands::command_count),
            "counts what is offered"),
    partial(in(from_7_0, row("command|docs", -2, loading | stale, no_keys, commands::command_docs)),
            "names without documentation"),
    in(only_7_0, row("command|getkeys", -4, loading | stale, no_keys, commands::command_getkeys)),
    partial(row("command|help", 2, loading | stale, no_keys, commands::command_help),
            "tells of what is offered"),
    partial(row("command|info", -2, loading | stale, no_keys, commands::command_info),
            "no hints, no key specifications, few ACL categories"),
    partial(in(from_7_0, row("command|list", -2, loading | stale, no_keys, commands::command_list)),
            "lists what is offered"),
};
constexpr CommandFlag administration = admin | no_script | loading | stale;
constexpr std::array config_table{
    in(from_7_0, row("config|get", -3, administration, no_keys, commands::config_get)),
    row("config|help", 2, loading | stale, no_keys, commands::config_help),
    row("config|resetstat", 2, administration, no_keys, commands::config_resetstat),
    row("config|rewrite", 2, administration, no_keys, commands::config_rewrite),
    partial(in(from_7_0, row("config|set", -4, administration, no_keys, commands::config_set)),
            "what the model does not act on is kept without effect"),
};
constexpr KeyPositions second_word{2, 2, 1};
constexpr std::array object_table{
    row("object|encoding", 3, read_only, second_word, commands::object_encoding),
    row("object|freq", 3, read_only, second_word, commands::object_freq),
    row("object|help", 2, loading | stale, no_keys, commands::object_help),
    partial(row("object|refcount", 3, read_only, second_word, commands::object_refcount),
            "counts no references that the stream of a script or transaction holds meanwhile"),
};
constexpr CommandFlag library_write = write | no_script;
constexpr std::array function_table{
    row("function|delete", 3, library_write, no_keys, commands::function_delete),
    partial(row("function|dump", 2, no_script, no_keys, commands::function_dump), "not compressed"),
    row("function|flush", -2, library_write, no_keys, commands::function_flush),
    row("function|help", 2, loading | stale, no_keys, commands::function_help),
    row("function|kill", 2, no_script | allow_busy, no_keys, commands::function_kill),
    row("function|list", -2, no_script, no_keys, commands::function_list),
    row("function|load", -3, library_write | deny_oom, no_keys, commands::function_load),
    row("function|restore", -3, library_write | deny_oom, no_keys, commands::function_restore),
    row("function|stats", 2, no_script | allow_busy, no_keys, commands::function_stats),
};
constexpr std::array pubsub_table{
    row("pubsub|channels", -2, pubsub | loading | stale, no_keys, commands::pubsub_channels),
    row("pubsub|help", 2, loading | stale, no_keys, commands::pubsub_help),
    row("pubsub|numpat", 2, pubsub | loading | stale, no_keys, commands::pubsub_numpat),
    row("pubsub|numsub", -2, pubsub | loading | stale, no_keys, commands::pubsub_numsub),
    in(from_7_0, row("pubsub|shardchannels", -2, pubsub | loading | stale, no_keys,
                     commands::pubsub_shardchannels)),
    in(from_7_0, row("pubsub|shardnumsub", -2, pubsub | loading | stale, no_keys,
                     commands::pubsub_shardnumsub)),
};
constexpr std::array script_table{
    in(from_7_0, row("script|exists", -3, no_script, no_keys, commands::script_exists)),
    in(from_7_0, row("script|flush", -2, no_script, no_keys, commands::script_flush)),
    row("script|help", 2, loading | stale, no_keys, commands::script_help),
    row("script|kill", 2, no_script | allow_busy, no_keys, commands::script_kill),
    row("script|load", 3, no_script | stale, no_keys, commands::script_load),
};

constexpr std::array command_rows{
    row("append", 3, growing_write, one_key, commands::append),
    row("asking", 1, fast, no_keys, commands::asking),
    row("auth", -2, greeting, no_keys, commands::auth),
    row("bgrewriteaof", 1, saving, no_keys, commands::bgrewriteaof),
    row("bgsave", -1, saving, no_keys, commands::bgsave),
    in(only_7_0,
       row("blmove", 6, write | deny_oom | no_script | blocking, two_keys, commands::blmove)),
    in(from_7_0, row("blmpop", -5, write | blocking, no_keys, commands::blmpop)),
    in(up_to_7_0, row("blpop", -3, write | no_script | blocking, all_but_last, commands::blpop)),
    in(up_to_7_0, row("brpop", -3, write | no_script | blocking, all_but_last, commands::brpop)),
    in(up_to_7_0, row("brpoplpush", 4, write | deny_oom | no_script | blocking, two_keys,
                      commands::brpoplpush)),
    in(from_7_0, row("bzmpop", -5, write | blocking, no_keys, commands::bzmpop)),
    in(up_to_7_0,
       row("bzpopmax", -3, write | no_script | blocking | fast, all_but_last, commands::bzpopmax)),
    in(up_to_7_0,
       row("bzpopmin", -3, write | no_script | blocking | fast, all_but_last, commands::bzpopmin)),
    parent("client", client_table),
    parent("cluster", cluster_table),
    partial({"command",
             -1,
             loading | stale,
             no_keys,
             commands::command,
             command_subtable,
             {},
             VersionSet::all()},
            "no hints, no key specifications, few ACL categories"),
    parent("config", config_table),
    in(from_7_0, row("copy", -3, write | deny_oom, two_keys, commands::copy)),
    row("dbsize", 1, fast_read, no_keys, commands::dbsize),
    partial(row("debug", -2, administration, no_keys, commands::debug),
            "SLEEP and SET-ACTIVE-EXPIRE only"),
    row("decr", 2, growing_write, one_key, commands::decr),
    row("decrby", 3, growing_write, one_key, commands::decrby),
    row("del", -2, write, all_keys, commands::del),
    in(VersionSet{ServerVersion::valkey_9_1},
       row("delifeq", 3, fast_write, one_key, commands::delifeq)),
    row("discard", 1, transaction, no_keys, commands::discard),
    row("echo", 2, loading | stale | fast, no_keys, commands::echo),
    row("eval", -3, script | runs_body, no_keys, commands::eval),
    in(from_7_0, row("eval_ro", -3, script_ro | runs_body, no_keys, commands::eval)),
    row("evalsha", -3, script | runs_sha1, no_keys, commands::evalsha),
    in(from_7_0, row("evalsha_ro", -3, script_ro | runs_sha1, no_keys, commands::evalsha)),
    row("exec", 1, no_script | loading | stale | skip_slowlog | never_queued, no_keys,
        commands::exec),
    row("exists", -2, fast_read, all_keys, commands::exists),
    in(from_7_0, row("expire", -3, fast_write, one_key, commands::expire)),
    in(from_7_0, row("expireat", -3, fast_write, one_key, commands::expireat)),
    in(from_7_0, row("expiretime", 2, fast_read, one_key, commands::expiretime)),
    in(from_7_0, row("fcall", -3, script | runs_function, no_keys, commands::fcall)),
    in(from_7_0, row("fcall_ro", -3, script_ro | runs_function, no_keys, commands::fcall)),
    row("flushall", -1, write, no_keys, commands::flushall),
    row("flushdb", -1, write, no_keys, commands::flushdb),
    in(from_7_0, parent("function", function_table)),
    row("get", 2, fast_read, one_key, commands::get),
    in(from_7_0, row("getdel", 2, fast_write, one_key, commands::getdel)),
    in(from_7_0, row("getex", -2, fast_write, one_key, commands::getex)),
    row("getrange", 4, read_only, one_key, commands::getrange),
    row("getset", 3, growing_write, one_key, commands::getset),
    row("hdel", -3, fast_write, one_key, commands::hdel),
    in(from_7_0, row("hello", -1, greeting, no_keys, commands::hello)),
    row("hexists", 3, fast_read, one_key, commands::hexists),
    in(with_field_expiries, row("hexpire", -6, fast_write, one_key, commands::hexpire)),
    in(with_field_expiries, row("hexpireat", -6, fast_write, one_key, commands::hexpireat)),
    in(with_field_expiries, row("hexpiretime", -5, fast_read, one_key, commands::hexpiretime)),
    row("hget", 3, fast_read, one_key, commands::hget),
    row("hgetall", 2, read_only, one_key, commands::hgetall),
    in(with_field_expiries, row("hgetdel", -5, fast_write, one_key, commands::hgetdel)),
    in(with_field_expiries, row("hgetex", -5, fast_write, one_key, commands::hgetex)),
    row("hincrby", 4, growing_write, one_key, commands::hincrby),
    row("hincrbyfloat", 4, growing_write, one_key, commands::hincrbyfloat),
    row("hkeys", 2, read_only, one_key, commands::hkeys),
    row("hlen", 2, fast_read, one_key, commands::hlen),
    row("hmget", -3, fast_read, one_key, commands::hmget),
    row("hmset", -4, growing_write, one_key, commands::hmset),
    in(with_field_expiries, row("hpersist", -5, fast_write, one_key, commands::hpersist)),
    in(with_field_expiries, row("hpexpire", -6, fast_write, one_key, commands::hpexpire)),
    in(with_field_expiries, row("hpexpireat", -6, fast_write, one_key, commands::hpexpireat)),
    in(with_field_expiries, row("hpexpiretime", -5, fast_read, one_key, commands::hpexpiretime)),
    in(with_field_expiries, row("hpttl", -5, fast_read, one_key, commands::hpttl)),
    in(from_7_0, row("hrandfield", -2, read_only, one_key, commands::hrandfield)),
    row("hscan", -3, read_only, one_key, commands::hscan),
    row("hset", -4, growing_write, one_key, commands::hset),
    in(with_field_expiries, row("hsetex", -6, growing_write, one_key, commands::hsetex)),
    row("hsetnx", 4, growing_write, one_key, commands::hsetnx),
    row("hstrlen", 3, fast_read, one_key, commands::hstrlen),
    in(with_field_expiries, row("httl", -5, fast_read, one_key, commands::httl)),
    row("hvals", 2, read_only, one_key, commands::hvals),
    row("incr", 2, growing_write, one_key, commands::incr),
    row("incrby", 3, growing_write, one_key, commands::incrby),
    row("incrbyfloat", 3, growing_write, one_key, commands::incrbyfloat),
    partial(row("info", -1, loading | stale, no_keys, commands::info),
            "fields about the process, its memory, CPU and the times of commands are left out"),
    row("keys", 2, read_only, no_keys, commands::keys),
    row("lastsave", 1, loading | stale | fast, no_keys, commands::lastsave),
    in(from_7_0, row("lcs", -3, read_only, two_keys, commands::lcs)),
    row("lindex", 3, read_only, one_key, commands::lindex),
    row("linsert", 5, write | deny_oom, one_key, commands::linsert),
    row("llen", 2, fast_read, one_key, commands::llen),
    in(from_7_0, row("lmove", 5, write | deny_oom, two_keys, commands::lmove)),
    in(from_7_0, row("lmpop", -4, write, no_keys, commands::lmpop)),
    in(from_7_0, row("lpop", -2, fast_write, one_key, commands::lpop)),
    row("lpos", -3, read_only, one_key, commands::lpos),
    row("lpush", -3, growing_write, one_key, commands::lpush),
    row("lpushx", -3, growing_write, one_key, commands::lpushx),
    row("lrange", 4, read_only, one_key, commands::lrange),
    row("lrem", 4, write, one_key, commands::lrem),
    row("lset", 4, write | deny_oom, one_key, commands::lset),
    row("ltrim", 4, write, one_key, commands::ltrim),
    row("mget", -2, fast_read, all_keys, commands::mget),
    row("monitor", 1, admin | no_script | loading | stale, no_keys, commands::monitor),
    row("move", 3, fast_write, one_key, commands::move),
    row("mset", -3, write | deny_oom, key_value_pairs, commands::mset),
    in(VersionSet{ServerVersion::valkey_9_1},
       row("msetex", -4, write | deny_oom, no_keys, commands::msetex)),
    row("msetnx", -3, write | deny_oom, key_value_pairs, commands::msetnx),
    in(up_to_redis_8_0, row("multi", 1, transaction, no_keys, commands::multi)),
    parent("object", object_table),
    row("persist", 2, fast_write, one_key, commands::persist),
    in(from_7_0, row("pexpire", -3, fast_write, one_key, commands::pexpire)),
    in(from_7_0, row("pexpireat", -3, fast_write, one_key, commands::pexpireat)),
    in(from_7_0, row("pexpiretime", 2, fast_read, one_key, commands::pexpiretime)),
    row("ping", -1, fast | allowed_subscribed, no_keys, commands::ping),
    row("psetex", 4, write | deny_oom, one_key, commands::psetex),
    row("psubscribe", -2, talk, no_keys, commands::psubscribe),
    row("pttl", 2, fast_read, one_key, commands::pttl),
    row("publish", 3, pubsub | loading | stale | fast | may_replicate, no_keys, commands::publish),
    parent("pubsub", pubsub_table),
    row("punsubscribe", -1, talk, no_keys, commands::punsubscribe),
    row("quit", -1, greeting | never_queued | allowed_subscribed, no_keys, commands::quit),
    row("randomkey", 1, read_only, no_keys, commands::randomkey),
    row("readonly", 1, loading | stale | fast, no_keys, commands::readonly),
    row("readwrite", 1, loading | stale | fast, no_keys, commands::readwrite),
    row("rename", 3, write, two_keys, commands::rename),
    row("renamenx", 3, fast_write, two_keys, commands::renamenx),
    row("replicaof", 3, no_script | admin | stale | no_async_loading, no_keys, commands::replicaof),
    in(from_7_0,
       row("reset", 1, greeting | never_queued | allowed_subscribed, no_keys, commands::reset)),
    row("role", 1, no_script | loading | stale | fast, no_keys, commands::role),
    in(from_7_0, row("rpop", -2, fast_write, one_key, commands::rpop)),
    row("rpoplpush", 3, write | deny_oom, two_keys, commands::rpoplpush),
    row("rpush", -3, growing_write, one_key, commands::rpush),
    row("rpushx", -3, growing_write, one_key, commands::rpushx),
    row("sadd", -3, growing_write, one_key, commands::sadd),
    row("save", 1, saving | no_multi, no_keys, commands::save),
    row("scan", -2, read_only, no_keys, commands::scan),
    row("scard", 2, fast_read, one_key, commands::scard),
    parent("script", script_table),
    row("sdiff", -2, read_only, all_keys, commands::sdiff),
    row("sdiffstore", -3, write | deny_oom, all_keys, commands::sdiffstore),
    row("select", 2, loading | stale | fast, no_keys, commands::select),
    row("set", -3, write | deny_oom, one_key, commands::set),
    row("setex", 4, write | deny_oom, one_key, commands::setex),
    row("setnx", 3, growing_write, one_key, commands::setnx),
    row("setrange", 4, write | deny_oom, one_key, commands::setrange),
    partial(row("shutdown", -1, admin | no_script | loading | stale | no_multi | allow_busy,
                no_keys, commands::shutdown),
            "ends `lockstep serve`; a simulated process answers that it cannot"),
    row("sinter", -2, read_only, all_keys, commands::sinter),
    in(from_7_0, row("sintercard", -3, read_only, no_keys, commands::sintercard)),
    row("sinterstore", -3, write | deny_oom, all_keys, commands::sinterstore),
    row("sismember", 3, fast_read, one_key, commands::sismember),
    row("slaveof", 3, no_script | admin | stale | no_async_loading, no_keys, commands::replicaof),
    row("smembers", 2, read_only, one_key, commands::smembers),
    in(from_7_0, row("smismember", -3, fast_read, one_key, commands::smismember)),
    row("smove", 4, fast_write, two_keys, commands::smove),
    row("spop", -2, fast_write, one_key, commands::spop),
    in(from_7_0,
       row("spublish", 3, pubsub | loading | stale | fast | may_replicate | names_channels, one_key,
           commands::spublish)),
    row("srandmember", -2, read_only, one_key, commands::srandmember),
    row("srem", -3, fast_write, one_key, commands::srem),
    row("sscan", -3, read_only, one_key, commands::sscan),
    in(from_7_0, row("ssubscribe", -2, talk | names_channels, all_keys, commands::ssubscribe)),
    row("strlen", 2, fast_read, one_key, commands::strlen),
    row("subscribe", -2, talk, no_keys, commands::subscribe),
    row("substr", 4, read_only, one_key, commands::getrange),
    row("sunion", -2, read_only, all_keys, commands::sunion),
    row("sunionstore", -3, write | deny_oom, all_keys, commands::sunionstore),
    in(from_7_0, row("sunsubscribe", -1, talk | names_channels, all_keys, commands::sunsubscribe)),
    row("swapdb", 3, fast_write, no_keys, commands::swapdb),
    row("time", 1, loading | stale | fast, no_keys, commands::time),
    row("touch", -2, fast_read, all_keys, commands::touch),
    row("ttl", 2, fast_read, one_key, commands::ttl),
    row("type", 2, fast_read, one_key, commands::type),
    row("unlink", -2, fast_write, all_keys, commands::del),
    row("unsubscribe", -1, talk, no_keys, commands::unsubscribe),
    row("unwatch", 1, no_script | loading | stale | fast | allow_busy, no_keys, commands::unwatch),
    in(up_to_7_0, row("wait", 3, no_script, no_keys, commands::wait)),
    in(from_8_0, row("waitaof", 4, blocking, no_keys, commands::waitaof)),
    in(up_to_redis_8_0, row("watch", -2, transaction, all_keys, commands::watch)),
    row("zadd", -4, growing_write, one_key, commands::zadd),
    row("zcard", 2, fast_read, one_key, commands::zcard),
    row("zcount", 4, fast_read, one_key, commands::zcount),
    in(from_7_0, row("zdiff", -3, read_only, no_keys, commands::zdiff)),
    in(from_7_0, row("zdiffstore", -4, write | deny_oom, one_key, commands::zdiffstore)),
    row("zincrby", 4, growing_write, one_key, commands::zincrby),
    in(from_7_0, row("zinter", -3, read_only, no_keys, commands::zinter)),
    in(from_7_0, row("zintercard", -3, read_only, no_keys, commands::zintercard)),
    row("zinterstore", -4, write | deny_oom, one_key, commands::zinterstore),
    row("zlexcount", 4, fast_read, one_key, commands::zlexcount),
    in(from_7_0, row("zmpop", -4, write, no_keys, commands::zmpop)),
    in(from_7_0, row("zmscore", -3, fast_read, one_key, commands::zmscore)),
    row("zpopmax", -2, fast_write, one_key, commands::zpopmax),
    row("zpopmin", -2, fast_write, one_key, commands::zpopmin),
    in(from_7_0, row("zrandmember", -2, read_only, one_key, commands::zrandmember)),
    row("zrange", -4, read_only, one_key, commands::zrange),
    row("zrangebylex", -4, read_only, one_key, commands::zrangebylex),
    row("zrangebyscore", -4, read_only, one_key, commands::zrangebyscore),
    in(from_7_0, row("zrangestore", -5, write | deny_oom, two_keys, commands::zrangestore)),
    in(up_to_7_0, row("zrank", 3, fast_read, one_key, commands::zrank)),
    row("zrem", -3, fast_write, one_key, commands::zrem),
    row("zremrangebylex", 4, write, one_key, commands::zremrangebylex),
    row("zremrangebyrank", 4, write, one_key, commands::zremrangebyrank),
    row("zremrangebyscore", 4, write, one_key, commands::zremrangebyscore),
    row("zrevrange", -4, read_only, one_key, commands::zrevrange),
    row("zrevrangebylex", -4, read_only, one_key, commands::zrevrangebylex),
    row("zrevrangebyscore", -4, read_only, one_key, commands::zrevrangebyscore),
    in(up_to_7_0, row("zrevrank", 3, fast_read, one_key, commands::zrevrank)),
    row("zscan", -3, read_only, one_key, commands::zscan),
    row("zscore", 3, fast_read, one_key, commands::zscore),
    in(from_7_0, row("zunion", -3, read_only, no_keys, commands::zunion)),
    row("zunionstore", -4, write | deny_oom, one_key, commands::zunionstore),
};

constexpr bool is_sorted_by_name() {
  for (std::size_t i = 1; i < command_rows.size(); ++i) {
    if (!(command_rows[i - 1].name < command_rows[i].name)) return false;
  }
  return true;
}
static_assert(is_sorted_by_name());

// The index: open addressing over a hash of the name. Built by the compiler; probes end at the
// first empty slot. A name of up to 16 letters is looked up as two numbers, in lower case, which
// takes a third of the time that it takes letter by letter: a run looks some 270 names up.
constexpr std::size_t hash_slot_count = 1024;
constexpr std::uint8_t empty_slot = 255;
static_assert(command_rows.size() < empty_slot && command_rows.size() < hash_slot_count / 4);

constexpr std::uint64_t letter_of(const char* letters, unsigned place) {
  return std::uint64_t{static_cast<unsigned char>(letters[place])} << (8 * place);
}
// Written out: the compiler makes a single load of each.
constexpr std::uint64_t four_of(const char* letters) {
  return letter_of(letters, 0) | letter_of(letters, 1) | letter_of(letters, 2) |
         letter_of(letters, 3);
}
constexpr std::uint64_t eight_of(const char* letters) {
  return four_of(letters) | letter_of(letters, 4) | letter_of(letters, 5) | letter_of(letters, 6) |
         letter_of(letters, 7);
}

/// lower_case of eight letters at once.
constexpr std::uint64_t lower_case_of_eight(std::uint64_t letters) {
  constexpr std::uint64_t each = 0x0101010101010101U;
  const std::uint64_t low_bits = letters & (each * 0x7f);
  const std::uint64_t from_a = low_bits + each * (0x80 - 'A');        // the high bit: 'A' or above
  const std::uint64_t behind_z = low_bits + each * (0x80 - 'Z' - 1);  // the high bit: above 'Z'
  return letters | ((from_a & ~behind_z & ~letters & (each * 0x80)) >> 2U);
}

/// With the name's length, all that there is to know of a name of up to 16 letters.
struct NameKey {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  friend constexpr bool operator==(const NameKey&, const NameKey&) = default;
};
constexpr std::size_t key_letters_max = 16;

constexpr NameKey key_of(std::string_view name) {
  const std::size_t size = name.size();
  const char* const letters = name.data();
  if (size >= 8) {
    return {lower_case_of_eight(eight_of(letters)),
            lower_case_of_eight(eight_of(letters + size - 8))};
  }
  if (size >= 4) {
    return {lower_case_of_eight(four_of(letters) | (four_of(letters + size - 4) << 32U)), 0};
  }
  std::uint64_t few = 0;
  for (unsigned place = 0; place < size; ++place) few |= letter_of(letters, place);
  return {lower_case_of_eight(few), 0};
}

constexpr std::size_t slot_of(const NameKey& key, std::size_t size) {
  return static_cast<std::size_t>(((key.begin ^ (key.end * 31) ^ size) * 0x9e3779b97f4a7c15U) >>
                                  54U);
}

constexpr std::array<std::uint8_t, hash_slot_count> make_index() {
  std::array<std::uint8_t, hash_slot_count> slots{};
  slots.fill(empty_slot);
  for (std::size_t i = 0; i < command_rows.size(); ++i) {
    std::size_t slot = slot_of(key_of(command_rows[i].name), command_rows[i].name.size());
    while (slots[slot] != empty_slot) slot = (slot + 1) % hash_slot_count;
    slots[slot] = static_cast<std::uint8_t>(i);
  }
  return slots;
}
constexpr std::array<std::uint8_t, hash_slot_count> index_of_names = make_index();

constexpr std::array<NameKey, command_rows.size()> make_keys() {
  std::array<NameKey, command_rows.size()> keys{};
  for (std::size_t i = 0; i < command_rows.size(); ++i) keys[i] = key_of(command_rows[i].name);
  return keys;
}
constexpr std::array<NameKey, command_rows.size()> keys_of_names = make_keys();

}  // namespace

std::span<const CommandSpec> command_table() { return command_rows; }

const CommandSpec* find_command(std::string_view name) {
  const NameKey key = key_of(name);
  for (std::size_t slot = slot_of(key, name.size()); index_of_names[slot] != empty_slot;
       slot = (slot + 1) % hash_slot_count) {
    const std::size_t place = index_of_names[slot];
    const CommandSpec& spec = command_rows[place];
    if (keys_of_names[place] != key || spec.name.size() != name.size()) continue;
    if (name.size() <= key_letters_max || equals_ignoring_case(name, spec.name)) return &spec;
  }
  return nullptr;
}

const CommandSpec* find_subcommand(const CommandSpec& command, std::string_view name) {
  for (const CommandSpec& spec : command.subcommands) {
    if (equals_ignoring_case(name, spec.name.substr(command.name.size() + 1))) return &spec;
  }
  return nullptr;
}

}  // namespace lockstep::redis
