// What all have in common that tell how a hold was lost: who lost it, where and when, and the cause
// that grows. What it is that happened is theirs.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "checker/text.h"
#include "model/recorded_trace.h"
#include "reports/cause/cause.h"
#include "reports/cause/cause_facts.h"
#include "reports/text.h"

namespace lockstep::reports {

class LossTeller {
 public:
  /// REQUIRES: the hold was lost; the facts and the hold outlive this.
  LossTeller(const CauseFacts& facts, std::string owner, const HoldPeriod& hold_period)
      : facts_(facts),
        owner_(std::move(owner)),
        hold_period_(hold_period),
        event_(facts.events()[*hold_period.lost]),
        who_(brief(owner_)),
        when_(checker::milliseconds(event_.at)) {
    cause_.victim = who_;
    cause_.server = facts.actor_of(event_);
    cause_.at_ns = event_.at;
  }

 protected:
  /// Adds a sentence.
  template <typename... Values>
  void say(fmt::format_string<Values...> format, Values&&... values) {
    cause_.says.push_back(fmt::format(format, std::forward<Values>(values)...));
  }

  const CauseFacts& facts_;
  const std::string owner_;
  const HoldPeriod& hold_period_;
  const CauseFacts::Event& event_;  // the lock-changed
  const std::string who_;
  const std::string when_;
  Cause cause_;
};

}  // namespace lockstep::reports
