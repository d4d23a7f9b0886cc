// SCAN and HSCAN. Redis's promise is kept: what is there all the while comes at least once. The
// order, and so the cursors, are others than its own.
#include <string>
#include <vector>

#include "redis/commands/collections/hash_fields.h"
#include "redis/commands/commands.h"
#include "redis/commands/scan_request.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"
#include "redis/values/value_text.h"

namespace lockstep::redis::commands {
namespace {

bool has_type(const Entry& entry, const ScanOptions& options) {
  return !options.type || equals_ignoring_case(*options.type, type_name(entry.value));
}

/// Whether a key is to be shown; deletes it where it is expired, unless its name is left out (or
/// its type, where types are known).
bool is_shown(Call& call, std::string_view key, const ScanOptions& options) {
  if (!options.match(key)) return false;
  if (call.server().version().knows_types) {
    const Entry* const stored = call.server().keyspace(call.session().database).stored(key);
    if (stored != nullptr && !has_type(*stored, options)) return false;
  }
  const Entry* const entry = call.lookup(key);
  return entry != nullptr && !call.is_expired(*entry) && has_type(*entry, options);
}

}  // namespace

void scan(Call& call) {
  const std::optional<std::uint64_t> cursor = read_scan_cursor(call, 1);
  if (!cursor) return;
  const std::optional<ScanOptions> options = read_scan_options(call, 2, ScanOf::keys);
  if (!options) return;
  ScanOrder::Part part = call.keys().scan_order().part(*cursor, options->count);
  std::erase_if(part.keys, [&](const std::string& key) { return !is_shown(call, key, *options); });
  reply_scan(call, part.next, part.keys);
}

// In a table a field that is deleted gives its place to the last one, so that none moves from those
// to come to those past.
void hscan(Call& call) {
  const std::optional<std::uint64_t> cursor = read_scan_cursor(call, 2);
  if (!cursor) return;
  const auto found = call.lookup_as<HashValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr) return reply_scan(call, 0, {});
  const std::optional<ScanOptions> options = read_scan_options(call, 3);
  if (!options) return;
  const auto fields = found.value->fields();
  ScanStep step{0, fields.size()};
  if (found.value->is_table()) step = scan_step(*cursor, options->count, fields.size());
  std::vector<std::string> items;
  for (const auto& [field, value] : fields.subspan(step.first, step.last - step.first)) {
    if (!options->match(field) || is_over(call, *found.value, field)) continue;
    items.push_back(field);
    items.push_back(value);
  }
  reply_scan(call, step.next_cursor(), items);
}

}  // namespace lockstep::redis::commands
