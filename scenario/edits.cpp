#include "scenario/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "scenario/revalidation.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"

namespace lockstep::scenario {
namespace {

/// "a" and "a/1" for "a".
bool is_or_is_of(std::string_view name, std::string_view whose) {
  return name == whose || (name.starts_with(whose) && name.substr(whose.size()).starts_with('/'));
}

template <typename Visit>
void visit_names(FaultSpec& fault, Visit visit) {
  for (std::string* name : {&fault.target, &fault.other, &fault.message_from, &fault.message_to}) {
    visit(*name);
  }
  for (auto& group : fault.groups) std::for_each(group.begin(), group.end(), visit);
  std::for_each(fault.targets.begin(), fault.targets.end(), visit);
  if (!fault.trigger.when) return;
  visit(fault.trigger.when->actor);
  visit(fault.trigger.when->to);
  visit(fault.trigger.when->requested_by);
  visit(fault.trigger.when->detail);  // a host: whom a sentinel takes for the master
}

/// The phrase with each word replaced that is the name.
std::string renamed_words(std::string_view phrase, std::string_view name,
                          const std::string& new_name) {
  std::string text;
  for (std::size_t begin = 0; begin <= phrase.size();) {
    const std::size_t end = std::min(phrase.find(' ', begin), phrase.size());
    const std::string_view word = phrase.substr(begin, end - begin);
    text += word == name ? std::string_view(new_name) : word;
    if (end < phrase.size()) text += ' ';
    begin = end + 1;
  }
  return text;
}

/// Also where a phrase names them.
void rename_actor(Scenario& scenario, std::string_view name, const std::string& new_name) {
  const std::string old_name(name);
  const auto rename = [&](std::string& each) {
    if (each == old_name) each = new_name;
  };
  for (FaultSpec& fault : scenario.faults) visit_names(fault, rename);
  for (LinkSpec& link : scenario.links) {
    rename(link.from);
    rename(link.to);
  }
  for (NodeSpec& node : scenario.redis.nodes) rename(node.name);
  for (Sometimes& each : scenario.expect.sometimes) {
    each.text = renamed_words(each.text, old_name, new_name);
  }
}

/// Takes the name, and those of its threads, out of groups and of lists to choose from.
void remove_actor(Scenario& scenario, std::string_view name) {
  const std::string gone(name);
  const auto is_gone = [&gone](const std::string& each) { return is_or_is_of(each, gone); };
  std::erase_if(scenario.redis.nodes, [&](const NodeSpec& node) { return node.name == gone; });
  for (FaultSpec& fault : scenario.faults) {
    for (auto& group : fault.groups) std::erase_if(group, is_gone);
    std::erase_if(fault.groups, [](const auto& group) { return group.empty(); });
    if (std::erase_if(fault.targets, is_gone) == 0 || fault.targets.empty()) continue;
    fault.target = fault.targets.front();
    if (fault.targets.size() == 1) fault.targets.clear();
  }
}

template <typename Item>
void erase_at(std::vector<Item>& items, std::size_t at) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Nobody has this number: what still names it is refused, and goes.
constexpr std::size_t nobody = 0;

std::string thread_name(const ClientSpec& client, std::size_t number) {
  return fmt::format("{}/{}", client.name, number);
}

std::string replica_name(std::uint32_t master, std::uint32_t replica) {
  return fmt::format("n{}-replica-{}", master, replica);
}

/// The step that gives back what this one takes.
std::optional<std::size_t> release_of(std::vector<Step> steps, std::size_t from) {
  if (form_of(steps[from].kind).role != StepRole::takes) return std::nullopt;
  // Where nothing gives it back, the match ends behind this one.
  steps.push_back({StepKind::sleep, {}, {}, {}, 1, 0, {}});
  const std::size_t end = matching_release(steps, from).end;
  return end == steps.size() ? std::nullopt : std::optional(end - 1);
}

ThreadSpec& thread_of(Scenario& scenario, std::size_t client, std::size_t thread) {
  return scenario.clients[client].threads[thread];
}

}  // namespace

Edited without_client(const Scenario& scenario, std::size_t client) {
  Scenario edited = scenario;
  remove_actor(edited, scenario.clients[client].name);
  erase_at(edited.clients, client);
  return revalidated_without_impossible(std::move(edited));
}

Edited without_thread(const Scenario& scenario, std::size_t client, std::size_t thread) {
  const ClientSpec& whose = scenario.clients[client];
  if (whose.threads.size() == 1) return std::nullopt;
  Scenario edited = scenario;
  remove_actor(edited, thread_name(whose, thread + 1));
  rename_actor(edited, thread_name(whose, thread + 1), thread_name(whose, nobody));
  for (std::size_t number = thread + 2; number <= whose.threads.size(); ++number) {
    rename_actor(edited, thread_name(whose, number), thread_name(whose, number - 1));
  }
  erase_at(edited.clients[client].threads, thread);
  if (edited.clients[client].threads_min >= edited.clients[client].threads.size()) {
    edited.clients[client].threads_min.reset();
  }
  return revalidated_without_impossible(std::move(edited));
}

Edited without_master(const Scenario& scenario, std::uint32_t master) {
  const RedisSpec& redis = scenario.redis;
  if (redis.masters == 1) return std::nullopt;
  Scenario edited = scenario;
  const auto call = [&](std::uint32_t number, std::uint32_t new_number) {
    rename_actor(edited, fmt::format("n{}", number), fmt::format("n{}", new_number));
    for (std::uint32_t replica = 1; replica <= redis.replicas; ++replica) {
      rename_actor(edited, replica_name(number, replica), replica_name(new_number, replica));
    }
  };
  remove_actor(edited, fmt::format("n{}", master + 1));
  for (std::uint32_t replica = 1; replica <= redis.replicas; ++replica) {
    remove_actor(edited, replica_name(master + 1, replica));
  }
  call(master + 1, nobody);
  for (std::uint32_t number = master + 2; number <= redis.masters; ++number) {
    call(number, number - 1);
  }
  --edited.redis.masters;
  return revalidated_without_impossible(std::move(edited));
}

Edited without_replica(const Scenario& scenario, std::uint32_t replica) {
  const RedisSpec& redis = scenario.redis;
  Scenario edited = scenario;
  for (std::uint32_t master = 1; master <= redis.masters; ++master) {
    remove_actor(edited, replica_name(master, replica + 1));
    rename_actor(edited, replica_name(master, replica + 1), replica_name(master, nobody));
    for (std::uint32_t number = replica + 2; number <= redis.replicas; ++number) {
      rename_actor(edited, replica_name(master, number), replica_name(master, number - 1));
    }
  }
  --edited.redis.replicas;
  return revalidated_without_impossible(std::move(edited));
}

Edited without_last_sentinel(const Scenario& scenario) {
  const SentinelSpec& sentinel = scenario.redis.sentinel;
  if (scenario.redis.topology != TopologyKind::sentinel || sentinel.count == 1) return std::nullopt;
  Scenario edited = scenario;
  remove_actor(edited, fmt::format("s{}", sentinel.count));
  --edited.redis.sentinel.count;
  edited.redis.sentinel.quorum = std::min(sentinel.quorum, edited.redis.sentinel.count);
  return revalidated_without_impossible(std::move(edited));
}

Edited without_step(const Scenario& scenario, std::size_t client, std::size_t thread,
                    std::size_t step) {
  Scenario edited = scenario;
  std::vector<Step>& steps = thread_of(edited, client, thread).steps;
  if (const auto release = release_of(steps, step)) erase_at(steps, *release);
  erase_at(steps, step);
  return revalidated_without_impossible(std::move(edited));
}

Edited with_rounds(const Scenario& scenario, std::size_t client, std::uint32_t rounds) {
  const ClientSpec& before = scenario.clients[client];
  if (before.rounds == rounds && !before.rounds_max) return std::nullopt;
  Scenario edited = scenario;
  edited.clients[client].rounds = rounds;
  edited.clients[client].rounds_max.reset();
  return revalidated_without_impossible(std::move(edited));
}

Edited with_turns(const Scenario& scenario, std::size_t client, std::size_t thread,
                  std::uint32_t turns) {
  Scenario edited = scenario;
  auto& generate = thread_of(edited, client, thread).generate;
  if (!generate || generate->turns == turns) return std::nullopt;
  generate->turns = turns;
  return revalidated_without_impossible(std::move(edited));
}

Edited with_steps(const Scenario& scenario, std::size_t client, std::size_t thread,
                  std::vector<Step> steps) {
  Scenario edited = scenario;
  thread_of(edited, client, thread) = {std::move(steps)};
  return revalidated_without_impossible(std::move(edited));
}

Edited without_fault(const Scenario& scenario, std::size_t fault) {
  Scenario edited = scenario;
  erase_at(edited.faults, fault);
  return revalidated_without_impossible(std::move(edited));
}

Edited without_healing(const Scenario& scenario) {
  if (!scenario.heal_at_ns || scenario.open_faults) return std::nullopt;
  Scenario edited = scenario;
  edited.heal_at_ns.reset();
  for (FaultSpec& fault : edited.faults) fault.stays = false;
  return revalidated(edited);
}

Edited without_link(const Scenario& scenario, std::size_t link) {
  Scenario edited = scenario;
  erase_at(edited.links, link);
  return revalidated(edited);
}

Edited with_latency(const Scenario& scenario, const sim::Latency& latency) {
  const bool is_so = scenario.latency.delay_ns_min == latency.delay_ns_min &&
                     scenario.latency.delay_ns_max == latency.delay_ns_max;
  if (is_so) return std::nullopt;
  Scenario edited = scenario;
  edited.latency = latency;
  return revalidated(edited);
}

Edited without_option(const Scenario& scenario, std::string_view name) {
  Scenario edited = scenario;
  const auto found = edited.options.find(name);
  if (found == edited.options.end()) return std::nullopt;
  edited.options.erase(found);
  return revalidated(edited);
}

Edited without_setting(const Scenario& scenario, std::size_t setting) {
  Scenario edited = scenario;
  erase_at(edited.redis.settings, setting);
  return revalidated(edited);
}

Edited without_node_table(const Scenario& scenario, std::size_t node) {
  Scenario edited = scenario;
  erase_at(edited.redis.nodes, node);
  return revalidated(edited);
}

Edited with_exact_clocks(const Scenario& scenario, std::size_t client) {
  Scenario edited = scenario;
  ClientSpec& whose = edited.clients[client];
  if (whose.wall_offset_ns == 0 && whose.drift_ppm == 0) return std::nullopt;
  whose.wall_offset_ns = 0;
  whose.drift_ppm = 0;
  return revalidated(edited);
}

// The durations and numbers that a scenario leaves open, and how one of them is closed.

namespace {

/// Calls visit(least, most, close) for each duration that is drawn; close(duration) ends that.
template <typename Visit>
class OpenRangeWalk {
 public:
  explicit OpenRangeWalk(Visit visit) : visit_(std::move(visit)) {}

