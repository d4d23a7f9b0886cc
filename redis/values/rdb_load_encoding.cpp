#include "redis/values/rdb_load_encoding.h"

#include <algorithm>

#include "redis/protocol/integers.h"

namespace lockstep::redis {
namespace {

void settle(std::string& /*text*/) {}

void settle(HashValue& hash) {
  const auto is_short = [](const HashValue::Field& field) {
    return field.first.size() <= HashValue::small_bytes_max &&
           field.second.size() <= HashValue::small_bytes_max;
  };
  const auto fields = hash.fields();
  const bool fits = hash.size() <= HashValue::small_fields_max &&
                    std::all_of(fields.begin(), fields.end(), is_short);
  if (!hash.is_table() || !fits) return;
  HashValue small;
  for (const auto& [field, value] : fields) small.add(field, value);
  for (const auto& [field, moment_ms] : hash.expiries()) small.set_expiry(field, moment_ms);
  hash = std::move(small);
}

void settle(ListValue& /*list*/) {}

void settle(SetValue& set) {
  const auto size = static_cast<std::int64_t>(set.size());
  if (set.is_intset() || size > SetValue::default_intset_entries_max) return;
  SetValue rebuilt;
  set.visit([&](std::string_view member) { rebuilt.add(member); });
  if (rebuilt.is_intset()) set = std::move(rebuilt);
}

void settle(SortedSetValue& set) {
  const ListpackLimits limits;
  if (set.is_listpack() || static_cast<std::int64_t>(set.size()) > limits.entries_max) return;
  SortedSetValue rebuilt;
  set.visit(0, set.size(), Direction::forward, [&](const SortedSetValue::Item& item) {
    rebuilt.add(item.member, item.score, limits);
  });
  if (rebuilt.is_listpack()) set = std::move(rebuilt);
}

}  // namespace

void apply_rdb_load_encoding(Entry& entry) {
  entry.form = StringEncoding::natural;
  std::visit([](auto& value) { settle(value); }, entry.value);
}

}  // namespace lockstep::redis
