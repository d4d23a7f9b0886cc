// How the versions of Redis and Valkey differ: said once, here.
//
// Each was measured against the real server (tools/fidelity --against). Code asks for a behaviour
// by its name, never for a version. Which versions have a command stands in its row of the command
// table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "redis/server/server_version.h"

namespace lockstep::redis {

enum class NumberFormat : std::uint8_t;

/// What a version is called and how it behaves.
struct VersionTraits {
  ServerVersion version = default_version;
  std::string_view name;              ///< as files and options have it: "valkey-8.1"
  std::string_view measured;          ///< the releases that it was compared with: "8.0.2, 8.0.6"
  std::string_view number;            ///< redis_version of INFO
  std::string_view release;           ///< HELLO's
  std::string_view server = "redis";  ///< HELLO's
  std::string_view module;            ///< the one that HELLO lists; empty: none

  NumberFormat number_format{};  ///< seventeen_digits
  /// lazyfree-lazy-… are "yes" unless the configuration says otherwise.
  bool frees_lazily = false;
  /// Requests of the stream keep their relative expiries: a replica's keys live by when it got
  /// them. (The append-only file has moments: stored_expiry.h.)
  bool replicates_relative_expiries = false;
  /// Which database the effects of a transaction or a script are for is said within it.
  bool selects_inside_multi = false;
  /// What a transaction or a script writes stands between MULTI and EXEC, even one command, and
  /// each command is sent as it is done.
  bool frames_as_it_writes = false;
  /// WAIT is for the caller's own writes; without: for all that its last command could have seen.
  bool waits_for_own_writes = false;
  /// Replicas tell what is on their disks (REPLCONF ACK … FACK …), which WAITAOF asks for.
  bool acknowledges_syncs = false;
  /// With `everysec` a write counts as synced before it is, to WAITAOF (redis/redis#13793).
  bool claims_sync_early = false;
  /// A blocked command is called anew when one of its keys is ready: it looks at all of them, in
  /// its order, and at the memory; without: it is served from that key.
  bool calls_blocked_anew = false;
  /// One that has an error, and so will not be executed, no longer counts as what it collected.
  bool forgets_broken_transactions = false;
  /// A transaction goes on collecting commands that take no memory while there is none.
  bool queues_without_memory = false;
  bool reads_hello_first = false;  ///< HELLO follows none of its options before it knows them all
  bool refuses_idle_unsubscribe = false;  ///< UNSUBSCRIBE without a subscription
  bool reads_cursors_strictly = false;    ///< SCAN refuses negative numbers and nothing at all
  bool ends_names_at_nul = false;         ///< CLIENT SETNAME does not look behind a zero byte
  bool knows_types =
      false;  ///< SCAN refuses a TYPE that is none, and looks at it before the expiry
  bool guards_smallest_integer = false;   ///< LREM and LPOS refuse it as a count
  bool names_too_long_timeouts = false;   ///< BLPOP tells them from negative ones, and WAIT
  bool names_script_subcommands = false;  ///< redis.call of one that is unknown tells its name
  bool passes_whole_numbers = false;      ///< redis.call passes them with all their digits
  /// An uncaught error of a script tells the script's SHA1.
  bool errors_tell_sha1 = true;

  bool counts_calls_when_over = false;     ///< INFO commandstats: of a blocked one, then
  bool rejects_what_is_unblocked = false;  ///< … by CLIENT UNBLOCK … ERROR; else it has failed
  bool counts_refusals = true;  ///< INFO tells of refused and failed calls, and of errors

