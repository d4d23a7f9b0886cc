#include "search/smaller_work.h"

#include <algorithm>

#include "model/scenario/accepted.h"
#include "model/scenario/step_forms.h"
#include "model/scenario/steps.h"

namespace lockstep::search {
namespace {

bool is_closed_sleep(const model::Step& step) {
  return step.kind == model::StepKind::sleep && !step.is_open();
}

void join_sleeps(std::vector<model::Step>& steps) {
  for (std::size_t i = steps.size(); i-- > 1;) {
    if (!is_closed_sleep(steps[i]) || !is_closed_sleep(steps[i - 1])) continue;
    steps[i - 1].duration_ns += steps[i].duration_ns;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

std::vector<sim::DurationNs> rounder_than(sim::DurationNs duration_ns) {
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

model::Edited with_first_client(const model::Scenario& scenario, std::size_t first,
                                const std::optional<sim::Latency>& latency) {
  constexpr sim::DurationNs later_ns = 10 * sim::millisecond_ns;
  model::Scenario candidate = scenario;
  for (std::size_t i = 0; i < candidate.clients.size(); ++i) {
    model::ClientSpec& client = candidate.clients[i];
    if (first == candidate.clients.size()) break;
    client.start_ns_max.reset();
    client.start_ns = i == first ? 0 : std::max(client.start_ns, later_ns);
  }
  const model::Edited placed = model::accepted(candidate);
  return placed && latency ? model::with_latency(*placed, *latency) : placed;
}

std::vector<std::size_t> begins_of_holds(const std::vector<model::Step>& steps) {
  std::vector<std::size_t> begins;
  std::size_t until = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i >= until) begins.push_back(i);
    if (model::form_of(steps[i].kind).role != model::StepRole::takes) continue;
    until = std::max(until, model::matching_release(steps, i).end);
  }
  return begins;
}

model::Edited with_tidy_work(const model::Scenario& scenario) {
  model::Scenario tidy = scenario;
  for (model::ClientSpec& client : tidy.clients) {
    for (model::ThreadSpec& thread : client.threads) join_sleeps(thread.steps);
    std::vector<model::Step>& steps = client.threads.front().steps;
    const bool may_start_later =
        client.threads.size() == 1 && client.rounds == 1 && !client.start_ns_max;
    if (!may_start_later || steps.size() < 2 || !is_closed_sleep(steps.front())) continue;
    client.start_ns += steps.front().duration_ns;
    steps.erase(steps.begin());
  }
  return model::accepted(tidy);
}

std::vector<sim::DurationNs*> durations_of_work(model::Scenario& scenario) {
  std::vector<sim::DurationNs*> durations;
  for (model::ClientSpec& client : scenario.clients) {
    if (!client.start_ns_max) durations.push_back(&client.start_ns);
    for (model::ThreadSpec& thread : client.threads) {
      for (model::Step& step : thread.steps) {
        if (is_closed_sleep(step)) durations.push_back(&step.duration_ns);
      }
    }
  }
  return durations;
}

}  // namespace lockstep::search
