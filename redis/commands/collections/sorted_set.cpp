// Sorted sets: what adds, removes and looks up single members.
#include <cmath>
#include <optional>

#include "redis/commands/collections/sorted_set_operations.h"
#include "redis/commands/commands.h"
#include "redis/protocol/doubles.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis::commands {
namespace {

using SortedSet = Call::Typed<SortedSetValue>;

struct AddOptions {
  bool only_if_absent = false;   // NX
  bool only_if_present = false;  // XX
  bool only_if_greater = false;  // GT
  bool only_if_less = false;     // LT
  bool counts_changed = false;   // CH
  bool increments = false;       // INCR
};

/// Takes a word as an option; false where it is none.
bool take_option(AddOptions& options, std::string_view word, const VersionTraits& version) {
  if (equals_ignoring_case(word, "nx")) {
    options.only_if_absent = true;
  } else if (equals_ignoring_case(word, "xx")) {
    options.only_if_present = true;
  } else if (version.has_zadd_comparisons && equals_ignoring_case(word, "gt")) {
    options.only_if_greater = true;
  } else if (version.has_zadd_comparisons && equals_ignoring_case(word, "lt")) {
    options.only_if_less = true;
  } else if (equals_ignoring_case(word, "ch")) {
    options.counts_changed = true;
  } else if (equals_ignoring_case(word, "incr")) {
    options.increments = true;
  } else {
    return false;
  }
  return true;
}

/// Why a request makes no sense, as an error's text; empty where it does.
std::string_view complaint(const AddOptions& options, std::size_t words) {
  if (words == 0 || words % 2 != 0) return "ERR syntax error";
  if (options.only_if_absent && options.only_if_present) {
    return "ERR XX and NX options at the same time are not compatible";
  }
  const bool compares = options.only_if_greater || options.only_if_less;
  if ((compares && options.only_if_absent) || (options.only_if_greater && options.only_if_less)) {
    return "ERR GT, LT, and/or NX options at the same time are not compatible";
  }
  if (options.increments && words > 2) {
    return "ERR INCR option supports a single increment-element pair";
  }
  return {};
}

enum class Outcome : std::uint8_t { none, kept, changed, added, not_a_number };

struct Addition {
  Outcome outcome = Outcome::none;
  double score = 0;  ///< what the member has now, or got as an increment; not where `none`
};

Addition add(SortedSetValue& set, std::string_view member, double score, const AddOptions& options,
             const ListpackLimits& limits) {
  const auto found = set.find(member);
  if (!found) {
    if (options.only_if_present) return {};
    set.add(member, score, limits);
    return {Outcome::added, score};
  }
  if (options.only_if_absent) return {};
  const double present = set[*found].score;
  if (options.increments) {
    score += present;
    if (std::isnan(score)) return {Outcome::not_a_number, 0};
  }
  if (options.only_if_less && score >= present) return {};
  if (options.only_if_greater && score <= present) return {};
  if (score == present) return {Outcome::kept, score};
  set.move(*found, score);
  return {Outcome::changed, score};
}

struct Additions {
  std::size_t added = 0;
  std::size_t changed = 0;
  Addition last;
};

/// Adds all pairs from a word on. REQUIRES: the scores are numbers.
Additions add_all(Call& call, SortedSetValue& set, std::size_t first, const AddOptions& options) {
  const ListpackLimits limits = listpack_limits(call);
  Additions sum;
  for (std::size_t i = first; i < call.size(); i += 2) {
    sum.last = add(set, call[i + 1], *parse_double(call[i]), options, limits);
    if (sum.last.outcome == Outcome::added) ++sum.added;
    if (sum.last.outcome == Outcome::changed) ++sum.changed;
    if (sum.last.outcome == Outcome::not_a_number) break;
  }
  if (sum.added + sum.changed > 0) call.changed(call[1], sum.added + sum.changed);
  if (set.has_had_ties()) call.server().report_lexical_order_used();
  return sum;
}

void reply_additions(Call& call, const Additions& sum, const AddOptions& options) {
  if (sum.last.outcome == Outcome::not_a_number) {
    call.reply().error("ERR resulting score is not a number (NaN)");
  } else if (!options.increments) {
    const std::size_t count = sum.added + (options.counts_changed ? sum.changed : 0);
    call.reply().integer(static_cast<std::int64_t>(count));
  } else if (sum.last.outcome == Outcome::none) {
    call.reply().null_bulk();
  } else {
    call.reply().real(sum.last.score);
  }
}

// Redis reads options in ZINCRBY too: `ZINCRBY key NX member` is a syntax error.
void add_pairs(Call& call, AddOptions options) {
  std::size_t first = 2;
  while (first < call.size() && take_option(options, call[first], call.server().version())) ++first;
  if (const std::string_view why = complaint(options, call.size() - first); !why.empty()) {
    return call.reply().error(why);
  }
  const NumberSpelling spelling = score_spelling(call);
  for (std::size_t i = first; i < call.size(); i += 2) {
    if (!parse_double(call[i], spelling))
      return call.reply().error("ERR value is not a valid float");
  }
  const SortedSet found = call.lookup_as<SortedSetValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr && options.only_if_present) return reply_additions(call, {}, options);
  SortedSetValue& set = found.value != nullptr
                            ? *found.value
                            : create_sorted_set(call, call[1], call.words().subspan(first));
  reply_additions(call, add_all(call, set, first, options), options);
}