  /// Messages to whoever publishes them come after the reply, not within it.
  bool pushes_after_reply = false;
  bool silences_pushes = false;      ///< CLIENT REPLY OFF and SKIP are for messages, too
  bool cuts_lset_index = false;      ///< LSET looks at the lower 32 bits of its index only
  bool keeps_pxat_as_spelt = false;  ///< SET … PXAT is replicated as it was called
  bool has_small_listpacks = false;  ///< OBJECT ENCODING of small lists and sets is "listpack"
  /// Small hashes and sorted sets are ziplists, to OBJECT ENCODING too; they keep scores of -0.
  bool has_ziplists = false;
  bool replicates_pops_in_small_letters = false;  ///< those of blocked BZPOPMIN and BZPOPMAX
  /// Told to end, a master serves reads until its replicas have caught up: of 7.0.
  bool waits_for_replicas_at_end = true;
  bool waits_for_caller_in_scripts = false;  ///< WAIT in a script is for its caller's own writes
  bool reads_range_ends_plainly = false;     ///< ZCOUNT k 0x10 … and blanks are refused
  bool reads_scores_plainly = false;         ///< ZADD k 0x10 … is refused
  bool reads_getex_time_first = false;   ///< GETEX refuses a bad time before it looks at the key
  bool expires_within_last_ms = false;   ///< the active expire cycle: at the moment, not after it
  bool names_expired_at_once = false;    ///< PEXPIREAT k 1 is "expired" to listeners, not "del"
  bool looks_at_memory_first = false;    ///< in a script, before it looks at what it may call
  bool names_functions_alone = false;    ///< FUNCTION LOAD's errors about a function's name
  bool replicates_script_cache = false;  ///< SCRIPT LOAD and SCRIPT FLUSH
  bool cuts_database_index = false;      ///< SELECT and SWAPDB read more than an int
  bool replicates_getset = false;        ///< … as GETSET, not SET
  /// LTRIM of nothing and SUNIONSTORE of nothing are changes, FLUSHDB of nothing is none.
  bool counts_empty_changes = false;
  bool wraps_around = false;  ///< expiries beyond the end of time and DECRBY of the smallest number
  bool scripts_see_expired_on_replicas = false;  ///< until the master deletes them
  bool cuts_timeouts = false;            ///< BLPOP q 0.001 and 0.0019: to whole ms, not up to them
  bool has_old_refusals = false;         ///< 6.0's words for what is unknown or not allowed
  bool has_old_script_errors = false;    ///< 6.0's words around the error of a script
  bool compares_in_set = false;          ///< SET … IFEQ
  bool replicates_set_as_spelt = false;  ///< "set k v PXAT …" where the caller wrote "set"
  bool has_general_zrange = true;        ///< ZRANGE … BYSCORE, BYLEX, REV and LIMIT: of 6.2
  bool has_zadd_comparisons = true;      ///< ZADD … GT and LT: of 6.2
  bool has_script_flags = true;          ///< "#!lua flags=…": of 7.0
  bool has_set_get = true;               ///< SET … GET, EXAT, PXAT: of 6.2

  // The words of errors.
  std::string_view no_such_script = "NOSCRIPT No matching script. Please use EVAL.";
  std::string_view unknown_in_script = "ERR Unknown Redis command called from script";
  std::string_view wrong_arity_in_script =
      "ERR Wrong number of args calling Redis command from script";
  std::string_view forbidden_in_script = "ERR This Redis command is not allowed from script";
  std::string_view no_arguments_in_script =
      "ERR Please specify at least one argument for this redis lib call";
  bool names_itself_to_scripts = true;        ///< redis.REDIS_VERSION
  bool offers_clock_to_scripts = false;       ///< os.clock
  std::string_view script_library = "redis";  ///< as its errors call it
  std::string_view help_of_help = "    Prints this help.";
  std::string_view no_wait_on_replicas =
      "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a "
      "replica is configured to be writable (which is not the default) writes to replicas are just "
      "local and are not propagated.";
  std::string_view bad_log_level = "ERR Invalid log level.";
  std::string_view set_repl_arguments = "one argument";
  std::string_view bad_arguments_in_script =
      "ERR Lua redis lib command arguments must be strings or integers";
};

/// By ServerVersion.
extern const std::array<VersionTraits, version_count> version_table;

[[nodiscard]] inline const VersionTraits& traits_of(ServerVersion version) {
  return version_table[static_cast<std::size_t>(version)];
}

}  // namespace lockstep::redis
