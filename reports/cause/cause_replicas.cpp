#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// "from 1 ms to 2 ms", "from 1 ms on".
std::string span_in_words(sim::TimeNs from_ns, const Event* ended) {
  return ended == nullptr
             ? fmt::format("from {} on", milliseconds(from_ns))
             : fmt::format("from {} to {}", milliseconds(from_ns), milliseconds(ended->at));
}

/// "it lagged by 2s": of a fault that keeps writes from a replica; empty: it does not.
std::string kept_back(std::string_view fault) {
  if (fault.starts_with("stall ")) return "its replication stalled";
  if (fault.starts_with("disconnect ")) return "its link was broken";
  constexpr std::string_view lag = " lag by ";
  const std::size_t at = fault.find(lag);
  if (at == std::string_view::npos) return {};
  const std::string_view by = fault.substr(at + lag.size());
  return fmt::format("it lagged by {}", brief(by.substr(0, by.find(' '))));
}

}  // namespace

bool had_reached(const CauseFacts& facts, const Event& write, std::string_view replica,
                 sim::TimeNs by_ns) {
  // What came to a replica whose replication stands still is not applied.
  const Event* applied = nullptr;
  for (const Event& event : facts.events()) {
    const bool is_its =
        (event.kind == kind::stream_applied || event.kind == kind::dataset_loaded) &&
        event.at <= by_ns && facts.actor_of(event) == replica;
    if (is_its) applied = &event;
  }
  if (applied == nullptr) return false;
  const auto& all = facts.messages().all();
  return std::any_of(all.begin(), all.end(), [&](const TraceMessage& message) {
    const Event& sent = facts.events()[message.sent];
    const bool brings_data =
        message.label == "replication" || message.label == "full synchronisation";
    return brings_data && sent.at >= write.at && sent.text("to") == replica &&
           message.fate == Fate::arrived && facts.events()[message.ended].at <= applied->at;
  });
}

std::string why_unreached(const CauseFacts& facts, std::string_view master,
                          std::string_view replica, sim::TimeNs written_ns) {
  const std::string cut = facts.cut_at(master, replica, written_ns);
  if (!cut.empty()) return fmt::format("{} was cut off from it {}", brief(master), cut);
  // In the words of the trace, which is all that is left of a saved run.
  std::map<std::int64_t, std::pair<const Event*, const Event*>> spans;  // by fault: begun, ended
  for (const Event& event : facts.events()) {
    const bool is_its = (event.kind == kind::fault_struck || event.kind == kind::fault_ended) &&
                        event.text("target") == replica;
    if (!is_its) continue;
    auto& [struck, ended] = spans[event.number("fault")];
    if (event.kind == kind::fault_ended) {
      ended = &event;
    } else if (event.at <= written_ns) {
      struck = &event;
      ended = nullptr;
    }
  }
  for (const auto& [number, span] : spans) {
    const auto& [struck, ended] = span;
    if (struck == nullptr || (ended != nullptr && ended->at < written_ns)) continue;
    const std::string how = kept_back(struck->text("what"));
    if (!how.empty()) return fmt::format("{} {}", how, span_in_words(struck->at, ended));
  }
  return {};
}

}  // namespace lockstep::reports
