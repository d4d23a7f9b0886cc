// Hostile bytes for the readers of histories: whatever they are, a history comes out or a place and
// a reason, and what comes out keeps the promises of history.h.
//
// The first byte says which format the others are taken for.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "checker/recorded/formats/read_history.h"

namespace lockstep::checker::recorded {
namespace {

void require_promise(bool holds) {
  if (!holds) std::abort();
}

void require_history(const History& history) {
  const auto is_text = [&](TextId id) {
    return id == no_text || static_cast<std::size_t>(id) < history.texts.size();
  };
  std::uint32_t before = 0;
  for (const Operation& each : history.operations) {
    require_promise(each.invoked >= before && each.invoked < history.events);
    before = each.invoked;
    const bool is_completed = each.completed != never_completed;
    require_promise(!is_completed ||
                    (each.completed > each.invoked && each.completed < history.events));
    require_promise(is_completed || each.outcome == Outcome::info);
    require_promise(each.process != no_text && each.owner != no_text);
    require_promise(is_text(each.process) && is_text(each.owner) && is_text(each.key));
    require_promise(is_text(each.argument) && is_text(each.second_argument) &&
                    is_text(each.result));
    const bool is_read = each.function == Function::read && each.outcome == Outcome::ok;
    require_promise(!is_read || each.result != no_text);
  }
}

}  // namespace
}  // namespace lockstep::checker::recorded

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockstep::checker::recorded;
  if (size < 1) return 0;
  ReadOptions options;
  if (data[0] % 4 < 3) options.format = static_cast<InputFormat>(data[0] % 4);
  std::istringstream stream(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  try {
    require_history(read_history(stream, options).history);
  } catch (const ReadError& error) {
    require_promise(error.place().line > 0 && error.place().column > 0 && error.what()[0] != 0);
  }
  return 0;
}
