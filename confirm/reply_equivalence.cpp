#include "confirm/reply_equivalence.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/protocol/letter_case.h"

namespace lockstep::confirm {
namespace {

constexpr std::array<std::string_view, 18> incomparable = {
    "info",        "role",    "hello",     "lastsave",    "memory", "latency",
    "slowlog",     "command", "randomkey", "srandmember", "spop",   "hrandfield",
    "zrandmember", "scan",    "hscan",     "sscan",       "zscan",  "shutdown"};

/// Subcommands that tell of what no two processes have in common.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> incomparable_parts = {
    {{"client", "id"},
     {"client", "info"},
     {"client", "list"},
     {"client", "getredir"},
     {"config", "get"},
     {"object", "idletime"},
     {"object", "freq"},
     {"script", "help"}}};

/// Those that answer in the order of a hash table, with how many elements belong together.
constexpr std::array<std::pair<std::string_view, std::size_t>, 9> unordered = {{{"keys", 1},
                                                                                {"smembers", 1},
                                                                                {"sinter", 1},
                                                                                {"sunion", 1},
                                                                                {"sdiff", 1},
                                                                                {"hkeys", 1},
                                                                                {"hvals", 1},
                                                                                {"pubsub", 1},
                                                                                {"hgetall", 2}}};

/// The reply's elements, `together` at a time, as texts in order.
std::vector<std::string> in_order(const redis::Reply& reply, std::size_t together) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < reply.elements.size(); ++i) {
    if (i % together == 0) texts.emplace_back();
    texts.back() += redis::describe(reply.elements[i]) + "\n";
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace

bool is_comparable(std::span<const std::string> words) {
  const bool is_whole = std::any_of(
      incomparable.begin(), incomparable.end(),
      [&](std::string_view name) { return redis::equals_ignoring_case(words[0], name); });
  const bool is_part =
      words.size() > 1 &&
      std::any_of(incomparable_parts.begin(), incomparable_parts.end(), [&](const auto& part) {
        return redis::equals_ignoring_case(words[0], part.first) &&
               redis::equals_ignoring_case(words[1], part.second);
      });
  return !is_whole && !is_part;
}

bool are_equivalent_replies(std::span<const std::string> words, const redis::Reply& one,
                            const redis::Reply& other) {
  if (one == other) return true;
  if (one.kind != other.kind || one.elements.size() != other.elements.size()) return false;
  for (const auto& [name, together] : unordered) {
    if (redis::equals_ignoring_case(words[0], name)) {
      return in_order(one, together) == in_order(other, together);
    }
  }
  return false;
}

}  // namespace lockstep::confirm
