// HRANDFIELD: one field, several different ones, or a number of draws.
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "redis/commands/collections/hash_fields.h"
#include "redis/commands/commands.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

enum class Show : std::uint8_t { fields, fields_and_values };

/// Indices of fields: so many different ones, or where the count is negative so many draws.
std::vector<std::size_t> drawn(Call& call, std::int64_t count, std::size_t size) {
  std::vector<std::size_t> indices;
  if (count < 0) {
    for (; count < 0; ++count) indices.push_back(call.server().random_below(size));
    return indices;
  }
  indices.resize(size);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const std::size_t wanted = std::min(size, static_cast<std::size_t>(count));
  if (wanted < size) {
    for (std::size_t i = 0; i < wanted; ++i) {
      std::swap(indices[i], indices[i + call.server().random_below(size - i)]);
    }
  }
  indices.resize(wanted);
  return indices;
}

/// Those whose time is not over, where fields expire at all; else none.
std::vector<HashValue::Field> living_fields(Call& call, const HashValue& hash) {
  std::vector<HashValue::Field> living;
  if (!hash.has_expiries()) return living;
  for (const HashValue::Field& field : hash.fields()) {
    if (!is_over(call, hash, field.first)) living.push_back(field);
  }
  return living;
}

void reply_drawn(Call& call, std::int64_t count, Show show) {
  const auto found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr || count == 0) return call.reply().array(0);
  // Redis would go on until its memory ends.
  constexpr std::int64_t draws_max = 10'000'000;
  if (count < -draws_max) return call.reply().error("ERR value is out of range");
  const std::vector<HashValue::Field> living = living_fields(call, *found.value);
  const auto fields =
      living.empty() ? found.value->fields() : std::span<const HashValue::Field>(living);
  if (living.empty() && found.value->has_expiries()) return call.reply().array(0);
  const std::vector<std::size_t> indices = drawn(call, count, fields.size());
  const bool has_values = show == Show::fields_and_values;
  const bool has_pairs = has_values && call.reply().protocol() == Protocol::resp3;
  call.reply().array(indices.size() * (has_values && !has_pairs ? 2 : 1));
  for (const std::size_t index : indices) {
    if (has_pairs) call.reply().array(2);
    call.reply().bulk(fields[index].first);
    if (has_values) call.reply().bulk(fields[index].second);
  }
}

}  // namespace

void hrandfield(Call& call) {
  if (call.size() == 2) {
    const auto found = call.lookup_as<HashValue>(call[1]);
    if (found.wrong_type) return;
    if (found.value == nullptr) return call.reply().null_bulk();
    if (found.value->has_expiries()) {
      const std::vector<HashValue::Field> living = living_fields(call, *found.value);
      if (living.empty()) return call.reply().null_bulk();
      return call.reply().bulk(living[call.server().random_below(living.size())].first);
    }
    const std::size_t index = call.server().random_below(found.value->size());
    return call.reply().bulk(found.value->fields()[index].first);
  }
  const std::optional<std::int64_t> count = call.integer(2);
  if (!count) return;
  constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  if (*count < -limit) {
    return call.reply().error(
        "ERR value is out of range, value must between -9223372036854775807 and "
        "9223372036854775807");
  }
  const bool has_values = call.size() == 4 && equals_ignoring_case(call[3], "withvalues");
  if (call.size() > 4 || (call.size() == 4 && !has_values)) return call.reply_syntax_error();
  if (has_values && (*count < -(limit / 2) || *count > limit / 2)) {
    return call.reply().error("ERR value is out of range");
  }
  reply_drawn(call, *count, has_values ? Show::fields_and_values : Show::fields);
}

}  // namespace lockstep::redis::commands
