// Parts of strings: GETRANGE, SUBSTR and SETRANGE.
#include <algorithm>
#include <optional>
#include <string>

#include "redis/commands/commands.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

/// The part between two positions, both included. Unlike in a list, a last position before the
/// beginning stands for the first byte, unless both count from the end the wrong way round.
std::string_view part_of(std::string_view text, std::int64_t first, std::int64_t last) {
  if (first < 0 && last < 0 && first > last) return {};
  const auto size = static_cast<std::int64_t>(text.size());
  if (first < 0) first = std::max<std::int64_t>(0, first + size);
  if (last < 0) last = std::max<std::int64_t>(0, last + size);
  last = std::min(last, size - 1);
  if (first > last) return {};
  return text.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1));
}

}  // namespace

void getrange(Call& call) {
  const std::optional<std::int64_t> first = call.integer(2);
  if (!first) return;
  const std::optional<std::int64_t> last = call.integer(3);
  if (!last) return;
  const auto found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  call.reply().bulk(found.value == nullptr ? std::string_view()
                                           : part_of(*found.value, *first, *last));
}

void setrange(Call& call) {
  constexpr std::uint64_t bytes_max = std::uint64_t{512} * 1024 * 1024;
  const std::optional<std::int64_t> offset = call.integer(2);
  if (!offset) return;
  if (*offset < 0) return call.reply().error("ERR offset is out of range");
  const auto found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  const std::string_view part = call[3];
  if (part.empty()) {
    const std::size_t size = found.value == nullptr ? 0 : found.value->size();
    return call.reply().integer(static_cast<std::int64_t>(size));
  }
  if (static_cast<std::uint64_t>(*offset) + part.size() > bytes_max) {
    return call.reply().error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  }
  Entry& entry = found.entry != nullptr ? *found.entry : call.keys().create<std::string>(call[1]);
  auto& text = std::get<std::string>(entry.value);
  const auto at = static_cast<std::size_t>(*offset);
  if (text.size() < at + part.size()) text.resize(at + part.size());
  part.copy(text.data() + at, part.size());
  entry.form = StringEncoding::raw;
  call.changed(call[1]);
  call.reply().integer(static_cast<std::int64_t>(text.size()));
}

}  // namespace lockstep::redis::commands
