#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using checker::milliseconds;
using Event = model::RecordedEvent;

class Steps {
 public:
  explicit Steps(const search::RunRecord& example) : example_(example), trace_(example.trace) {}

  std::vector<std::string> explain() {
    for (const checker::Verdict& verdict : example_.verdicts) {
      if (verdict.kind != checker::VerdictKind::violated) continue;
      for (const checker::Evidence& evidence : verdict.evidence) {
        if (evidence.who == checker::no_name || has_been_told(evidence.who)) continue;
        told_.push_back(evidence.who);
        explain_last_command(example_.names.text(evidence.who));
      }
    }
    return std::move(sentences_);
  }

 private:
  [[nodiscard]] bool has_been_told(checker::NameId who) const {
    return std::find(told_.begin(), told_.end(), who) != told_.end();
  }
  [[nodiscard]] std::string actor_of(const Event& event) const {
    const auto index = static_cast<std::size_t>(event.actor);
    return index < trace_.actors.size() ? brief(trace_.actors[index].name) : "?";
  }

  void explain_last_command(const std::string& who);

  const search::RunRecord& example_;
  const model::RecordedTrace& trace_;
  std::vector<checker::NameId> told_;
  std::vector<std::string> sentences_;
};

void Steps::explain_last_command(const std::string& who) {
  const auto last =
      std::find_if(trace_.events.rbegin(), trace_.events.rend(), [&](const Event& event) {
        return event.kind == kind::command_executed && event.text("on_behalf_of") == who;
      });
  if (last == trace_.events.rend()) return;
  sentences_.push_back(
      fmt::format("The last that {} asked for was {}, executed on {} at {}; the "
                  "reply was {}.",
                  brief(who), brief(last->text("label")), actor_of(*last), milliseconds(last->at),
                  brief(last->text("reply"))));
}

}  // namespace

std::vector<std::string> explain_by_steps(const search::RunRecord& example) {
  return Steps(example).explain();
}

}  // namespace lockstep::reports