enum class From : std::uint8_t { lowest, highest };

/// ZRANK key member [WITHSCORE], the last from 7.2 on.
void reply_rank(Call& call, From from) {
  const bool with_score = call.size() == 4;
  if (with_score && !equals_ignoring_case(call[3], "withscore")) return call.reply_syntax_error();
  const auto reply_nothing = [&] {
    if (with_score) return call.reply().null_array();
    call.reply().null_bulk();
  };
  const SortedSet found = call.lookup_as<SortedSetValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr) return reply_nothing();
  const auto item = found.value->find(call[2]);
  if (!item) return reply_nothing();
  const std::size_t rank = found.value->rank_of(*item);
  if (with_score) call.reply().array(2);
  call.reply().integer(
      static_cast<std::int64_t>(from == From::lowest ? rank : found.value->size() - 1 - rank));
  if (with_score) call.reply().real((*found.value)[*item].score);
}

void reply_score(Call& call, const SortedSetValue* set, std::string_view member) {
  const auto item = set == nullptr ? std::nullopt : set->find(member);
  if (item) {
    call.reply().real((*set)[*item].score);
  } else {
    call.reply().null_bulk();
  }
}

}  // namespace

void zadd(Call& call) { add_pairs(call, {}); }

void zincrby(Call& call) {
  AddOptions options;
  options.increments = true;
  add_pairs(call, options);
}

void zrem(Call& call) {
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().integer(0);
  auto* const set = std::get_if<SortedSetValue>(&position->second.value);
  if (set == nullptr) return call.reply_wrong_type();
  std::uint64_t deleted = 0;
  for (const std::string_view member : call.words().subspan(2)) {
    const auto item = set->find(member);
    if (!item) continue;
    set->erase(*item);
    ++deleted;
  }
  if (set->size() == 0) call.keys().erase(position);
  if (deleted > 0) call.changed(call[1], deleted);
  call.reply().integer(static_cast<std::int64_t>(deleted));
}

void zcard(Call& call) {
  const SortedSet found = call.lookup_as<SortedSetValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().integer(found.value == nullptr ? 0 : static_cast<std::int64_t>(found.value->size()));
}

void zscore(Call& call) {
  const SortedSet found = call.lookup_as<SortedSetValue>(call[1]);
  if (!found.wrong_type) reply_score(call, found.value, call[2]);
}

void zmscore(Call& call) {
  const SortedSet found = call.lookup_as<SortedSetValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().array(call.size() - 2);
  for (const std::string_view member : call.words().subspan(2)) {
    reply_score(call, found.value, member);
  }
}

void zrank(Call& call) { reply_rank(call, From::lowest); }
void zrevrank(Call& call) { reply_rank(call, From::highest); }

}  // namespace lockstep::redis::commands
