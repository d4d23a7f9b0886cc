// Counting with fractions: INCRBYFLOAT and HINCRBYFLOAT. Replicas get the result, not the sum, so
// that they need not compute the same.
#include <cmath>
#include <optional>
#include <string>

#include "redis/commands/collections/hash_fields.h"
#include "redis/commands/commands.h"
#include "redis/commands/set_options.h"
#include "redis/protocol/long_double_text.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

constexpr std::string_view not_a_float = "ERR value is not a valid float";

/// The text of a sum; replies and returns nothing where it is infinite.
std::optional<std::string> sum_text(Call& call, long double a, long double b) {
  const long double sum = a + b;
  if (std::isfinite(sum)) return long_double_text(sum);
  call.reply().error("ERR increment would produce NaN or Infinity");
  return std::nullopt;
}

}  // namespace

void incrbyfloat(Call& call) {
  const auto found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  const std::optional<long double> before =
      found.value == nullptr ? 0.0L : parse_long_double(*found.value);
  if (!before) return call.reply().error(not_a_float);
  const std::optional<long double> increment = parse_long_double(call[2]);
  if (!increment) return call.reply().error(not_a_float);
  const std::optional<std::string> text = sum_text(call, *before, *increment);
  if (!text) return;
  overwrite(call, found.entry, call[1], *text).form = StringEncoding::text;
  call.changed_as(call[1], {"SET", call[1], *text, "KEEPTTL"});
  call.reply().bulk(*text);
}

void hincrbyfloat(Call& call) {
  const std::optional<long double> increment = parse_long_double(call[3]);
  if (!increment) return call.reply().error(not_a_float);
  const bool is_checked_first = !call.server().version().has_old_refusals;
  if (is_checked_first && std::isinf(*increment)) {
    return call.reply().error("ERR value is NaN or Infinity");
  }
  auto found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  if (!is_checked_first && found.value == nullptr) {  // it stays, though empty
    found.value = &std::get<HashValue>(call.keys().create<HashValue>(call[1]).value);
  }
  HashValue* const writable = without_over_to_write(call, found.value, call[2]);
  const std::string* const present = writable == nullptr ? nullptr : writable->find(call[2]);
  const std::optional<long double> before = present == nullptr ? 0.0L : parse_long_double(*present);
  if (!before) return call.reply().error("ERR hash value is not a float");
  const std::optional<std::string> text = sum_text(call, *before, *increment);
  if (!text) return;
  HashValue& hash = writable != nullptr
                        ? *writable
                        : std::get<HashValue>(call.keys().create<HashValue>(call[1]).value);
  hash.set(call[2], *text);
  const auto moment_ms = hash.has_expiries() ? hash.expiry_of(call[2]) : std::nullopt;
  if (moment_ms && call.server().version().server == "valkey") {
    const IntegerText moment_text(*moment_ms);
    call.changed_as(call[1],
                    {"HSETEX", call[1], "PXAT", moment_text.view(), "FIELDS", "1", call[2], *text});
  } else {
    call.changed_as(call[1], {"HSET", call[1], call[2], *text});
  }
  call.reply().bulk(*text);
}

}  // namespace lockstep::redis::commands
