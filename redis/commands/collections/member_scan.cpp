// SSCAN and ZSCAN. Like Redis they give a small set as a whole, whatever COUNT says.
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "redis/commands/commands.h"
#include "redis/commands/scan_request.h"
#include "redis/protocol/integers.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

struct ScanRequest {
  std::uint64_t cursor;
  ScanOptions options;
};

/// What both have in common: reads the request and looks the key up. Where there is nothing to
/// scan, replies and returns null.
template <class Value>
const Value* begin_scan(Call& call, ScanRequest& request) {
  const std::optional<std::uint64_t> cursor = read_scan_cursor(call, 2);
  if (!cursor) return nullptr;
  const auto found = call.lookup_as<Value>(call[1]);
  if (found.wrong_type) return nullptr;
  if (found.value == nullptr) {
    reply_scan(call, 0, {});
    return nullptr;
  }
  const std::optional<ScanOptions> options = read_scan_options(call, 3);
  if (!options) return nullptr;
  request = {*cursor, *options};
  return found.value;
}

/// A score as ZSCAN shows it: a listpack holds whole numbers as such, with all their digits; a
/// ziplist holds texts.
std::string score_text(const SortedSetValue& set, double score, NumberFormat format, bool is_text) {
  if (is_text) return std::string(RealText(score, format).view());
  constexpr double whole_max = 4611686018427387904.0;  // 2^62, Redis's bound
  if (set.is_listpack() && std::fabs(score) <= whole_max && std::trunc(score) == score) {
    return std::string(IntegerText(static_cast<std::int64_t>(score)).view());
  }
  const NumberFormat kept = set.is_listpack() ? format : NumberFormat::seventeen_digits;
  return std::string(RealText(score, kept).view());
}

}  // namespace

void sscan(Call& call) {
  ScanRequest request;
  const auto* const set = begin_scan<SetValue>(call, request);
  if (set == nullptr) return;
  std::vector<std::string> members;
  if (set->is_intset()) {
    set->visit([&](std::string_view member) {
      if (request.options.match(member)) members.emplace_back(member);
    });
    return reply_scan(call, 0, members);
  }
  const ScanStep step = scan_step(request.cursor, request.options.count, set->place_count());
  for (std::size_t place = step.first; place < step.last; ++place) {
    const std::string* const member = set->in_place(place);
    if (member != nullptr && request.options.match(*member)) members.push_back(*member);
  }
  reply_scan(call, step.next_cursor(), members);
}

void zscan(Call& call) {
  ScanRequest request;
  const auto* const set = begin_scan<SortedSetValue>(call, request);
  if (set == nullptr) return;
  std::vector<std::string> items;
  const auto take = [&](const SortedSetValue::Item& item) {
    if (!request.options.match(item.member)) return;
    items.push_back(item.member);
    items.push_back(score_text(*set, item.score, call.reply().number_format(),
                               call.server().version().has_ziplists));
  };
  if (set->is_listpack()) {
    set->visit(0, set->size(), Direction::forward, take);
    return reply_scan(call, 0, items);
  }
  const ScanStep step = scan_step(request.cursor, request.options.count, set->place_count());
  for (std::size_t place = step.first; place < step.last; ++place) {
    if (const SortedSetValue::Item* const item = set->in_place(place)) take(*item);
  }
  reply_scan(call, step.next_cursor(), items);
}

}  // namespace lockstep::redis::commands