  void walk(Scenario& scenario) {
    for (ClientSpec& client : scenario.clients) {
      walk_optional(client.start_ns, client.start_ns_max);
      walk_numbers(client);
      for (ThreadSpec& thread : client.threads) {
        for (Step& step : thread.steps) walk_step(step);
        if (thread.generate) walk_generate(*thread.generate);
      }
    }
    for (FaultSpec& fault : scenario.faults) {
      for (std::size_t i = 0; i < fault.open.size(); ++i) walk_fault(fault, i);
    }
  }

 private:
  void walk_numbers(ClientSpec& client) {
    if (client.rounds_max) {
      visit_(client.rounds, *client.rounds_max, [&](std::int64_t rounds) {
        client.rounds = static_cast<std::uint32_t>(rounds);
        client.rounds_max.reset();
      });
    }
    if (client.threads_min) {
      const auto most = static_cast<std::int64_t>(client.threads.size());
      visit_(*client.threads_min, most, [&](std::int64_t threads) {
        client.threads.resize(static_cast<std::size_t>(threads));
        client.threads_min.reset();
      });
    }
  }

  void walk_optional(sim::DurationNs& least, std::optional<sim::DurationNs>& most) {
    if (!most) return;
    visit_(least, *most, [&](sim::DurationNs duration_ns) {
      least = duration_ns;
      most.reset();
    });
  }

