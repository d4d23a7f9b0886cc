#include "redis/server/server_version.h"

#include <charconv>
#include <utility>

#include "redis/protocol/reply_writer.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {
namespace {

constexpr std::string_view redis_name = "redis-";
constexpr std::string_view valkey_name = "valkey-";

/// The number of a release, "8.0.6", as one that can be compared: 8000; nothing where it is none.
std::optional<int> comparable_number(std::string_view text) {
  int major = 0;
  int minor = 0;
  const char* const end = text.data() + text.size();
  const auto [after_major, error] = std::from_chars(text.data(), end, major);
  if (error != std::errc() || major < 0 || major > 1'000) return std::nullopt;
  if (after_major != end) {
    if (*after_major != '.') return std::nullopt;
    const auto [after_minor, minor_error] = std::from_chars(after_major + 1, end, minor);
    if (minor_error != std::errc() || minor < 0 || minor > 999) return std::nullopt;
    if (after_minor != end && *after_minor != '.') return std::nullopt;
  }
  return major * 1'000 + minor;
}

/// "valkey-8.1" is {"valkey-", 8001}; a number alone is Redis's.
std::optional<std::pair<std::string_view, int>> numbered_release(std::string_view name) {
  std::string_view product = redis_name;
  for (const std::string_view each : {redis_name, valkey_name}) {
    if (!name.starts_with(each)) continue;
    product = each;
    name.remove_prefix(each.size());
    break;
  }
  const auto number = comparable_number(name);
  if (!number) return std::nullopt;
  return std::pair(product, *number);
}

}  // namespace

namespace {

/// What Redis 7.2 changed, and Valkey took over.
constexpr VersionTraits traits_since_7_2() {
  VersionTraits traits;
  traits.number_format = NumberFormat::shortest;
  traits.selects_inside_multi = true;
  traits.waits_for_own_writes = true;
  traits.acknowledges_syncs = true;
  traits.calls_blocked_anew = true;
  traits.reads_hello_first = true;
  traits.counts_calls_when_over = true;
  traits.queues_without_memory = true;
  traits.reads_cursors_strictly = true;
  traits.ends_names_at_nul = true;
  traits.help_of_help = "    Print this help.";
  traits.guards_smallest_integer = true;
  traits.names_too_long_timeouts = true;
  traits.passes_whole_numbers = true;
  traits.pushes_after_reply = true;
  traits.cuts_lset_index = true;
  traits.keeps_pxat_as_spelt = true;
  traits.has_small_listpacks = true;
  traits.offers_clock_to_scripts = true;
  return traits;
}

constexpr VersionTraits redis_6_0_traits() {
  VersionTraits traits;
  traits.version = ServerVersion::redis_6_0;
  traits.name = "redis-6.0";
  traits.measured = traits.number = traits.release = "6.0.16";
  traits.replicates_relative_expiries = true;
  traits.frames_as_it_writes = true;
  traits.has_old_refusals = true;
  traits.silences_pushes = true;
  traits.counts_refusals = false;
  traits.has_old_script_errors = true;
  traits.has_set_get = false;
  traits.has_script_flags = false;
  traits.has_general_zrange = false;
  traits.has_zadd_comparisons = false;
  traits.has_ziplists = true;
  traits.replicates_script_cache = true;
  traits.waits_for_replicas_at_end = false;
  traits.wraps_around = true;
  traits.scripts_see_expired_on_replicas = true;
  traits.cuts_database_index = true;
  traits.replicates_getset = true;
  traits.counts_empty_changes = true;
  traits.cuts_timeouts = true;
  traits.names_itself_to_scripts = false;
  traits.replicates_pops_in_small_letters = true;
  traits.unknown_in_script = "Unknown Redis command called from Lua script";
  traits.wrong_arity_in_script = "Wrong number of args calling Redis command From Lua script";
  traits.forbidden_in_script = "This Redis command is not allowed from scripts";
  traits.no_arguments_in_script = "Please specify at least one argument for redis.call()";
  traits.bad_arguments_in_script = "Lua redis() command arguments must be strings or integers";
  traits.bad_log_level = "ERR Invalid debug level.";
  traits.set_repl_arguments = "two arguments";
  return traits;
}

constexpr VersionTraits redis_7_0_traits() {
  VersionTraits traits;
  traits.version = ServerVersion::redis_7_0;
  traits.name = "redis-7.0";
  traits.measured = traits.number = traits.release = "7.0.15";
  traits.bad_log_level = "ERR Invalid debug level.";
  traits.set_repl_arguments = "two arguments";
  return traits;
}

constexpr VersionTraits redis_8_0_traits() {
  VersionTraits traits = traits_since_7_2();
  traits.version = ServerVersion::redis_8_0;
  traits.name = "redis-8.0";
  traits.measured = "8.0.2, 8.0.6";
  traits.number = traits.release = "8.0.2";
  traits.module = "vectorset";
  traits.expires_within_last_ms = true;
  traits.reads_range_ends_plainly = true;
  return traits;
}

constexpr VersionTraits valkey_traits(ServerVersion version, std::string_view name,
                                      std::string_view measured) {
  VersionTraits traits = traits_since_7_2();
  traits.version = version;
  traits.name = name;
  traits.measured = measured;
  traits.number = "7.2.4";
  traits.release = measured;
  traits.server = "valkey";
  traits.forgets_broken_transactions = true;
  traits.frees_lazily = true;
  traits.claims_sync_early = true;
  traits.waits_for_caller_in_scripts = true;
  traits.knows_types = true;
  traits.script_library = "server";
  traits.no_arguments_in_script = "ERR Please specify at least one argument for this call";
  traits.no_such_script = "NOSCRIPT No matching script.";
  traits.no_wait_on_replicas =
      "ERR WAIT cannot be used with replica instances. Please also note that if a replica is "
      "configured to be writable (which is not the default) writes to replicas are just local and "
      "are not propagated.";
  traits.unknown_in_script = "ERR Unknown command called from script";
  traits.wrong_arity_in_script = "ERR Wrong number of args calling command from script";
  traits.bad_arguments_in_script = "ERR Command arguments must be strings or integers";
  return traits;
}

constexpr VersionTraits valkey_8_0_traits() {
  VersionTraits traits = valkey_traits(ServerVersion::valkey_8_0, "valkey-8.0", "8.0.1");
  traits.refuses_idle_unsubscribe = true;
  return traits;
}

constexpr VersionTraits valkey_8_1_traits() {
  VersionTraits traits = valkey_traits(ServerVersion::valkey_8_1, "valkey-8.1", "8.1.1");
  traits.compares_in_set = true;
  traits.names_expired_at_once = true;
  traits.names_functions_alone = true;
  return traits;
}

constexpr VersionTraits valkey_9_1_traits() {
  VersionTraits traits = valkey_traits(ServerVersion::valkey_9_1, "valkey-9.1", "9.1.2");
  traits.compares_in_set = true;
  traits.names_expired_at_once = true;
  traits.names_functions_alone = true;
  traits.errors_tell_sha1 = false;
  traits.reads_range_ends_plainly = true;
  traits.reads_scores_plainly = true;
  traits.reads_getex_time_first = true;
  traits.looks_at_memory_first = true;
  traits.module = "lua";
  traits.names_script_subcommands = true;
  traits.replicates_set_as_spelt = true;
  traits.rejects_what_is_unblocked = true;
  traits.forbidden_in_script = "ERR This Valkey command is not allowed from script";
  return traits;
}

}  // namespace

constinit const std::array<VersionTraits, version_count> version_table{
    redis_6_0_traits(),  redis_7_0_traits(),  redis_8_0_traits(),
    valkey_8_0_traits(), valkey_8_1_traits(), valkey_9_1_traits(),
};

std::string_view to_string(ServerVersion version) { return traits_of(version).name; }

std::optional<ServerVersion> find_version(std::string_view name) {
  for (const VersionTraits& each : version_table) {
    if (each.name == name ||
        (each.name.starts_with(redis_name) && each.name.substr(redis_name.size()) == name)) {
      return each.version;
    }
  }
  return std::nullopt;
}

std::optional<ServerVersion> version_of_release(std::string_view release) {
  const auto wanted = numbered_release(release);
  if (!wanted) return std::nullopt;
  for (const VersionTraits& each : version_table) {
    if (numbered_release(each.name) == wanted) return each.version;
  }
  return std::nullopt;
}

std::string versions_near(std::string_view name) {
  const VersionTraits* below = nullptr;
  const VersionTraits* above = nullptr;
  std::string all;
  const auto wanted = numbered_release(name);
  for (const VersionTraits& each : version_table) {
    all.append(all.empty() ? "" : ", ").append(each.name);
    const auto known = numbered_release(each.name);
    if (!wanted || known->first != wanted->first) continue;
    if (known->second <= wanted->second) below = &each;
    if (known->second > wanted->second && above == nullptr) above = &each;
  }
  if (below != nullptr && numbered_release(below->name) == wanted) above = nullptr;
  std::string near;
  for (const VersionTraits* each : {below, above}) {
    if (each != nullptr) near.append(near.empty() ? "" : " and ").append(each->name);
  }
  if (!near.empty())
    near = (below != nullptr && above != nullptr ? "the nearest are " : "the nearest is ") + near +
           "; ";
  return near + "there are " + all;
}

}  // namespace lockstep::redis
