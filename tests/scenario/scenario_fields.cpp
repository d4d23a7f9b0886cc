#include "tests/scenario/scenario_fields.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <variant>

#include "redis/server/config.h"
#include "redis/server/config_parameters.h"

namespace lockstep::model {
namespace {

class Fields {
 public:
  template <typename Value>
  void add(std::string_view name, const Value& value) {
    text_ += fmt::format("{}{} = {}\n", prefix_, name, as_text(value));
  }

  /// Adds what `write` adds, each under "name[i].".
  template <typename Items, typename Write>
  void add_each(std::string_view name, const Items& items, Write write) {
    const std::string outer = prefix_;
    std::size_t number = 0;
    for (const auto& item : items) {
      prefix_ = fmt::format("{}{}[{}].", outer, name, number++);
      write(item);
    }
    prefix_ = outer;
    add(fmt::format("{}.size", name), number);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  static std::string as_text(const std::string& text) { return fmt::format("'{}'", text); }
  static std::string as_text(const sim::Latency& latency) {
    return fmt::format("{}..{}", latency.delay_ns_min, latency.delay_ns_max);
  }
  static std::string as_text(const scenario::DurationRange& range) {
    return fmt::format("{}..{}", range.min_ns, range.max_ns);
  }
  template <typename Value>
  static std::string as_text(const std::optional<Value>& value) {
    return value ? as_text(*value) : std::string("none");
  }
  template <typename Value>
  static std::string as_text(const std::vector<Value>& values) {
    std::string text;
    for (const Value& value : values) text += as_text(value) + " ";
    return text;
  }
  template <typename Value>
  static std::string as_text(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      return std::to_string(static_cast<int>(value));
    } else {
      return std::to_string(value);
    }
  }