  void walk_step(Step& step) {
    if (step.lease_ns) walk_optional(*step.lease_ns, step.lease_ns_max);
    if (step.wait_ns) walk_optional(*step.wait_ns, step.wait_ns_max);
    walk_optional(step.duration_ns, step.duration_ns_max);
  }

  void walk_range(DurationRange& range) {
    if (!range.is_open()) return;
    visit_(range.min_ns, range.max_ns, [&](sim::DurationNs duration_ns) {
      range = {duration_ns, duration_ns};
    });
  }

  /// Words with the same range are closed together, as a range that is said once for all of them.
  void walk_words(GenerateSpec& generate, std::optional<sim::DurationNs> Step::*least,
                  std::optional<sim::DurationNs> Step::*most) {
    std::vector<DurationRange> ranges;
    for (const auto* words : {&generate.outside, &generate.inside}) {
      for (const GenerateSpec::WeightedStep& word : *words) {
        if (!(word.step.*most)) continue;
        const DurationRange range{*(word.step.*least), *(word.step.*most)};
        if (std::find(ranges.begin(), ranges.end(), range) == ranges.end()) ranges.push_back(range);
      }
    }
    for (const DurationRange& range : ranges) {
      visit_(range.min_ns, range.max_ns, [&](sim::DurationNs duration_ns) {
        for (auto* words : {&generate.outside, &generate.inside}) {
          for (GenerateSpec::WeightedStep& word : *words) {
            if (word.step.*least != range.min_ns || word.step.*most != range.max_ns) continue;
            word.step.*least = duration_ns;
            (word.step.*most).reset();
          }
        }
      });
    }
  }

