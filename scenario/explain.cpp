#include "scenario/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checker/property.h"
#include "redis/server/server_version.h"
#include "redis/values/key_slot.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/file/client_fields.h"
#include "scenario/file/option_table.h"
#include "scenario/file/redis_fields.h"
#include "scenario/file/scenario_fields.h"
#include "scenario/scenario.h"
#include "scenario/sentinel_names.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_text.h"

namespace lockstep::scenario {
namespace {

std::string explain_lock(const Scenario& scenario) {
  std::string text = fmt::format("lock: {}, named '{}'", scenario.lock, scenario.lock_name);
  if (!scenario.options.empty()) text += ", " + options_in_words(scenario.options);
  for (const auto& [name, path] : scenario.scripts) text += fmt::format(", {} from {}", name, path);
  return fmt::format("{}\n", text);
}

std::string explain_cluster(const Scenario& scenario) {
  const RedisSpec& redis = scenario.redis;
  const sim::Latency& latency = scenario.latency;
  std::string text = fmt::format("redis: {}", counted(redis.masters, "master"));
  if (redis.masters > 1) text += fmt::format(" (n1 to n{})", redis.masters);
  text +=
      fmt::format(", {}{}", counted(redis.replicas, "replica"), (redis.masters > 1 ? " each" : ""));
  if (redis.version != lockstep::redis::default_version) {
    text += fmt::format(", {}", lockstep::redis::to_string(redis.version));
  }
  text += fmt::format("; a hop takes {}", format_duration(latency.delay_ns_min));
  if (latency.delay_ns_max != latency.delay_ns_min) {
    text += fmt::format(" to {}", format_duration(latency.delay_ns_max));
  }
  std::string_view separator = "; ";
  for (const auto& [name, value] : scenario.redis.settings) {
    text += fmt::format("{}{} = {}", separator, name, value.empty() ? "\"\"" : value);
    separator = ", ";
  }
  return fmt::format("{}\n", text);
}

/// A line about the topology, ended; empty where masters are independent.
std::string explain_topology(const RedisSpec& redis, std::string_view lock_name) {
  switch (redis.topology) {
    case TopologyKind::independent:
      return {};
    case TopologyKind::sentinel: {
      const SentinelSpec& spec = redis.sentinel;
      return fmt::format("sentinels: {}, quorum {}; {}\n", spec.count, quorum_of(spec),
                         fmt::join(explain_fields(sentinel_fields, spec, Mention::always), ", "));
    }
    case TopologyKind::cluster:
      break;
  }
  const std::size_t master = redis::master_of_slot(redis::key_slot(lock_name), redis.masters);
  return fmt::format(
      "cluster: {}; '{}' is in a slot of n{}\n",
      fmt::join(explain_fields(cluster_fields, redis.cluster, Mention::always), ", "), lock_name,
      master + 1);
}

std::string explain_range(const DurationRange& range) {
  return write_range(range.min_ns, range.max_ns);
}

std::string explain_nodes(const Scenario& scenario) {
  std::string text;
  for (const NodeSpec& node : scenario.redis.nodes) {
    text += fmt::format("node {}:", node.name);
    if (node.version) text += fmt::format(" {};", lockstep::redis::to_string(*node.version));
    if (node.latency) {
      text += fmt::format(" a hop from and to it takes {};",
                          explain_range({node.latency->delay_ns_min, node.latency->delay_ns_max}));
    }
    for (const std::string& phrase : explain_fields(node_fields, node, Mention::if_changed)) {
      text += fmt::format(" {};", phrase);
    }
    for (const auto& [name, value] : node.settings) {
      text += fmt::format(" {} = {};", name, value.empty() ? "\"\"" : value);
    }
    text.back() = '\n';
  }
  for (const LinkSpec& link : scenario.links) {
    text += fmt::format("link: from {} to {} a message takes {}\n", link.from, link.to,
                        explain_range({link.latency.delay_ns_min, link.latency.delay_ns_max}));
  }
  return text;
}

std::string explain_generate(const GenerateSpec& generate) {
  std::string text = counted(generate.turns, "drawn turn");
  std::string_view separator = " of ";
  const auto add_words = [&](const std::vector<GenerateSpec::WeightedStep>& words) {
    for (const GenerateSpec::WeightedStep& word : words) {
      const std::string lock = word.step.lock_names.empty() ? "" : word.step.lock_names.front();
      text += fmt::format("{}{} ({})", separator, write_step(word.step, lock), word.weight);
      separator = ", ";
    }
  };
  add_words(generate.outside);
  separator = "; inside ";
  add_words(generate.inside);
  text += fmt::format("; locks {}", fmt::join(generate.lock_names, ","));
  if (generate.reentrancy > 1) text += fmt::format("; up to {} deep", generate.reentrancy);
  if (generate.nesting > 1) text += fmt::format("; up to {} inside one another", generate.nesting);
  if (generate.amount_max > 1) {
    text += fmt::format("; {} to {} permits", generate.amount_min, generate.amount_max);
  }
  return fmt::format("{}; thinks {}, holds {}{}", text, explain_range(generate.think),
                     explain_range(generate.hold),
                     generate.spread == Spread::log ? "; short times as often as long" : "");
}

std::string explain_program(const ProgramSpec& program) {
  std::string text = fmt::format("runs {}", toml_list(program.command));
  if (!program.folder.empty()) text += fmt::format(" in {}", program.folder);
  if (program.reuse == ProgramSpec::Reuse::fork) text += ", each run a fork of one process";
  for (const auto& [place, host] : program.connect) text += fmt::format("; {} is {}", place, host);
  for (const auto& [name, value] : program.env) text += fmt::format("; {}={}", name, value);
  return text;
}

std::string explain_client(const ClientSpec& client, const std::string& lock_name) {
  std::string text;
  for (std::size_t i = 0; i < client.threads.size(); ++i) {
    text += fmt::format("client {}", client.name);
    if (client.threads.size() > 1) text += fmt::format("/{}", i + 1);
    text += ": ";
    if (client.program) text += explain_program(*client.program);
    std::string_view separator;
    for (const Step& step : client.threads[i].steps) {
      text += separator;
      text += write_step(step, lock_name);
      separator = ", ";
    }
    if (client.threads[i].generate) {
      text += separator;
      text += explain_generate(*client.threads[i].generate);
    }
    for (const std::string& phrase : explain_fields(client_fields, client, Mention::if_changed)) {
      text += fmt::format("; {}", phrase);
    }
    text += "\n";
  }
  return text;
}

std::string explain_properties(const std::vector<checker::Property>& properties) {
  std::vector<std::string_view> names;
  names.reserve(properties.size());
  for (const checker::Property property : properties) names.push_back(checker::to_string(property));
  return listed(names);
}

std::string explain_expectation(const Expectation& expect) {
  std::string text = "expected:";
  if (!expect.violates.empty()) {
    text += fmt::format(" violates {}", explain_properties(expect.violates));
  }
  if (!expect.violates.empty() && !expect.holds.empty()) text += ";";
  if (!expect.holds.empty()) text += fmt::format(" holds {}", explain_properties(expect.holds));
  for (const Sometimes& each : expect.sometimes) {
    text += fmt::format("\nexpected sometimes: {}", each.text);
  }
  if (expect.overlap_at_most_ns) {
    text += fmt::format("\nexpected: two believe at once to have the lock for {} at most",
                        format_duration(*expect.overlap_at_most_ns));
  }
  if (expect.wait_at_most_ns) {
    text += fmt::format("\nexpected: a thread waits for the lock for {} at most",
                        format_duration(*expect.wait_at_most_ns));
  }
  if (expect.requests_per_second_at_most) {
    text += fmt::format("\nexpected: a client sends {} requests in any second at most",
                        *expect.requests_per_second_at_most);
  }
  return fmt::format("{}\n", text);
}

std::string explain_open_faults(const OpenFaults& open) {
  std::string kinds;
  std::string budget;
  std::string left_out;
  for (const FaultForm& form : fault_forms()) {
    if (std::find(open.kinds.begin(), open.kinds.end(), form.kind) != open.kinds.end()) continue;
    left_out += fmt::format("{}{}", left_out.empty() ? " but " : ", ", form.word);
  }
  for (const FaultKind kind : open.kinds) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(to_string(kind));
    const std::uint32_t at_most = open.at_most_of[static_cast<std::size_t>(kind)];
    if (at_most < open.at_most) budget += fmt::format(", {} {} at most", at_most, to_string(kind));
  }
  return fmt::format("faults: {} in a run at most, drawn: {}{}\n", open.at_most,
                     open.any ? fmt::format("of any kind{}", left_out) : kinds, budget);
}

}  // namespace

