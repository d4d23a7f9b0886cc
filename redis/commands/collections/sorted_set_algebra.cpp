// Unions, intersections and differences of sorted sets, and of sets as sorted sets of score 1:
// replied, counted or stored.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "redis/commands/collections/sorted_set_operations.h"
#include "redis/commands/collections/stored_result.h"
#include "redis/commands/commands.h"
#include "redis/protocol/doubles.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"
#include "redis/values/value_text.h"

namespace lockstep::redis::commands {
namespace {

enum class AlgebraOperation : std::uint8_t { unite, intersect, subtract };
enum class AlgebraPurpose : std::uint8_t { reply, store, count };
enum class Aggregate : std::uint8_t { sum, min, max };

/// One of the sets: of either kind, or neither where the key does not exist.
struct AlgebraSource {
  const SortedSetValue* sorted = nullptr;
  const SetValue* plain = nullptr;
  double weight = 1;

  [[nodiscard]] std::size_t size() const {
    if (sorted != nullptr) return sorted->size();
    return plain == nullptr ? 0 : plain->size();
  }
  [[nodiscard]] std::optional<double> score_of(std::string_view member) const {
    if (sorted == nullptr) {
      const bool is_there = plain != nullptr && plain->contains(member);
      return is_there ? std::optional<double>(1) : std::nullopt;
    }
    const auto id = sorted->find(member);
    return id ? std::optional<double>((*sorted)[*id].score) : std::nullopt;
  }
  template <class Visit>
  void visit(Visit visit) const {
    if (plain != nullptr) plain->visit([&](std::string_view member) { visit(member, 1.0); });
    if (sorted == nullptr) return;
    sorted->visit(0, sorted->size(), Direction::forward,
                  [&](const SortedSetValue::Item& item) { visit(item.member, item.score); });
  }
};

struct AlgebraRequest {
  std::vector<AlgebraSource> sources;
  Aggregate aggregate = Aggregate::sum;
  Scores scores = Scores::without;
  std::size_t limit = 0;  ///< of a count; 0: none
};

using AlgebraMembers = std::map<std::string, double, std::less<>>;

std::optional<std::vector<AlgebraSource>> find_sources(Call& call, std::size_t first,
                                                       std::size_t count) {
  std::vector<AlgebraSource> sources;
  for (std::size_t i = first; i < first + count; ++i) {
    const Entry* const entry = call.lookup(call[i]);
    AlgebraSource source;
    if (entry != nullptr) {
      source.sorted = std::get_if<SortedSetValue>(&entry->value);
      source.plain = std::get_if<SetValue>(&entry->value);
      if (source.sorted == nullptr && source.plain == nullptr) {
        call.reply_wrong_type();
        return std::nullopt;
      }
    }
    sources.push_back(source);
  }
  return sources;
}

/// Reads so many weights from a word on; where one is none, replies so and returns false.
bool read_weights(Call& call, std::size_t index, std::vector<AlgebraSource>& sources) {
  for (AlgebraSource& source : sources) {
    const std::optional<double> weight = parse_double(call[index++], score_spelling(call));
    if (!weight) {
      call.reply().error("ERR weight value is not a float");
      return false;
    }
    source.weight = *weight;
  }
  return true;
}

std::optional<Aggregate> aggregate_named(std::string_view word) {
  if (equals_ignoring_case(word, "sum")) return Aggregate::sum;
  if (equals_ignoring_case(word, "min")) return Aggregate::min;
  if (equals_ignoring_case(word, "max")) return Aggregate::max;
  return std::nullopt;
}

bool read_limit(Call& call, std::string_view word, AlgebraRequest& request) {
  const std::optional<std::int64_t> limit = parse_integer(word);
  if (!limit || *limit < 0) {
    call.reply().error("ERR LIMIT can't be negative");
    return false;
  }
  request.limit = static_cast<std::size_t>(*limit);
  return true;
}

/// Reads the words after the keys; replies and returns false where they make no sense.
bool read_options(Call& call, std::size_t index, AlgebraOperation operation, AlgebraPurpose purpose,
                  AlgebraRequest& request) {
  const bool combines = operation != AlgebraOperation::subtract && purpose != AlgebraPurpose::count;
  while (index < call.size()) {
    const std::string_view word = call[index];
    const std::size_t more = call.size() - index - 1;
    if (combines && more >= request.sources.size() && equals_ignoring_case(word, "weights")) {
      if (!read_weights(call, index + 1, request.sources)) return false;
      index += 1 + request.sources.size();
    } else if (combines && more >= 1 && equals_ignoring_case(word, "aggregate")) {
      const std::optional<Aggregate> aggregate = aggregate_named(call[index + 1]);
      if (!aggregate) {
        call.reply_syntax_error();
        return false;
      }
      request.aggregate = *aggregate;
      index += 2;
    } else if (purpose == AlgebraPurpose::reply && equals_ignoring_case(word, "withscores")) {
      request.scores = Scores::with;
      ++index;
    } else if (purpose == AlgebraPurpose::count && more >= 1 &&
               equals_ignoring_case(word, "limit")) {
      if (!read_limit(call, call[index + 1], request)) return false;
      index += 2;
    } else {
      call.reply_syntax_error();
      return false;
    }
  }
  return true;
}

/// Reads `numkeys key … options` from a word on; replies and returns nothing where it makes no
/// sense.
std::optional<AlgebraRequest> read_request(Call& call, AlgebraOperation operation,
                                           AlgebraPurpose purpose) {
  const std::size_t count_word = purpose == AlgebraPurpose::store ? 2 : 1;
  const std::optional<std::int64_t> count = call.integer(count_word);
  if (!count) return std::nullopt;
  if (*count < 1) {
    call.refuse("ERR at least 1 input key is needed for '" + std::string(call.spec().name) +
                "' command");
    return std::nullopt;
  }
  const std::size_t first = count_word + 1;
  if (static_cast<std::uint64_t>(*count) > call.size() - first) {
    call.reply_syntax_error();
    return std::nullopt;
  }
  const auto keys = static_cast<std::size_t>(*count);
  std::optional<std::vector<AlgebraSource>> sources = find_sources(call, first, keys);
  if (!sources) return std::nullopt;
  AlgebraRequest request;
  request.sources = std::move(*sources);
  if (!read_options(call, first + keys, operation, purpose, request)) return std::nullopt;
  if (operation != AlgebraOperation::subtract) {  // sums of floats depend on the order
    std::stable_sort(
        request.sources.begin(), request.sources.end(),
        [](const AlgebraSource& a, const AlgebraSource& b) { return a.size() < b.size(); });
  }
  return request;
}

double number_or_zero(double score) { return std::isnan(score) ? 0 : score; }

double combined(Aggregate aggregate, double so_far, double score) {
  switch (aggregate) {
    case Aggregate::sum:
      return number_or_zero(so_far + score);
    case Aggregate::min:
      return score < so_far ? score : so_far;
    case Aggregate::max:
      break;
  }
  return score > so_far ? score : so_far;
}

AlgebraMembers union_of(const AlgebraRequest& request) {
  AlgebraMembers members;
  for (const AlgebraSource& source : request.sources) {
    source.visit([&](std::string_view member, double unweighted) {
      const double score = number_or_zero(source.weight * unweighted);
      const auto found = members.find(member);
      if (found == members.end()) {
        members.emplace(member, score);
      } else {
        found->second = combined(request.aggregate, found->second, score);
      }
    });
  }
  return members;
}

/// Calls back with the members of all sources and their scores, until it returns false.
template <class Visit>
void intersect(const AlgebraRequest& request, Visit visit) {
  const AlgebraSource& smallest = request.sources[0];
  bool goes_on = true;
  smallest.visit([&](std::string_view member, double unweighted) {
    if (!goes_on) return;
    double score = number_or_zero(smallest.weight * unweighted);
    for (std::size_t i = 1; i < request.sources.size(); ++i) {
      const AlgebraSource& other = request.sources[i];
      const std::optional<double> found = other.score_of(member);
      if (!found) return;
      score = combined(request.aggregate, score, *found * other.weight);
    }
    goes_on = visit(member, score);
  });
}

AlgebraMembers intersection_of(const AlgebraRequest& request) {
  AlgebraMembers members;
  intersect(request, [&](std::string_view member, double score) {
    members.emplace(member, score);
    return true;
  });
  return members;
}

AlgebraMembers difference_of(const AlgebraRequest& request) {
  AlgebraMembers members;
  request.sources[0].visit([&](std::string_view member, double score) {
    const auto is_in = [&](const AlgebraSource& other) {
      return other.score_of(member).has_value();
    };
    if (std::none_of(request.sources.begin() + 1, request.sources.end(), is_in)) {
      members.emplace(member, score);
    }
  });
  return members;
}

AlgebraMembers members_of(const AlgebraRequest& request, AlgebraOperation operation) {
  switch (operation) {
    case AlgebraOperation::unite:
      return union_of(request);
    case AlgebraOperation::intersect:
      return intersection_of(request);
    case AlgebraOperation::subtract:
      break;
  }
  return difference_of(request);
}

/// Redis works with a skiplist, and makes a listpack of it only where it is stored.
bool fits_into_listpack(const AlgebraMembers& members, const ListpackLimits& limits) {
  return static_cast<std::int64_t>(members.size()) <= limits.entries_max &&
         std::all_of(members.begin(), members.end(),
                     [&](const auto& each) { return each.first.size() <= limits.bytes_max; });
}

SortedSetValue sorted_set_of(const AlgebraMembers& members, const ListpackLimits& limits,
                             bool is_stored) {
  SortedSetValue set;
  if (!is_stored || !fits_into_listpack(members, limits)) set.leave_listpack();
  for (const auto& [member, score] : members) set.add(member, score, limits);
  return set;
}

void combine(Call& call, AlgebraOperation operation, AlgebraPurpose purpose) {
  const std::optional<AlgebraRequest> request = read_request(call, operation, purpose);
  if (!request) return;
  SortedSetValue result = sorted_set_of(members_of(*request, operation), listpack_limits(call),
                                        purpose == AlgebraPurpose::store);
  if (result.has_had_ties()) call.server().report_lexical_order_used();
  if (purpose == AlgebraPurpose::store) return store_result(call, call[1], std::move(result));
  open_items(call.reply(), result.size(), request->scores);
  result.visit(0, result.size(), Direction::forward, [&](const SortedSetValue::Item& item) {
    write_item(call.reply(), item, request->scores);
  });
}

}  // namespace

void zunion(Call& call) { combine(call, AlgebraOperation::unite, AlgebraPurpose::reply); }
void zinter(Call& call) { combine(call, AlgebraOperation::intersect, AlgebraPurpose::reply); }
void zdiff(Call& call) { combine(call, AlgebraOperation::subtract, AlgebraPurpose::reply); }
void zunionstore(Call& call) { combine(call, AlgebraOperation::unite, AlgebraPurpose::store); }
void zinterstore(Call& call) { combine(call, AlgebraOperation::intersect, AlgebraPurpose::store); }
void zdiffstore(Call& call) { combine(call, AlgebraOperation::subtract, AlgebraPurpose::store); }

void zintercard(Call& call) {
  const auto request = read_request(call, AlgebraOperation::intersect, AlgebraPurpose::count);
  if (!request) return;
  std::size_t count = 0;
  intersect(*request, [&](std::string_view, double) { return ++count != request->limit; });
  call.reply().integer(static_cast<std::int64_t>(count));
}

}  // namespace lockstep::redis::commands