  void walk_generate(GenerateSpec& generate) {
    walk_range(generate.think);
    walk_range(generate.hold);
    walk_words(generate, &Step::lease_ns, &Step::lease_ns_max);
    walk_words(generate, &Step::wait_ns, &Step::wait_ns_max);
  }

  void walk_fault(FaultSpec& fault, std::size_t number) {
    const OpenDuration open = fault.open[number];
    visit_(open.min_ns, open.max_ns, [&](sim::DurationNs duration_ns) {
      set_open(fault, open.what, duration_ns);
      fault.open.erase(fault.open.begin() + static_cast<std::ptrdiff_t>(number));
    });
  }

  Visit visit_;
};

}  // namespace

std::vector<OpenRange> open_ranges(const Scenario& scenario) {
  std::vector<OpenRange> ranges;
  Scenario visited = scenario;
  OpenRangeWalk walk([&ranges](sim::DurationNs least, sim::DurationNs most, const auto&) {
    ranges.push_back({least, most});
  });
  walk.walk(visited);
  return ranges;
}

Edited with_fixed_duration(const Scenario& scenario, std::size_t range,
                           sim::DurationNs duration_ns) {
  Scenario edited = scenario;
  std::size_t number = 0;
  OpenRangeWalk walk([&](sim::DurationNs, sim::DurationNs, const auto& close) {
    if (number++ == range) close(duration_ns);
  });
  walk.walk(edited);
  return revalidated(edited);
}

}  // namespace lockstep::scenario
