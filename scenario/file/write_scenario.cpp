#include "scenario/file/write_scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <system_error>

#include "scenario/file/write_parts.h"
#include "scenario/text/durations.h"
#include "scenario/text/toml_text.h"

namespace lockstep::scenario {
namespace {

namespace fs = std::filesystem;

/// A path that is relative to where we are, as seen from the folder that `seat` stands in.
fs::path seen_from(const fs::path& path, const fs::path& seat) {
  if (path.is_absolute()) return path;
  fs::path folder = seat.parent_path();
  if (folder.empty()) folder = ".";
  if (folder.is_relative()) {
    const fs::path seen = path.lexically_normal().lexically_relative(folder.lexically_normal());
    if (!seen.empty()) return seen;
  }
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  return error ? path : whole;
}

/// A lock of the house by its name, one's own by its folder.
std::string write_lock(const Scenario& scenario, const fs::path& path) {
  const bool is_folder = scenario.lock.starts_with("./") || scenario.lock.starts_with("../");
  if (!is_folder) return scenario.lock;
  const fs::path folder = fs::path(scenario.path).parent_path() / scenario.lock;
  if (fs::path(scenario.path).parent_path() == path.parent_path()) return scenario.lock;
  const std::string seen = seen_from(folder, path).string();
  return seen.starts_with("../") || seen.starts_with('/') ? seen : std::string("./").append(seen);
}

std::vector<std::string> words_of(const std::vector<checker::Property>& properties) {
  std::vector<std::string> words;
  words.reserve(properties.size());
  for (const checker::Property property : properties) {
    words.emplace_back(checker::to_string(property));
  }
  return words;
}

TomlTable expect_table(const Expectation& expect) {
  TomlTable table;
  const auto add = [&table](std::string_view key, const std::vector<std::string>& words) {
    if (!words.empty()) table.add(key, toml_text_or_list(words));
  };
  add("violates", words_of(expect.violates));
  add("holds", words_of(expect.holds));
  std::vector<std::string> moments;
  for (const Sometimes& each : expect.sometimes) moments.push_back(each.text);
  add("sometimes", moments);
  if (expect.overlap_at_most_ns) {
    table.add_text("overlap_at_most", format_duration(*expect.overlap_at_most_ns));
  }
  if (expect.wait_at_most_ns) {
    table.add_text("wait_at_most", format_duration(*expect.wait_at_most_ns));
  }
  if (table.empty()) table.add("sometimes", "[]");  // an expectation of nothing has to say so
  return table;
}

/// `timeout_ms` as it may be given: `timeout = "3s"`; empty where that would be another option.
std::string duration_key_of(const Options& options, std::string_view name, std::int64_t value_ms) {
  constexpr std::string_view ending = "_ms";
  constexpr std::int64_t milliseconds_max = std::int64_t{8760} * 3600 * 1000;
  if (!name.ends_with(ending) || value_ms < 0 || value_ms > milliseconds_max) return {};
  name.remove_suffix(ending.size());
  if (name.empty() || name.ends_with(ending) || options.contains(name)) return {};
  return std::string(name);
}

void add_option(const Options& options, const std::string& name, const OptionValue& value,
                TomlTable& table) {
  if (const auto* yes = std::get_if<bool>(&value)) return table.add(name, *yes ? "true" : "false");
  if (const auto* word = std::get_if<std::string>(&value)) return table.add_text(name, *word);
  const std::int64_t number = std::get<std::int64_t>(value);
  const std::string key = duration_key_of(options, name, number);
  if (key.empty()) return table.add_number(name, number);
  table.add_text(key, format_duration(number * sim::millisecond_ns));
}

TomlTable options_table(const Options& options) {
  TomlTable table;
  for (const auto& [name, value] : options) add_option(options, name, value, table);
  return table;
}

TomlTable scripts_table(const Scenario& scenario, const fs::path& path) {
  TomlTable table;
  for (const auto& [name, script] : scenario.scripts) {
    table.add_text(name, seen_from(script, path).string());
  }
  return table;
}

TomlTable liveness_table(const checker::LivenessBounds& bounds) {
  const checker::LivenessBounds defaults;
  TomlTable table;
  if (bounds.progress_ns != defaults.progress_ns) {
    table.add_text("progress", format_duration(bounds.progress_ns));
  }
  if (bounds.wakeup_ns != defaults.wakeup_ns) {
    table.add_text("wakeup", format_duration(bounds.wakeup_ns));
  }
  if (bounds.overtakings != defaults.overtakings) {
    table.add_number("overtakings", bounds.overtakings);
  }
  return table;
}

TomlTable limits_table(const Scenario& scenario) {
  const Scenario defaults;
  TomlTable table;
  if (scenario.horizon_ns != defaults.horizon_ns) {
    table.add_text("horizon", format_duration(scenario.horizon_ns));
  }
  if (scenario.events_max != defaults.events_max) {
    table.add_number("events", static_cast<std::int64_t>(scenario.events_max));
  }
  return table;
}

std::string write_open_kinds(const OpenFaults& open) {
  if (open.any) return toml_string("any");
  std::vector<std::string> words;
  for (const FaultKind kind : open.kinds) words.emplace_back(to_string(kind));
  return toml_text_or_list(words);
}

TomlTable budget_table(const OpenFaults& open) {
  TomlTable table;
  if (open.at_most != OpenFaults::default_at_most) table.add_number("faults", open.at_most);
  for (const FaultKind kind : open.kinds) {
    const std::uint32_t most = open.at_most_of[static_cast<std::size_t>(kind)];
    if (most != UINT32_MAX) table.add_number(to_string(kind), most);
  }
  return table;
}

/// What nobody said: see read_open_faults.
bool heals_by_default(const Scenario& scenario) {
  return scenario.open_faults && scenario.heal_at_ns == open_faults_heal_ns &&
         open_faults_heal_ns < scenario.horizon_ns;
}

class ScenarioWriter {
 public:
  ScenarioWriter(const Scenario& scenario, const fs::path& path)
      : scenario_(scenario), path_(path) {}

