#include "search/explore/certificate.h"

#include <algorithm>
#include <string>

#include "checker/put_to_the_test.h"

namespace lockstep::search {
namespace {

using Status = PropertyCertificate::Status;

Expected expected_by(const scenario::Expectation& expect, checker::Property property) {
  const auto is_in = [property](const std::vector<checker::Property>& properties) {
    return std::find(properties.begin(), properties.end(), property) != properties.end();
  };
  if (is_in(expect.violates)) return Expected::violated;
  return is_in(expect.holds) ? Expected::holds : Expected::nothing;
}

Status status_of(checker::Property property, const Exploration& exploration,
                 const Certificate& certificate) {
  for (const Counterexample& each : certificate.found) {
    if (each.property == property) return Status::violated;
  }
  if (certificate.bounds.merging == Merging::states && !is_decided_by_states(property)) {
    return Status::undecided;
  }
  if (certificate.end != ExploreEnd::exhausted) return Status::unknown;
  return exploration.was_put_to_the_test(property) ? Status::holds : Status::untested;
}

/// Nothing broke it, in all runs.
bool has_held(const PropertyCertificate& each) {
  return each.status == Status::holds || each.status == Status::untested;
}

void complain_of(const PropertyCertificate& each, Certificate& certificate) {
  const std::string name(checker::to_string(each.property));
  if (each.expected == Expected::nothing) return;
  if (each.status == Status::undecided) {
    certificate.complaints.push_back(
        name +
        " is not decided: it depends on more of a run's past than states tell; expected "
        "--no-merging, or the scenario without it");
  } else if (each.status == Status::violated && each.expected == Expected::holds) {
    certificate.complaints.push_back(name + " was expected to hold, but it was violated");
  } else if (has_held(each) && each.expected == Expected::violated) {
    certificate.complaints.push_back(
        name + " was expected to be violated in some run, but it holds within these bounds");
  } else if (each.status == Status::untested) {
    certificate.complaints.push_back(
        name + " held, but was put to the test in none of the paths; it is where " +
        std::string(checker::what_puts_to_the_test(each.property)));
  } else if (each.status == Status::unknown) {
    certificate.complaints.push_back(name + " is unknown: not all was searched");
  }
}

OutcomeKind outcome_of(const Certificate& certificate) {
  bool is_unknown = false;
  for (const PropertyCertificate& each : certificate.properties) {
    if (each.expected == Expected::nothing) continue;
    const bool is_against = (each.status == Status::violated && each.expected == Expected::holds) ||
                            (has_held(each) && each.expected == Expected::violated);
    if (is_against) return OutcomeKind::not_as_expected;
    is_unknown |= each.status == Status::undecided || each.status == Status::unknown ||
                  each.status == Status::untested;
  }
  const bool is_partial =
      certificate.end == ExploreEnd::interrupted || certificate.end == ExploreEnd::out_of_memory;
  return is_unknown || is_partial ? OutcomeKind::unknown : OutcomeKind::as_expected;
}

std::vector<std::vector<std::string>> symmetric_client_names(
    const scenario::Scenario& scenario, const std::vector<std::uint32_t>& pairs) {
  std::vector<std::vector<std::string>> symmetric_clients;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::uint32_t first = pairs[i];
    const bool goes_on = i > 0 && pairs[i - 1] + 1 == first;
    if (!goes_on) symmetric_clients.push_back({scenario.clients[first].name});
    symmetric_clients.back().push_back(scenario.clients[first + 1].name);
  }
  return symmetric_clients;
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::holds:
      return "holds";
    case Status::untested:
      return "untested";
    case Status::violated:
      return "violated";
    case Status::undecided:
      return "undecided";
    case Status::unknown:
      return "unknown";
  }
  return "unknown";
}

Certificate certify(const scenario::Scenario& scenario, const Exploration& exploration,
                    const PathRunner& runner, ExploreEnd end) {
  Certificate certificate;
  certificate.scenario = scenario;
  certificate.bounds = exploration.plan().bounds;
  certificate.end = end;
  certificate.counts = exploration.counts();
  certificate.states = exploration.visited().size();
  certificate.hash = exploration.visited().hash();
  certificate.paths_left = exploration.paths_left();
  certificate.found = exploration.found();
  certificate.faults_max = runner.faults_max();
  certificate.menu_size = runner.menu().entries().size();
  for (const FaultMenu::Entry& entry : runner.menu().entries()) {
    if (std::find(certificate.kinds.begin(), certificate.kinds.end(), entry.fault.kind) ==
        certificate.kinds.end()) {
      certificate.kinds.push_back(entry.fault.kind);
    }
  }
  certificate.kinds_left_out = runner.menu().left_out();
  if (exploration.reduces_symmetry()) {
    certificate.symmetric_clients = symmetric_client_names(scenario, runner.symmetric_pairs());
  }
  certificate.short_ns = runner.menu().short_ns();
  certificate.long_ns = runner.menu().long_ns();
  for (const checker::Property property : runner.judged()) {
    certificate.properties.push_back({property, expected_by(scenario.expect, property),
                                      status_of(property, exploration, certificate)});
    complain_of(certificate.properties.back(), certificate);
  }
  certificate.outcome = outcome_of(certificate);
  // What was to break and did shows that the script's mistake was not in its way.
  const bool breaks_as_expected =
      certificate.outcome == OutcomeKind::as_expected && !scenario.expect.violates.empty();
  if (!exploration.first_script_failure().empty() && !breaks_as_expected) {
    if (certificate.outcome == OutcomeKind::as_expected) certificate.outcome = OutcomeKind::unknown;
    certificate.complaints.insert(
        certificate.complaints.begin(),
        "a request of the lock failed: " + exploration.first_script_failure());
  }
  if (!exploration.first_failure().empty()) {
    certificate.outcome = OutcomeKind::not_as_expected;
    certificate.complaints.push_back("the client model failed: " + exploration.first_failure());
  }
  return certificate;
}

}  // namespace lockstep::search
