#include "checker/properties/answers/what_was_true.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace lockstep::checker {

void WhatWasTrue::load(const Observations& observations) {
  steps_.clear();
  load_holds(observations);
  for (const Availability& each : observations.availability) {
    add_step(each.lock, no_name, Subject::available_exclusively, each.at, each.exclusive);
    add_step(each.lock, no_name, Subject::available_shared, each.at, each.shared);
  }
  for (const NumberChange& each : observations.number_changes) {
    add_step(each.lock, no_name, Subject::number, each.at, each.number);
  }
  for (const LeaseChange& each : observations.lease_changes) {
    add_step(each.lock, each.owner, Subject::lease_end, each.at, each.ends_ns);
  }
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.lock, a.owner, a.subject, a.at.order, a.place) <
           std::tuple(b.lock, b.owner, b.subject, b.at.order, b.place);
  });
}

void WhatWasTrue::add_step(NameId lock, NameId owner, Subject subject, const Moment& at,
                           std::int64_t value) {
  steps_.push_back({lock, owner, subject, at, value, static_cast<std::uint32_t>(steps_.size())});
}

void WhatWasTrue::load_holds(const Observations& observations) {
  counts_.clear();
  everybodys_.clear();
  for (const HoldChange& change : observations.hold_changes) {
    const bool shares = change.mode == HoldMode::shared;
    std::array<std::int64_t, 2>& counts = counts_.at(change.owner, change.lock);
    counts[shares ? 1 : 0] = change.count_after;
    std::int64_t& all = everybodys_.at(change.lock, no_name);
    all += change.count_after - change.count_before;
    add_step(change.lock, change.owner, shares ? Subject::shared_holds : Subject::exclusive_holds,
             change.at, change.count_after);
    add_step(change.lock, change.owner, Subject::holds, change.at, counts[0] + counts[1]);
    add_step(change.lock, no_name, Subject::anybodys_holds, change.at, all);
  }
}

/// Calls visit(from, value) for what was true as the call was invoked, and for each change until it
/// returned. What changed in the moment of the invocation counts both ways.
template <typename Visit>
void WhatWasTrue::visit_steps(const Answer& answer, NameId owner, Subject subject,
                              Visit visit) const {
  const auto key = std::tuple(answer.lock, owner, subject);
  auto step = std::partition_point(steps_.begin(), steps_.end(), [&](const Step& each) {
    return std::tuple(each.lock, each.owner, each.subject, each.at.order) <
           std::tuple_cat(key, std::tuple(answer.invoked.order));
  });
  const auto is_of_key = [&](const Step& each) {
    return std::tuple(each.lock, each.owner, each.subject) == key;
  };
  const bool has_before = step != steps_.begin() && is_of_key(*(step - 1));
  visit(answer.invoked, has_before ? (step - 1)->value : 0);
  for (; step != steps_.end() && is_of_key(*step); ++step) {
    if (answer.returned < step->at) return;
    const auto next = step + 1;
    const bool is_overwritten =
        next != steps_.end() && is_of_key(*next) && next->at.order == step->at.order;
    if (!is_overwritten) visit(step->at, step->value);
  }
}

Course WhatWasTrue::during(const Answer& answer, NameId owner, Subject subject) const {
  std::optional<Course> span;
  visit_steps(answer, owner, subject, [&](const Moment&, std::int64_t value) {
    if (!span) span = Course{value, value, value, value, false, false};
    span->sinks |= value < span->last;
    span->rises |= value > span->last;
    span->last = value;
    span->least = std::min(span->least, value);
    span->most = std::max(span->most, value);
  });
  return *span;
}

Course WhatWasTrue::holds_during(const Answer& answer) const {
  const bool is_question = answer.call == CallKind::is_held || answer.call == CallKind::hold_count;
  if (is_question) return during(answer, answer.owner, Subject::holds);
  const bool shares = answer.mode == HoldMode::shared;
  return during(answer, answer.owner, shares ? Subject::shared_holds : Subject::exclusive_holds);
}

TimeNs WhatWasTrue::latest_end(const Answer& answer) const {
  return std::max(during(answer, answer.owner, Subject::lease_end).most,
                  during(answer, no_name, Subject::lease_end).most);
}

/// Of a lock on several nodes one may then have lost it before it was given back there.
bool WhatWasTrue::runs_out(const Answer& answer) const {
  const TimeNs ends_ns = std::max(during(answer, answer.owner, Subject::lease_end).first,
                                  during(answer, no_name, Subject::lease_end).first);
  return 0 < ends_ns && ends_ns <= answer.returned.at_ns;
}

TimeNs WhatWasTrue::most_left(const Answer& answer) const {
  TimeNs most_ns = 0;
  for (const NameId owner : {answer.owner, no_name}) {
    visit_steps(answer, owner, Subject::lease_end, [&](const Moment& from, TimeNs ends_ns) {
      most_ns = std::max(most_ns, ends_ns == never_ns ? never_ns : ends_ns - from.at_ns);
    });
  }
  return most_ns;
}

TimeNs WhatWasTrue::least_left(const Answer& answer) const {
  TimeNs least_ns = never_ns;
  for (const NameId owner : {answer.owner, no_name}) {
    const Course ends = during(answer, owner, Subject::lease_end);
    if (ends.least <= 0 || ends.least == never_ns) continue;
    least_ns = std::min(least_ns, ends.least - answer.returned.at_ns);
  }
  return least_ns == never_ns ? 0 : least_ns;
}

}  // namespace lockstep::checker