  std::string write() {
    add_head();
    for (std::string& table : write_redis(scenario_.redis, scenario_.latency))
      add(std::move(table));
    add("options", options_table(scenario_.options));
    add("scripts", scripts_table(scenario_, path_));
    add_small_tables();
    for (std::string& table : write_clients(scenario_.clients, scenario_.lock_name)) {
      add(std::move(table));
    }
    for (const LinkSpec& link : scenario_.links) add_link(link);
    for (const FaultSpec& fault : scenario_.faults) add(write_fault(fault));
    return fmt::format("{}", fmt::join(tables_, "\n"));
  }

 private:
  void add(std::string table) { tables_.push_back(std::move(table)); }

  void add(std::string_view header, const TomlTable& table) {
    if (!table.empty()) add(fmt::format("[{}]\n{}", header, table.lines()));
  }

  void add_head() {
    TomlTable head;
    head.add_text("title", scenario_.title);
    head.add_text("lock", write_lock(scenario_, path_));
    const Scenario defaults;
    if (scenario_.lock_name != defaults.lock_name) {
      head.add_text("lock_name", scenario_.lock_name);
    }
    head.add("expect", expect_table(scenario_.expect).inline_text());
    if (scenario_.open_faults) head.add("faults", write_open_kinds(*scenario_.open_faults));
    add(head.lines());
    if (scenario_.open_faults) add("budget", budget_table(*scenario_.open_faults));
  }

  void add_small_tables() {
    TomlTable resource;
    if (scenario_.resource.fencing) resource.add("fencing", "true");
    add("resource", resource);
    TomlTable clocks;
    if (scenario_.declared_drift_ppm != 0) {
      clocks.add_text("declared_drift", fmt::format("{}ppm", scenario_.declared_drift_ppm));
    }
    add("clocks", clocks);
    add("liveness", liveness_table(scenario_.liveness));
    add("limits", limits_table(scenario_));
    TomlTable heal;
    if (scenario_.heal_at_ns && !heals_by_default(scenario_))
      heal.add_text("at", format_duration(*scenario_.heal_at_ns));
    add("heal", heal);
  }

  void add_link(const LinkSpec& link) {
    TomlTable table;
    table.add_text("from", link.from);
    table.add_text("to", link.to);
    table.add_text("latency", write_latency(link.latency));
    add(fmt::format("[[link]]\n{}", table.lines()));
  }

  const Scenario& scenario_;
  const fs::path& path_;
  std::vector<std::string> tables_;
};

}  // namespace

std::string write_scenario(const Scenario& scenario, const std::filesystem::path& path) {
  return ScenarioWriter(scenario, path).write();
}

std::string write_scenario(const Scenario& scenario) {
  return write_scenario(scenario, scenario.path);
}

}  // namespace lockstep::scenario
