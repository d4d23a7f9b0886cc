#include "search/shrink/shrink_edits.h"

#include <algorithm>

#include "scenario/revalidation.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"

namespace lockstep::search {
namespace {

bool is_closed_sleep(const scenario::Step& step) {
  return step.kind == scenario::StepKind::sleep && !step.is_open();
}

void join_sleeps(std::vector<scenario::Step>& steps) {
  for (std::size_t i = steps.size(); i-- > 1;) {
    if (!is_closed_sleep(steps[i]) || !is_closed_sleep(steps[i - 1])) continue;
    steps[i - 1].duration_ns += steps[i].duration_ns;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

std::vector<sim::DurationNs> rounder_durations(sim::DurationNs duration_ns) {
  std::vector<sim::DurationNs> candidates;
  const bool is_negative = duration_ns < 0;
  const sim::DurationNs size_ns = is_negative ? -duration_ns : duration_ns;
  sim::DurationNs digit_ns = 1;
  while (size_ns / digit_ns >= 10) digit_ns *= 10;
  for (int digits = 0; digits < 2 && digit_ns > 0; ++digits, digit_ns /= 10) {
    const sim::DurationNs below_ns = size_ns / digit_ns * digit_ns;
    for (const sim::DurationNs round_ns : {below_ns, below_ns + digit_ns}) {
      if (round_ns == size_ns) return candidates;
      candidates.push_back(is_negative ? -round_ns : round_ns);
    }
  }
  return candidates;
}

scenario::Edited with_first_client(const scenario::Scenario& scenario, std::size_t first,
                                   const std::optional<sim::Latency>& latency) {
  constexpr sim::DurationNs later_ns = 10 * sim::millisecond_ns;
  scenario::Scenario candidate = scenario;
  for (std::size_t i = 0; i < candidate.clients.size(); ++i) {
    scenario::ClientSpec& client = candidate.clients[i];
    if (first == candidate.clients.size()) break;
    client.start_ns_max.reset();
    client.start_ns = i == first ? 0 : std::max(client.start_ns, later_ns);
  }
  const scenario::Edited placed = scenario::revalidated(candidate);
  return placed && latency ? scenario::with_latency(*placed, *latency) : placed;
}

sim::Latency even_latency() { return {300 * sim::microsecond_ns, 300 * sim::microsecond_ns}; }

std::vector<scenario::Edited> settled_variants(const scenario::Scenario& scenario) {
  std::vector<scenario::Edited> variants;
  for (const std::optional<sim::Latency>& latency :
       {std::optional<sim::Latency>(), std::optional(even_latency())}) {
    for (std::size_t first = 0; first <= scenario.clients.size(); ++first) {
      variants.push_back(with_first_client(scenario, first, latency));
    }
  }
  return variants;
}

std::vector<std::size_t> hold_starts(const std::vector<scenario::Step>& steps) {
  std::vector<std::size_t> begins;
  std::size_t until = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i >= until) begins.push_back(i);
    if (scenario::form_of(steps[i].kind).role != scenario::StepRole::takes) continue;
    until = std::max(until, scenario::matching_release(steps, i).end);
  }
  return begins;
}

scenario::Edited with_merged_sleeps(const scenario::Scenario& scenario) {
  scenario::Scenario tidy = scenario;
  for (scenario::ClientSpec& client : tidy.clients) {
    for (scenario::ThreadSpec& thread : client.threads) join_sleeps(thread.steps);
    std::vector<scenario::Step>& steps = client.threads.front().steps;
    const bool has_one_round = client.rounds == 1 && !client.rounds_max;
    const bool may_start_later =
        client.threads.size() == 1 && has_one_round && !client.start_ns_max;
    if (!may_start_later || steps.size() < 2 || !is_closed_sleep(steps.front())) continue;
    client.start_ns += steps.front().duration_ns;
    steps.erase(steps.begin());
  }
  return scenario::revalidated(tidy);
}

std::vector<sim::DurationNs*> workload_durations(scenario::Scenario& scenario) {
  std::vector<sim::DurationNs*> durations;
  for (scenario::ClientSpec& client : scenario.clients) {
    if (!client.start_ns_max) durations.push_back(&client.start_ns);
    for (scenario::ThreadSpec& thread : client.threads) {
      for (scenario::Step& step : thread.steps) {
        if (is_closed_sleep(step)) durations.push_back(&step.duration_ns);
      }
    }
  }
  return durations;
}

}  // namespace lockstep::search
