// Ranges of sorted sets, by rank, score and member: read, counted, removed, stored.
#include <optional>

#include "redis/commands/collections/sorted_set_operations.h"
#include "redis/commands/collections/stored_result.h"
#include "redis/commands/commands.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis::commands {
namespace {

using SortedSet = Call::Typed<SortedSetValue>;

enum class RangeBy : std::uint8_t { rank, score, lex };

/// What the name of a command leaves open, its words may say.
struct RangeForm {
  std::optional<RangeBy> by;
  std::optional<Direction> direction;
};

enum class Destination : std::uint8_t { reply, key };

/// A range as a request spells it: the positions it stands for need a set.
struct RangeRequest {
  RangeBy by = RangeBy::rank;
  Direction direction = Direction::forward;
  RangeLimit limit;
  Scores scores = Scores::without;
  std::int64_t first = 0;  // by rank
  std::int64_t last = 0;
  ScoreRange score;
  LexRange lex;
};

/// Reads the two ends of a range that begin at a word; replies and returns false where they are
/// none. In reverse, ranges of scores and members name their greater end first.
bool read_ends(Call& call, std::size_t index, RangeRequest& request) {
  if (request.by == RangeBy::rank) {
    const std::optional<std::int64_t> first = call.integer(index);
    if (!first) return false;
    const std::optional<std::int64_t> last = call.integer(index + 1);
    if (!last) return false;
    request.first = *first;
    request.last = *last;
    return true;
  }
  const bool is_reverse = request.direction == Direction::reverse;
  const std::string_view min = call[is_reverse ? index + 1 : index];
  const std::string_view max = call[is_reverse ? index : index + 1];
  if (request.by == RangeBy::score) {
    const std::optional<ScoreRange> range =
        parse_score_range(min, max,
                          call.server().version().reads_range_ends_plainly ? NumberSpelling::plain
                                                                           : NumberSpelling::of_c);
    if (!range) {
      call.reply().error("ERR min or max is not a float");
      return false;
    }
    request.score = *range;
    return true;
  }
  const std::optional<LexRange> range = parse_lex_range(min, max);
  if (!range) {
    call.reply().error("ERR min or max not valid string range item");
    return false;
  }
  request.lex = *range;
  call.server().report_lexical_order_used();
  return true;
}

RankRange ranks_of(const SortedSetValue& set, const RangeRequest& request) {
  switch (request.by) {
    case RangeBy::rank:
      return ranks_between(set, request.first, request.last, request.direction);
    case RangeBy::score:
      return redis::ranks_of(set, request.score, request.direction, request.limit);
    case RangeBy::lex:
      break;
  }
  return redis::ranks_of(set, request.lex, request.direction, request.limit);
}

/// Reads the words after a range; replies and returns false where they make no sense.
bool read_options(Call& call, std::size_t index, Destination destination, RangeForm form,
                  RangeRequest& request) {
  for (; index < call.size(); ++index) {
    const std::string_view word = call[index];
    if (destination == Destination::reply && equals_ignoring_case(word, "withscores")) {
      request.scores = Scores::with;
    } else if (equals_ignoring_case(word, "limit") && index + 2 < call.size()) {
      const std::optional<std::int64_t> offset = call.integer(index + 1);
      if (!offset) return false;
      const std::optional<std::int64_t> count = call.integer(index + 2);
      if (!count) return false;
      const bool counts_from_end = call.server().version().has_small_listpacks;
      request.limit = {
          *offset, *count,
          counts_from_end ? NegativeOffset::counts_from_end : NegativeOffset::leaves_nothing};
      index += 2;
    } else if (!form.direction && equals_ignoring_case(word, "rev")) {
      form.direction = Direction::reverse;
    } else if (!form.by && equals_ignoring_case(word, "bylex")) {
      form.by = RangeBy::lex;
    } else if (!form.by && equals_ignoring_case(word, "byscore")) {
      form.by = RangeBy::score;
    } else {
      call.reply_syntax_error();
      return false;
    }
  }
  request.by = form.by.value_or(RangeBy::rank);
  request.direction = form.direction.value_or(Direction::forward);
  return true;
}

/// As before 6.2: the ends are read first, and a range by rank or by members has few options.
std::optional<RangeRequest> read_old_request(Call& call, std::size_t index, const RangeForm& form) {
  const RangeForm own{form.by.value_or(RangeBy::rank), form.direction.value_or(Direction::forward)};
  RangeRequest request;
  request.by = *own.by;
  request.direction = *own.direction;
  if (!read_ends(call, index, request)) return std::nullopt;
  const auto refuse = [&call] {
    call.reply_syntax_error();
    return std::nullopt;
  };
  if (own.by == RangeBy::rank && call.size() > index + 3) return refuse();
  if (!read_options(call, index + 2, Destination::reply, own, request)) return std::nullopt;
  if (own.by == RangeBy::lex && request.scores == Scores::with) return refuse();
  return request;
}

/// Reads a request whose range begins at a word; replies and returns nothing where it makes no
/// sense.
std::optional<RangeRequest> read_request(Call& call, std::size_t index, Destination destination,
                                         const RangeForm& form) {
  if (!call.server().version().has_general_zrange) return read_old_request(call, index, form);
  RangeRequest request;
  if (!read_options(call, index + 2, destination, form, request)) return std::nullopt;
  if (request.limit.count != -1 && request.by == RangeBy::rank) {
    call.reply().error(
        "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
    return std::nullopt;
  }
  if (request.scores == Scores::with && request.by == RangeBy::lex) {
    call.reply().error("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
    return std::nullopt;
  }
  if (!read_ends(call, index, request)) return std::nullopt;
  return request;
}

void reply_range(Call& call, const RangeForm& form) {
  const auto request = read_request(call, 2, Destination::reply, form);
  if (!request) return;
  const SortedSet found = call.lookup_as<SortedSetValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr) return call.reply().array(0);
  reply_items(call, *found.value, ranks_of(*found.value, *request), request->direction,
              request->scores);
}

/// Reads the ends at words 2 and 3 of a command that has no options.
std::optional<RangeRequest> read_plain_request(Call& call, RangeBy by) {
  RangeRequest request;
  request.by = by;
  if (!read_ends(call, 2, request)) return std::nullopt;
  return request;
}

void reply_count(Call& call, RangeBy by) {
  const auto request = read_plain_request(call, by);
  if (!request) return;
  const SortedSet found = call.lookup_as<SortedSetValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().integer(found.value == nullptr
                           ? 0
                           : static_cast<std::int64_t>(ranks_of(*found.value, *request).size()));
}

void remove_range(Call& call, RangeBy by) {
  const auto request = read_plain_request(call, by);
  if (!request) return;
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().integer(0);
  const auto* const set = std::get_if<SortedSetValue>(&position->second.value);
  if (set == nullptr) return call.reply_wrong_type();
  const RankRange ranks = ranks_of(*set, *request);
  if (ranks.size() > 0) {
    erase_ranks(call, position, ranks);
    call.changed(call[1], ranks.size());
  }
  call.reply().integer(static_cast<std::int64_t>(ranks.size()));
}

constexpr RangeForm open_form{};
constexpr RangeForm form_of(RangeBy by, Direction direction) { return {by, direction}; }

}  // namespace

void zrange(Call& call) { reply_range(call, open_form); }
void zrevrange(Call& call) { reply_range(call, form_of(RangeBy::rank, Direction::reverse)); }
void zrangebyscore(Call& call) { reply_range(call, form_of(RangeBy::score, Direction::forward)); }
void zrevrangebyscore(Call& call) {
  reply_range(call, form_of(RangeBy::score, Direction::reverse));
}
void zrangebylex(Call& call) { reply_range(call, form_of(RangeBy::lex, Direction::forward)); }
void zrevrangebylex(Call& call) { reply_range(call, form_of(RangeBy::lex, Direction::reverse)); }

void zcount(Call& call) { reply_count(call, RangeBy::score); }
void zlexcount(Call& call) { reply_count(call, RangeBy::lex); }

void zremrangebyrank(Call& call) { remove_range(call, RangeBy::rank); }
void zremrangebyscore(Call& call) { remove_range(call, RangeBy::score); }
void zremrangebylex(Call& call) { remove_range(call, RangeBy::lex); }

void zrangestore(Call& call) {
  const auto request = read_request(call, 3, Destination::key, open_form);
  if (!request) return;
  const SortedSet source = call.lookup_as<SortedSetValue>(call[2]);
  if (source.wrong_type) return;
  SortedSetValue result;
  if (source.value != nullptr) {
    const ListpackLimits limits = listpack_limits(call);
    const RankRange ranks = ranks_of(*source.value, *request);
    if (static_cast<std::int64_t>(ranks.size()) > limits.entries_max) result.leave_listpack();
    source.value->visit(
        ranks.first, ranks.last, request->direction,
        [&](const SortedSetValue::Item& item) { result.add(item.member, item.score, limits); });
  }
  store_result(call, call[1], std::move(result));
}

}  // namespace lockstep::redis::commands
