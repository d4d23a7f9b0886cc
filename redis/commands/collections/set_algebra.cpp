// Sets: intersections, unions and differences, replied, counted or stored; and a whole set's
// members, which Redis takes for an intersection of one.
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/commands/collections/stored_result.h"
#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

/// The sets at some keys, null where there is none.
using Sets = std::vector<const SetValue*>;

/// Looks sets up; where one key is of another type, replies so and returns nothing.
std::optional<Sets> find_sets(Call& call, std::span<const std::string_view> keys) {
  Sets sets;
  for (const std::string_view key : keys) {
    const auto found = call.lookup_as<SetValue>(key);
    if (found.wrong_type) return std::nullopt;
    sets.push_back(found.value);
  }
  return sets;
}

/// Calls back with the members of an intersection, in the order of the smallest set, until there
/// were `members_max`.
template <class Visit>
void intersect(Sets sets, std::size_t members_max, Visit visit) {
  if (std::find(sets.begin(), sets.end(), nullptr) != sets.end()) return;
  std::stable_sort(sets.begin(), sets.end(),
                   [](const SetValue* a, const SetValue* b) { return a->size() < b->size(); });
  const std::span<const SetValue* const> others = std::span(sets).subspan(1);
  std::size_t count = 0;
  sets[0]->visit([&](std::string_view member) {
    if (count == members_max) return;
    const bool is_in_all = std::all_of(others.begin(), others.end(), [&](const SetValue* other) {
      return other->contains(member);
    });
    if (!is_in_all) return;
    ++count;
    visit(member);
  });
}

constexpr std::size_t all_members = std::numeric_limits<std::size_t>::max();

/// A set that a command works out; Redis begins it as one of integers.
class Result {
 public:
  explicit Result(Call& call)
      : intset_entries_max_(call.server().config().set_max_intset_entries) {}
  void add(std::string_view member) { set_.add(member, intset_entries_max_); }
  void erase(std::string_view member) { set_.erase(member); }
  [[nodiscard]] SetValue take() { return std::move(set_); }

 private:
  SetValue set_;
  std::int64_t intset_entries_max_;
};

SetValue intersection_of(Call& call, const Sets& sets) {
  Result result(call);
  intersect(sets, all_members, [&](std::string_view member) { result.add(member); });
  return result.take();
}

SetValue union_of(Call& call, const Sets& sets) {
  Result result(call);
  for (const SetValue* const set : sets) {
    if (set != nullptr) set->visit([&](std::string_view member) { result.add(member); });
  }
  return result.take();
}

SetValue difference_of(Call& call, const Sets& sets) {
  Result result(call);
  if (sets[0] == nullptr) return result.take();
  const std::span<const SetValue* const> others = std::span(sets).subspan(1);
  sets[0]->visit([&](std::string_view member) {
    const bool is_in_another = std::any_of(
        others.begin(), others.end(),
        [&](const SetValue* other) { return other != nullptr && other->contains(member); });
    if (!is_in_another) result.add(member);
  });
  return result.take();
}

using Operation = SetValue (*)(Call&, const Sets&);

void reply_result(Call& call, Operation operation) {
  const std::optional<Sets> sets = find_sets(call, call.words().subspan(1));
  if (!sets) return;
  const SetValue result = operation(call, *sets);
  call.reply().set(result.size());
  result.visit([&](std::string_view member) { call.reply().bulk(member); });
}

void store_result_of(Call& call, Operation operation) {
  const std::optional<Sets> sets = find_sets(call, call.words().subspan(2));
  if (!sets) return;
  SetValue result = operation(call, *sets);
  if (!call.server().version().counts_empty_changes || result.size() > 0) {
    return store_result(call, call[1], std::move(result));
  }
  // An intersection with nothing that finds nothing to delete is no change, anything else is one.
  const bool is_of_nothing =
      operation == intersection_of && std::find(sets->begin(), sets->end(), nullptr) != sets->end();
  const bool was_there = call.keys().erase(call[1]);
  if (was_there) {
    call.changed(call[1]);
  } else if (!is_of_nothing) {
    call.server().signal_modified_key(call.session().database, call[1], 1);
    call.force_propagation();
  }
  call.reply().integer(0);
}

}  // namespace

void smembers(Call& call) {
  const auto found = call.lookup_as<SetValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr) return call.reply().set(0);
  call.reply().set(found.value->size());
  found.value->visit([&](std::string_view member) { call.reply().bulk(member); });
}

void sinter(Call& call) { reply_result(call, intersection_of); }
void sunion(Call& call) { reply_result(call, union_of); }
void sdiff(Call& call) { reply_result(call, difference_of); }
void sinterstore(Call& call) { store_result_of(call, intersection_of); }
void sunionstore(Call& call) { store_result_of(call, union_of); }
void sdiffstore(Call& call) { store_result_of(call, difference_of); }

void sintercard(Call& call) {
  const std::optional<std::int64_t> key_count = parse_integer(call[1]);
  if (!key_count || *key_count < 1) {
    return call.reply().error("ERR numkeys should be greater than 0");
  }
  if (static_cast<std::uint64_t>(*key_count) > call.size() - 2) {
    return call.reply().error("ERR Number of keys can't be greater than number of args");
  }
  std::int64_t limit = 0;
  for (std::size_t i = 2 + static_cast<std::size_t>(*key_count); i < call.size(); i += 2) {
    if (!equals_ignoring_case(call[i], "limit") || i + 1 == call.size()) {
      return call.reply_syntax_error();
    }
    const std::optional<std::int64_t> number = parse_integer(call[i + 1]);
    if (!number || *number < 0) return call.reply().error("ERR LIMIT can't be negative");
    limit = *number;
  }
  const auto sets = find_sets(call, call.words().subspan(2, static_cast<std::size_t>(*key_count)));
  if (!sets) return;
  std::int64_t count = 0;
  const std::size_t members_max = limit == 0 ? all_members : static_cast<std::size_t>(limit);
  intersect(*sets, members_max, [&](std::string_view) { ++count; });
  call.reply().integer(count);
}

}  // namespace lockstep::redis::commands
