#include "redis/commands/scan_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "redis/protocol/glob.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

/// As C's strtoul reads a whole text: a sign is taken, and a negative number counts from the end.
std::optional<std::uint64_t> parse_cursor(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  if (text.empty()) return 0;
  const bool is_negative = text[0] == '-';
  const std::string_view digits = text.substr(is_negative || text[0] == '+' ? 1 : 0);
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped_at, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc{} || stopped_at != end) return std::nullopt;
  return is_negative ? 0 - number : number;
}

/// As string2ull of Redis 7.2: a number as Redis writes it, not negative, or else what strtoull
/// takes, blanks before it included.
std::optional<std::uint64_t> parse_cursor_strictly(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  const std::optional<std::int64_t> plain = parse_integer(text);
  if (plain && *plain < 0) return std::nullopt;
  const std::size_t first = text.find_first_not_of(" \t\n\v\f\r");
  if (first == std::string_view::npos) return std::nullopt;
  return parse_cursor(text.substr(first));
}

bool is_type_name(std::string_view text) {
  constexpr std::array<std::string_view, 6> names{"string", "list", "set",
                                                  "zset",   "hash", "stream"};
  return std::any_of(names.begin(), names.end(),
                     [text](std::string_view name) { return equals_ignoring_case(text, name); });
}

}  // namespace

std::optional<std::uint64_t> read_scan_cursor(Call& call, std::size_t index) {
  const std::optional<std::uint64_t> cursor = call.server().version().reads_cursors_strictly
                                                  ? parse_cursor_strictly(call[index])
                                                  : parse_cursor(call[index]);
  if (!cursor) call.reply().error("ERR invalid cursor");
  return cursor;
}

bool ScanOptions::match(std::string_view text) const {
  return !pattern || *pattern == "*" || glob_matches(*pattern, text);
}

std::optional<ScanOptions> read_scan_options(Call& call, std::size_t index, ScanOf what) {
  ScanOptions options;
  for (; index < call.size(); index += 2) {
    const bool has_value = index + 1 < call.size();
    if (has_value && equals_ignoring_case(call[index], "count")) {
      const std::optional<std::int64_t> count = call.integer(index + 1);
      if (!count) return std::nullopt;
      if (*count < 1) break;
      options.count = static_cast<std::size_t>(*count);
    } else if (has_value && equals_ignoring_case(call[index], "match")) {
      options.pattern = call[index + 1];
    } else if (has_value && what == ScanOf::keys && equals_ignoring_case(call[index], "type")) {
      options.type = call[index + 1];
      if (call.server().version().knows_types && !is_type_name(call[index + 1])) {
        call.reply().error("ERR unknown type name '" + std::string(as_c_string(call[index + 1])) +
                           "'");
        return std::nullopt;
      }
    } else {
      break;
    }
  }
  if (index >= call.size()) return options;
  call.reply_syntax_error();
  return std::nullopt;
}

ScanStep scan_step(std::uint64_t cursor, std::size_t count, std::size_t places) {
  const bool goes_on = cursor > 0 && cursor < places;
  const std::size_t last = goes_on ? static_cast<std::size_t>(cursor) : places;
  return {last - std::min(count, last), last};
}

void reply_scan(Call& call, std::uint64_t next_cursor, const std::vector<std::string>& items) {
  ReplyWriter& reply = call.reply();
  reply.array(2);
  reply.bulk(IntegerText(static_cast<std::int64_t>(next_cursor)).view());
  reply.array(items.size());
  for (const std::string& item : items) reply.bulk(item);
}

}  // namespace lockstep::redis
