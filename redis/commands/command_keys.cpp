#include "redis/commands/command_keys.h"

#include <algorithm>
#include <optional>

#include "redis/protocol/integers.h"

namespace lockstep::redis {

std::size_t key_count_word(const CommandSpec& spec) {
  if (spec.is(CommandFlag::runs_body) || spec.is(CommandFlag::runs_sha1)) return 2;
  if (spec.name == "blmpop" || spec.name == "bzmpop") return 2;
  if (spec.name == "lmpop" || spec.name == "zmpop" || spec.name == "sintercard") return 1;
  return 0;
}

KeyWords key_words(const CommandSpec& spec, std::span<const std::string_view> words) {
  if (spec.keys.first != 0) {
    const auto size = static_cast<std::int64_t>(words.size());
    const std::int64_t last = spec.keys.last < 0 ? size + spec.keys.last : spec.keys.last;
    const std::int64_t end = std::clamp(last + 1, std::int64_t{0}, size);
    return {static_cast<std::size_t>(spec.keys.first), static_cast<std::size_t>(end),
            static_cast<std::size_t>(spec.keys.step)};
  }
  const std::size_t count_word = key_count_word(spec);
  if (count_word == 0) return {};
  const std::optional<std::int64_t> count = parse_integer(words[count_word]);
  const std::size_t first = count_word + 1;
  if (!count || *count < 1 || static_cast<std::size_t>(*count) > words.size() - first) return {};
  return {first, first + static_cast<std::size_t>(*count), 1};
}

}  // namespace lockstep::redis
