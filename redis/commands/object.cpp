// OBJECT: how Redis would keep a value, and how often it would share it. Not covered: IDLETIME, as
// nothing here notes when a key was last used.
#include <array>
#include <string>

#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis::commands {
namespace {

bool is_kept_as_integer(const Entry& entry) {
  const auto* const text = std::get_if<std::string>(&entry.value);
  return text != nullptr && entry.form == StringEncoding::natural && parse_integer(*text);
}

std::string_view encoding_of(const VersionTraits& /*version*/, const Entry& entry,
                             const std::string& text) {
  constexpr std::size_t embedded_bytes_max = 44;
  if (is_kept_as_integer(entry)) return "int";
  const bool is_raw = entry.form == StringEncoding::raw || text.size() > embedded_bytes_max;
  return is_raw ? "raw" : "embstr";
}

std::string_view packed(const VersionTraits& version) {
  return version.has_ziplists ? "ziplist" : "listpack";
}

std::string_view encoding_of(const VersionTraits& version, const Entry& /*entry*/,
                             const HashValue& hash) {
  if (hash.is_table() || (hash.has_expiries() && version.server == "valkey")) return "hashtable";
  return hash.has_expiries() ? "listpackex" : packed(version);
}

// Of what is there now: a list or set that was larger once may be kept in another form still.
std::string_view encoding_of(const VersionTraits& version, const Entry& /*entry*/,
                             const ListValue& list) {
  constexpr std::size_t listpack_bytes_max = 8192;
  constexpr std::size_t item_overhead = 2;
  std::size_t bytes = 0;
  for (std::size_t i = 0; version.has_small_listpacks && i < list.size(); ++i) {
    bytes += list[i].size() + item_overhead;
    if (bytes > listpack_bytes_max) return "quicklist";
  }
  return version.has_small_listpacks ? "listpack" : "quicklist";
}

std::string_view encoding_of(const VersionTraits& version, const Entry& /*entry*/,
                             const SetValue& set) {
  constexpr std::size_t members_max = 128;
  constexpr std::size_t bytes_max = 64;
  if (set.is_intset()) return "intset";
  bool is_small = version.has_small_listpacks && set.size() <= members_max;
  for (std::size_t i = 0; is_small && i < set.size(); ++i) {
    is_small = set.at(i).view().size() <= bytes_max;
  }
  return is_small ? "listpack" : "hashtable";
}

std::string_view encoding_of(const VersionTraits& version, const Entry& /*entry*/,
                             const SortedSetValue& set) {
  return set.is_listpack() ? packed(version) : "skiplist";
}

/// The entry of the call's key; null where there is none, the reply is given then.
const Entry* entry_of(Call& call) {
  const Entry* const entry = call.lookup(call[2]);
  if (entry == nullptr) call.reply().null_bulk();
  return entry;
}

}  // namespace

void object_encoding(Call& call) {
  const Entry* const entry = entry_of(call);
  if (entry == nullptr) return;
  const VersionTraits& version = call.server().version();
  call.reply().bulk(std::visit(
      [&](const auto& value) { return encoding_of(version, *entry, value); }, entry->value));
}

// Small integers are shared, for ever.
void object_refcount(Call& call) {
  constexpr std::int64_t shared_end = 10'000;
  constexpr std::int64_t for_ever = 2'147'483'647;
  const Entry* const entry = entry_of(call);
  if (entry == nullptr) return;
  bool is_shared = false;
  if (is_kept_as_integer(*entry)) {
    const std::int64_t number = *parse_integer(std::get<std::string>(entry->value));
    is_shared = number >= 0 && number < shared_end;
  }
  call.reply().integer(is_shared ? for_ever : 1);
}

void object_freq(Call& call) {
  if (entry_of(call) == nullptr) return;
  call.reply().error(
      "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that "
      "when switching between policies at runtime LRU and LFU data will take some time to adjust.");
}

void object_help(Call& call) {
  constexpr std::array<std::string_view, 12> lines{
      "ENCODING <key>",
      "    Return the kind of internal representation used in order to store the value",
      "    associated with a <key>.",
      "FREQ <key>",
      "    Return the access frequency index of the <key>. The returned integer is",
      "    proportional to the logarithm of the recent access frequency of the key.",
      "IDLETIME <key>",
      "    Return the idle time of the <key>, that is the approximated number of",
      "    seconds elapsed since the last access to the key.",
      "REFCOUNT <key>",
      "    Return the number of references of the value associated with the specified",
      "    <key>.",
  };
  call.reply_help(lines);
}

}  // namespace lockstep::redis::commands