  std::string prefix_;
  std::string text_;
};

void add_config(const redis::Config& config, Fields& fields) {
  if (config == scenario::config_of({})) return;
  for (const redis::ConfigParameter& parameter : redis::config_parameters()) {
    fields.add(parameter.name, config.get(parameter.name));
  }
}

void add_redis(const scenario::RedisSpec& redis, Fields& fields) {
  const auto add_setting = [&](const auto& setting) { fields.add(setting.first, setting.second); };
  fields.add("topology", redis.topology);
  fields.add("sentinel.count", redis.sentinel.count);
  fields.add("sentinel.quorum", redis.sentinel.quorum);
  fields.add("sentinel.down_after_ns", redis.sentinel.down_after_ns);
  fields.add("sentinel.failover_timeout_ns", redis.sentinel.failover_timeout_ns);
  fields.add("cluster.node_timeout_ns", redis.cluster.node_timeout_ns);
  fields.add("masters", redis.masters);
  fields.add("replicas", redis.replicas);
  fields.add_each("settings", redis.settings, add_setting);
  add_config(config_of(redis), fields);
  fields.add_each("nodes", redis.nodes, [&](const scenario::NodeSpec& node) {
    fields.add("name", node.name);
    fields.add("wall_offset_ns", node.wall_offset_ns);
    fields.add("drift_ppm", node.drift_ppm);
    fields.add("latency", node.latency);
    if (!node.settings.empty()) add_config(config_of(redis, node), fields);
    fields.add_each("settings", node.settings, add_setting);
  });
}

void add_step(const scenario::Step& step, Fields& fields) {
  fields.add("kind", step.kind);
  fields.add("lock_names", step.lock_names);
  fields.add("lease_ns", step.lease_ns);
  fields.add("lease_ns_max", step.lease_ns_max);
  fields.add("wait_ns", step.wait_ns);
  fields.add("wait_ns_max", step.wait_ns_max);
  fields.add("amount", step.amount);
  fields.add("duration_ns", step.duration_ns);
  fields.add("duration_ns_max", step.duration_ns_max);
}

void add_generate(const scenario::GenerateSpec& generate, Fields& fields) {
  const auto add_word = [&](const scenario::GenerateSpec::WeightedStep& word) {
    add_step(word.step, fields);
    fields.add("weight", word.weight);
  };
  fields.add("turns", generate.turns);
  fields.add_each("outside", generate.outside, add_word);
  fields.add_each("inside", generate.inside, add_word);
  fields.add("lock_names", generate.lock_names);
  fields.add("think", generate.think);
  fields.add("hold", generate.hold);
  fields.add("reentrancy", generate.reentrancy);
  fields.add("amount_min", generate.amount_min);
  fields.add("amount_max", generate.amount_max);
  fields.add_each("possible", generate.possible,
                  [&](const scenario::Step& step) { add_step(step, fields); });
}

void add_client(const scenario::ClientSpec& client, Fields& fields) {
  fields.add("name", client.name);
  fields.add("rounds", client.rounds);
  fields.add("start_ns", client.start_ns);
  fields.add("start_ns_max", client.start_ns_max);
  fields.add("wall_offset_ns", client.wall_offset_ns);
  fields.add("drift_ppm", client.drift_ppm);
  fields.add_each("threads", client.threads, [&](const scenario::ThreadSpec& thread) {
    fields.add_each("steps", thread.steps,
                    [&](const scenario::Step& step) { add_step(step, fields); });
    fields.add("has_generate", thread.generate.has_value());
    if (thread.generate) add_generate(*thread.generate, fields);
  });
}

void add_when(const scenario::Trigger::When& when, Fields& fields) {
  fields.add("when.actor", when.actor);
  fields.add("when.milestone", when.milestone);
  fields.add("when.detail", when.detail);
  fields.add("when.nth", when.nth);
  fields.add("when.kind", when.kind);
  fields.add("when.to", when.to);
  fields.add("when.asked_by", when.requested_by);
}

void add_moment(const scenario::Occurrence& moment, Fields& fields) {
  add_when(moment.when, fields);
  fields.add("faults", moment.faults);
}

void add_fault(const scenario::FaultSpec& fault, Fields& fields) {
  fields.add("kind", fault.kind);
  fields.add("target", fault.target);
  fields.add("other", fault.other);
  fields.add("groups", fault.groups);
  fields.add("message_label", fault.message_label);
  fields.add("message_from", fault.message_from);
  fields.add("message_to", fault.message_to);
  fields.add("nth", fault.nth);
  fields.add("times", fault.times);
  fields.add("behind_label", fault.behind_label);
  fields.add("lock_name", fault.lock_name);
  fields.add("key_pattern", fault.key_pattern);
  fields.add("for_ns", fault.for_ns);
  fields.add("by_ns", fault.by_ns);
  fields.add("drift_ppm", fault.drift_ppm);
  fields.add("clock", fault.clock);
  fields.add("strobe_ns", fault.strobe_ns);
  fields.add("limit", fault.limit);
  fields.add("callback", fault.callback);
  fields.add("callback_name", fault.callback_name);
  fields.add("has_when", fault.trigger.when.has_value());
  if (fault.trigger.when) add_when(*fault.trigger.when, fields);
  fields.add("after_ns", fault.trigger.after_ns);
  fields.add("every_ns", fault.trigger.every_ns);
  fields.add("trigger.times", fault.trigger.times);
  fields.add("stays", fault.stays);
  fields.add("targets", fault.targets);
  for (const auto what :
       {scenario::OpenDuration::What::after, scenario::OpenDuration::What::lasting,
        scenario::OpenDuration::What::by}) {
    const scenario::OpenDuration* open = fault.find_open(what);
    if (open != nullptr) fields.add("open", scenario::DurationRange{open->min_ns, open->max_ns});
  }
  fields.add("open.size", fault.open.size());
}

void add_expect(const scenario::Expectation& expect, Fields& fields) {
  fields.add("violates", expect.violates);
  fields.add("holds", expect.holds);
  fields.add_each("sometimes", expect.sometimes, [&](const scenario::Sometimes& each) {
    add_moment(each.moment, fields);
    fields.add("has_after", each.after.has_value());
    if (each.after) add_moment(*each.after, fields);
    fields.add("believer", each.believer);
    fields.add("believed_lock", each.believed_lock);
    fields.add("text", each.text);
  });
  fields.add("overlap_at_most_ns", expect.overlap_at_most_ns);
  fields.add("wait_at_most_ns", expect.wait_at_most_ns);
}

}  // namespace

std::string fields_of(const scenario::Scenario& scenario) {
  Fields fields;
  fields.add("title", scenario.title);
  fields.add("lock", scenario.lock);
  fields.add("lock_name", scenario.lock_name);
  fields.add_each("options", scenario.options, [&](const auto& option) {
    fields.add("name", option.first);
    fields.add("type", option.second.index());
    std::visit([&](const auto& value) { fields.add("value", value); }, option.second);
  });
  fields.add_each("scripts", scenario.scripts, [&](const auto& script) {
    fields.add("name", script.first);
    fields.add("path", std::filesystem::path(script.second).lexically_normal().string());
  });
  add_redis(scenario.redis, fields);
  fields.add("latency", scenario.latency);
  fields.add_each("links", scenario.links, [&](const scenario::LinkSpec& link) {
    fields.add("from", link.from);
    fields.add("to", link.to);
    fields.add("latency", link.latency);
  });
  fields.add("fencing", scenario.resource.fencing);
  fields.add_each("clients", scenario.clients,
                  [&](const scenario::ClientSpec& client) { add_client(client, fields); });
  fields.add_each("faults", scenario.faults,
                  [&](const scenario::FaultSpec& fault) { add_fault(fault, fields); });
  fields.add("has_open_faults", scenario.open_faults.has_value());
  if (scenario.open_faults) {
    fields.add("any", scenario.open_faults->any);
    fields.add("kinds", scenario.open_faults->kinds);
    fields.add("at_most", scenario.open_faults->at_most);
    fields.add_each("at_most_of", scenario.open_faults->at_most_of,
                    [&](std::uint32_t most) { fields.add("", most); });
  }
  fields.add("heal_at_ns", scenario.heal_at_ns);
  add_expect(scenario.expect, fields);
  fields.add("declared_drift_ppm", scenario.declared_drift_ppm);
  fields.add("progress_ns", scenario.liveness.progress_ns);
  fields.add("wakeup_ns", scenario.liveness.wakeup_ns);
  fields.add("overtakings", scenario.liveness.overtakings);
  fields.add("horizon_ns", scenario.horizon_ns);
  fields.add("events_max", scenario.events_max);
  return fields.text();
}

}  // namespace lockstep::model
