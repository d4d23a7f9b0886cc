// LCS: what two strings have in common, in order.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "redis/commands/commands.h"
#include "redis/protocol/letter_case.h"

namespace lockstep::redis::commands {
namespace {

/// LCS key key [LEN] [IDX] [MINMATCHLEN length] [WITHMATCHLEN]
struct LcsOptions {
  bool length_only = false;
  bool wants_matches = false;
  bool with_lengths = false;
  std::int64_t match_length_min = 0;
};

std::optional<LcsOptions> read_lcs_options(Call& call) {
  LcsOptions options;
  for (std::size_t i = 3; i < call.size(); ++i) {
    if (equals_ignoring_case(call[i], "idx")) {
      options.wants_matches = true;
    } else if (equals_ignoring_case(call[i], "len")) {
      options.length_only = true;
    } else if (equals_ignoring_case(call[i], "withmatchlen")) {
      options.with_lengths = true;
    } else if (equals_ignoring_case(call[i], "minmatchlen") && i + 1 < call.size()) {
      const std::optional<std::int64_t> length = call.integer(++i);
      if (!length) return std::nullopt;
      options.match_length_min = *length;
    } else {
      call.reply_syntax_error();
      return std::nullopt;
    }
  }
  if (!options.wants_matches || !options.length_only) return options;
  call.reply().error("ERR If you want both the length and indexes, please just use IDX.");
  return std::nullopt;
}

/// The lengths of what the beginnings of two strings have in common.
class LengthTable {
 public:
  LengthTable(std::string_view a, std::string_view b)
      : width_(b.size() + 1), lengths_((a.size() + 1) * width_) {
    for (std::size_t i = 1; i <= a.size(); ++i) {
      for (std::size_t j = 1; j <= b.size(); ++j) {
        lengths_[i * width_ + j] =
            a[i - 1] == b[j - 1] ? at(i - 1, j - 1) + 1 : std::max(at(i - 1, j), at(i, j - 1));
      }
    }
  }
  [[nodiscard]] std::uint32_t at(std::size_t i, std::size_t j) const {
    return lengths_[i * width_ + j];
  }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> lengths_;
};

/// Equal bytes of both strings that stand together.
struct Match {
  std::size_t in_a;
  std::size_t in_b;
  std::size_t length;
};

/// The matches that make up the common part, the last first. Where two ways are as long, Redis
/// takes the one that gives up bytes of the second string.
std::vector<Match> matches_of(std::string_view a, std::string_view b, const LengthTable& table) {
  std::vector<Match> matches;
  bool is_open = false;
  for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    if (a[i - 1] == b[j - 1]) {
      --i;
      --j;
      if (!is_open) matches.push_back({i, j, 0});
      is_open = true;
      matches.back().in_a = i;
      matches.back().in_b = j;
      ++matches.back().length;
    } else {
      is_open = false;
      table.at(i - 1, j) > table.at(i, j - 1) ? --i : --j;
    }
  }
  return matches;
}

void reply_range(ReplyWriter& reply, std::size_t first, std::size_t length) {
  reply.array(2);
  reply.integer(static_cast<std::int64_t>(first));
  reply.integer(static_cast<std::int64_t>(first + length - 1));
}

void reply_matches(Call& call, std::vector<Match> matches, std::uint32_t length,
                   const LcsOptions& options) {
  std::erase_if(matches, [&](const Match& match) {
    return static_cast<std::int64_t>(match.length) < options.match_length_min;
  });
  ReplyWriter& reply = call.reply();
  reply.map(2);
  reply.bulk("matches");
  reply.array(matches.size());
  for (const Match& match : matches) {
    reply.array(options.with_lengths ? 3 : 2);
    reply_range(reply, match.in_a, match.length);
    reply_range(reply, match.in_b, match.length);
    if (options.with_lengths) reply.integer(static_cast<std::int64_t>(match.length));
  }
  reply.bulk("len");
  reply.integer(length);
}

/// The string at a key, empty where there is none; nothing where it is no string.
std::optional<std::string_view> text_at(Call& call, std::string_view key) {
  const Entry* const entry = call.lookup(key);
  if (entry == nullptr) return std::string_view();
  const auto* const text = std::get_if<std::string>(&entry->value);
  if (text == nullptr) return std::nullopt;
  return *text;
}

}  // namespace

void lcs(Call& call) {
  const std::optional<std::string_view> a = text_at(call, call[1]);
  const std::optional<std::string_view> b = text_at(call, call[2]);
  if (!a || !b) {
    return call.reply().error("ERR The specified keys must contain string values");
  }
  const std::optional<LcsOptions> options = read_lcs_options(call);
  if (!options) return;
  constexpr std::size_t table_bytes_max = std::size_t{512} * 1024 * 1024;
  if ((a->size() + 1) * (b->size() + 1) > table_bytes_max / sizeof(std::uint32_t)) {
    return call.reply().error(
        "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
  }
  const LengthTable table(*a, *b);
  const std::uint32_t length = table.at(a->size(), b->size());
  if (options->length_only) return call.reply().integer(length);
  std::vector<Match> matches = matches_of(*a, *b, table);
  if (options->wants_matches) return reply_matches(call, std::move(matches), length, *options);
  std::string common;
  for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
    common += a->substr(match->in_a, match->length);
  }
  call.reply().bulk(common);
}

}  // namespace lockstep::redis::commands
