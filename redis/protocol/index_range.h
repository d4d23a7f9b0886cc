// A range of positions as LRANGE, LTRIM and GETRANGE take it: both ends count, negative ones from
// the end (-1 is the last), and what is beyond either end is left out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::redis {

struct IndexRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

[[nodiscard]] constexpr IndexRange index_range(std::int64_t first, std::int64_t last,
                                               std::size_t size) {
  const auto items = static_cast<std::int64_t>(size);
  if (first < 0) first = first < -items ? 0 : first + items;
  if (last < 0) last = last < -items ? -1 : last + items;
  if (last >= items) last = items - 1;
  if (first > last) return {};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1)};
}

}  // namespace lockstep::redis
