#include "redis/commands/command_keys.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "redis/protocol/integers.h"

namespace lockstep::redis {

std::size_t key_count_word(const CommandSpec& spec) {
  if (spec.is(CommandFlag::runs_body | CommandFlag::runs_sha1 | CommandFlag::runs_function))
    return 2;
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), spec.name) != names.end();
  };
  if (spec.keys.first != 0 && !spec.is(CommandFlag::deny_oom)) return 0;  // what is asked most
  if (is_one_of({"blmpop", "bzmpop", "zunionstore", "zinterstore", "zdiffstore"})) return 2;
  if (is_one_of(
          {"lmpop", "zmpop", "sintercard", "zunion", "zinter", "zdiff", "zintercard", "msetex"})) {
    return 1;
  }
  return 0;
}

KeyWords key_words(const CommandSpec& spec, std::span<const std::string_view> words) {
  const std::size_t count_word = key_count_word(spec);
  if (spec.keys.first != 0 && count_word == 0) {
    const auto size = static_cast<std::int64_t>(words.size());
    const std::int64_t last = spec.keys.last < 0 ? size + spec.keys.last : spec.keys.last;
    const std::int64_t end = std::clamp(last + 1, std::int64_t{0}, size);
    return {0, static_cast<std::size_t>(spec.keys.first), static_cast<std::size_t>(end),
            static_cast<std::size_t>(spec.keys.step)};
  }
  if (count_word == 0) return {};
  const std::optional<std::int64_t> count = parse_integer(words[count_word]);
  const std::size_t first = count_word + 1;
  const auto destination = static_cast<std::size_t>(std::int64_t{spec.keys.first});
  const std::size_t step = spec.name == "msetex" ? 2 : 1;  // a value behind each
  const std::size_t keys_max = (words.size() - first) / step;
  if (!count || *count < 1 || static_cast<std::size_t>(*count) > keys_max) return {};
  return {destination, first, first + step * static_cast<std::size_t>(*count), step};
}

}  // namespace lockstep::redis