std::string explain(const Scenario& scenario) {
  std::string text = fmt::format("{}\n", scenario.title);
  for (const SourceFile& base : scenario.bases) text += fmt::format("base: {}\n", base.path);
  if (!scenario.parameters.empty()) {
    text += "parameters:";
    for (const ParameterSetting& each : scenario.parameters) {
      text += fmt::format(" {} = {};", each.name, each.value);
    }
    text.back() = '\n';
  }
  text += explain_lock(scenario);
  text += explain_cluster(scenario);
  text += explain_topology(scenario.redis, scenario.lock_name);
  text += explain_nodes(scenario);
  text += explain_table("resource", scenario);
  for (const ClientSpec& client : scenario.clients) {
    text += explain_client(client, scenario.lock_name);
  }
  for (const FaultSpec& fault : scenario.faults) {
    text += fmt::format("fault: {}\n", fault.describe());
  }
  if (scenario.open_faults) text += explain_open_faults(*scenario.open_faults);
  if (scenario.faults.empty() && !scenario.open_faults) text += "no faults\n";
  if (scenario.heal_at_ns) {
    text += fmt::format("heal: at {} all faults end, but those that stay\n",
                        format_duration(*scenario.heal_at_ns));
  }
  text += explain_expectation(scenario.expect);
  for (const std::string_view key : {"clocks", "liveness", "limits"}) {
    text += explain_table(key, scenario);
  }
  return text;
}

}  // namespace lockstep::scenario
