// Lists: what reads items by their place, finds them, and trims.
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "redis/commands/collections/list_operations.h"
#include "redis/commands/commands.h"
#include "redis/protocol/index_range.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"
#include "redis/values/list_value.h"

namespace lockstep::redis::commands {
namespace {

using List = Call::Typed<ListValue>;

struct Ends {
  std::int64_t first;
  std::int64_t last;
};

std::optional<Ends> read_ends(Call& call) {
  const std::optional<std::int64_t> first = call.integer(2);
  if (!first) return std::nullopt;
  const std::optional<std::int64_t> last = call.integer(3);
  if (!last) return std::nullopt;
  return Ends{*first, *last};
}

/// LPOS key item [RANK rank] [COUNT count] [MAXLEN length]
struct SearchOptions {
  std::int64_t rank = 1;
  std::optional<std::int64_t> count;
  std::int64_t length_max = 0;
};

bool read_rank(Call& call, std::string_view word, SearchOptions& options) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (!number) {
    call.reply().error(not_an_integer);
  } else if (*number == 0) {
    call.refuse(zero_rank);
  } else {
    if (refuses_smallest_integer(call, *number)) return false;
    options.rank = *number;
    return true;
  }
  return false;
}

std::optional<std::int64_t> read_not_negative(Call& call, std::string_view word,
                                              std::string_view text) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (number && *number >= 0) return number;
  const bool is_of_old = !number && call.server().version().has_old_refusals;
  call.reply().error(is_of_old ? not_an_integer : text);
  return std::nullopt;
}

std::optional<SearchOptions> read_search_options(Call& call) {
  SearchOptions options;
  for (std::size_t i = 3; i < call.size(); i += 2) {
    if (i + 1 == call.size()) {
      call.reply_syntax_error();
      return std::nullopt;
    }
    if (equals_ignoring_case(call[i], "rank")) {
      if (!read_rank(call, call[i + 1], options)) return std::nullopt;
    } else if (equals_ignoring_case(call[i], "count")) {
      options.count = read_not_negative(call, call[i + 1], "ERR COUNT can't be negative");
      if (!options.count) return std::nullopt;
    } else if (equals_ignoring_case(call[i], "maxlen")) {
      const auto length = read_not_negative(call, call[i + 1], "ERR MAXLEN can't be negative");
      if (!length) return std::nullopt;
      options.length_max = *length;
    } else {
      call.reply_syntax_error();
      return std::nullopt;
    }
  }
  return options;
}

/// The places of equal items, in the order of the search.
std::vector<std::int64_t> search(const ListValue& list, std::string_view item,
                                 const SearchOptions& options) {
  const bool is_backwards = options.rank < 0;
  // The smallest number of all has no opposite: with it Redis passes over no match and never finds
  // that it has counted enough of them.
  const bool is_smallest = options.rank == std::numeric_limits<std::int64_t>::min();
  std::int64_t to_pass = is_smallest ? 0 : is_backwards ? -options.rank - 1 : options.rank - 1;
  std::vector<std::int64_t> places;
  const std::size_t looked_at_max =
      options.length_max == 0 ? list.size()
                              : std::min(list.size(), static_cast<std::size_t>(options.length_max));
  const std::int64_t every = 0;
  const std::int64_t wanted = is_smallest && options.count ? every : options.count.value_or(1);
  for (std::size_t i = 0; i < looked_at_max; ++i) {
    const std::size_t place = is_backwards ? list.size() - 1 - i : i;
    if (list[place] != item || to_pass-- > 0) continue;
    places.push_back(static_cast<std::int64_t>(place));
    if (static_cast<std::int64_t>(places.size()) == wanted) break;
  }
  return places;
}

}  // namespace

void llen(Call& call) {
  const List found = call.lookup_as<ListValue>(call[1]);
  if (found.wrong_type) return;
  call.reply().integer(found.value == nullptr ? 0 : static_cast<std::int64_t>(found.value->size()));
}

void lindex(Call& call) {
  const List found = call.lookup_as<ListValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr) return call.reply().null_bulk();
  const std::optional<std::int64_t> number = call.integer(2);
  if (!number) return;
  const auto size = static_cast<std::int64_t>(found.value->size());
  const std::int64_t index = *number < 0 ? *number + size : *number;
  if (index < 0 || index >= size) return call.reply().null_bulk();
  call.reply().bulk((*found.value)[static_cast<std::size_t>(index)]);
}

void lrange(Call& call) {
  const std::optional<Ends> ends = read_ends(call);
  if (!ends) return;
  const List found = call.lookup_as<ListValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr) return call.reply().array(0);
  const IndexRange range = index_range(ends->first, ends->last, found.value->size());
  call.reply().array(range.count);
  for (std::size_t i = 0; i < range.count; ++i) {
    call.reply().bulk((*found.value)[range.first + i]);
  }
}

void ltrim(Call& call) {
  const std::optional<Ends> ends = read_ends(call);
  if (!ends) return;
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().status("OK");
  auto* const list = std::get_if<ListValue>(&position->second.value);
  if (list == nullptr) return call.reply_wrong_type();
  const std::size_t size = list->size();
  const IndexRange kept = index_range(ends->first, ends->last, size);
  if (kept.count == 0) {
    call.keys().erase(position);
  } else {
    list->drop_back(size - kept.first - kept.count);
    list->drop_front(kept.first);
  }
  if (kept.count < size) {
    call.changed(call[1], size - kept.count);
  } else {
    call.touched(call[1]);
    if (call.server().version().counts_empty_changes) call.force_propagation();
  }
  call.reply().status("OK");
}

void lpos(Call& call) {
  const std::optional<SearchOptions> options = read_search_options(call);
  if (!options) return;
  const List found = call.lookup_as<ListValue>(call[1]);
  if (found.wrong_type) return;
  std::vector<std::int64_t> places;
  if (found.value != nullptr) places = search(*found.value, call[2], *options);
  if (options->count) {
    call.reply().array(places.size());
    for (const std::int64_t place : places) call.reply().integer(place);
  } else if (places.empty()) {
    call.reply().null_bulk();
  } else {
    call.reply().integer(places.front());
  }
}

}  // namespace lockstep::redis::commands
