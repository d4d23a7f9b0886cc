#include "lock_run.h"

#include <variant>

#include "checker/verdict.h"
#include "scenario/steps.h"
#include "scenario/text/located_text.h"
#include "tests/support/script_folder.h"

namespace lockstep::test {
namespace {

std::vector<scenario::Step> steps_from(std::string_view text, std::string_view lock_name) {
  std::vector<scenario::Step> steps;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string_view step = text.substr(0, end);
    while (step.starts_with(' ')) step.remove_prefix(1);
    steps.push_back(scenario::read_step({step, {"test"}, false}, lock_name));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return steps;
}

}  // namespace

std::string scripts_folder() { return support::script_folder().string(); }

void LineSink::on_event(const sim::EventView& event) {
  TraceLine line{event.at, "", std::string(event.kind), ""};
  if (event.actor != sim::no_actor) {
    line.actor = (*actors)[static_cast<std::size_t>(event.actor)].name;
  }
  for (const sim::Field& field : event.fields) {
    if (!line.fields.empty()) line.fields += ' ';
    line.fields += std::string(field.name) + "=";
    if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
      line.fields += std::to_string(*number);
    } else {
      line.fields += std::get<std::string_view>(field.value);
    }
  }
  lines.push_back(std::move(line));
}

LockRun::LockRun(std::string lock)
    : engine_(
          std::make_unique<model::Engine>(std::vector<std::filesystem::path>{scripts_folder()})) {
  scenario.path = "test.toml";
  scenario.lock = std::move(lock);
  scenario.latency = {sim::millisecond_ns, sim::millisecond_ns};
}

scenario::ClientSpec& LockRun::client(const std::string& name,
                                      const std::vector<std::string>& threads,
                                      std::uint32_t rounds) {
  scenario::ClientSpec spec;
  spec.name = name;
  spec.rounds = rounds;
  for (const std::string& steps : threads) {
    spec.threads.push_back({steps_from(steps, scenario.lock_name)});
  }
  scenario.clients.push_back(std::move(spec));
  return scenario.clients.back();
}

scenario::FaultSpec& LockRun::fault(scenario::FaultKind kind, const std::string& target) {
  scenario::FaultSpec spec;
  spec.kind = kind;
  spec.target = target;
  scenario.faults.push_back(std::move(spec));
  return scenario.faults.back();
}

scenario::FaultSpec& LockRun::message_fault(scenario::FaultKind kind, const std::string& label,
                                            std::uint32_t nth) {
  scenario::FaultSpec& spec = fault(kind, "");
  spec.message_label = label;
  spec.nth = nth;
  return spec;
}

const model::RunResult& LockRun::run(std::uint64_t seed) {
  simulation_ = engine_->prepare(scenario);
  sink_.lines.clear();
  sink_.actors = &simulation_->actors();
  sim::SeededChoices choices(seed);
  result_ = &simulation_->run(choices, &sink_);
  return *result_;
}

std::vector<TraceLine> LockRun::find(std::string_view kind, std::string_view actor,
                                     std::string_view text) const {
  std::vector<TraceLine> found;
  for (const TraceLine& line : sink_.lines) {
    if (line.kind == kind && (actor.empty() || line.actor == actor) && line.has(text)) {
      found.push_back(line);
    }
  }
  return found;
}

std::vector<std::string> LockRun::steps_of(std::string_view actor) const {
  std::vector<std::string> steps;
  for (const TraceLine& line : find("step-completed", actor)) {
    const std::size_t from = std::string_view("step=").size();
    const std::size_t outcome = line.fields.find(" outcome=");
    std::string result = line.fields.substr(outcome + std::string_view(" outcome=").size());
    steps.push_back(line.fields.substr(from, outcome - from) + ": " +
                    result.substr(0, result.find(' ')));
  }
  return steps;
}

checker::VerdictKind LockRun::verdict(checker::Property property) const {
  for (const checker::Verdict& verdict : *result_->verdicts) {
    if (verdict.property == property) return verdict.kind;
  }
  return checker::VerdictKind::unknown;
}

std::string LockRun::text() const {
  std::string text;
  for (const TraceLine& line : sink_.lines) {
    text += std::to_string(line.at_ns / sim::microsecond_ns) + "us " + line.actor + " " +
            line.kind + " " + line.fields + "\n";
  }
  return text;
}

}  // namespace lockstep::test
