#include "scenario/file/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <system_error>

#include "scenario/faults/faults.h"
#include "scenario/faults/healing.h"
#include "scenario/faults/open_faults.h"
#include "scenario/file/clients.h"
#include "scenario/file/expectations.h"
#include "scenario/file/file_keys.h"
#include "scenario/file/nodes.h"
#include "scenario/file/redis_config.h"
#include "scenario/file/redis_topology.h"
#include "scenario/parameters.h"
#include "scenario/participants.h"
#include "scenario/steps.h"
#include "scenario/text/error_collector.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {
namespace {

constexpr std::size_t faults_max = 1'000;
constexpr std::int64_t masters_max = 100;
constexpr std::int64_t replicas_max = 10;
constexpr std::int64_t overtakings_limit_max = 1'000'000;
constexpr std::int64_t events_limit_max = 1'000'000'000'000;

std::string read_required_text(const TableReader& table, std::string_view key,
                               std::string_view example) {
  const auto text = table.text(key);
  if (!text) table.complain_missing(key, example);
  if (text->words().empty()) text->complain(fmt::format("'{}' is empty", key));
  return std::string(text->text);
}

void read_redis(const TableReader& file, Scenario& scenario) {
  const auto table = file.table("redis");
  if (!table) return;
  table->allow_only(key_names_of(TableName::redis));
  RedisSpec& redis = scenario.redis;
  redis.masters = static_cast<std::uint32_t>(
      table->whole_number("masters", {1, masters_max}).value_or(redis.masters));
  redis.replicas = static_cast<std::uint32_t>(
      table->whole_number("replicas", {0, replicas_max}).value_or(redis.replicas));
  read_topology(*table, redis);
  if (const auto latency = table->text("latency")) scenario.latency = latency_of(*latency);
  if (const auto config = table->table("config")) redis.settings = read_redis_config(*config);
  require_version(*table);
  read_nodes(*table, scenario);
}

/// "30s" under "timeout" is 30000 under "timeout_ms"; other strings are words.
void read_text_option(const LocatedText& key, const LocatedText& value, Scenario& scenario) {
  if (value.text.empty())
    value.complain(fmt::format("the option {} is empty", in_quotes(key.text)));
  const bool is_duration = value.text.find_first_of("0123456789+-.") == 0;
  std::string name(key.text);
  OptionValue option = std::string(value.text);
  if (is_duration) {
    option = milliseconds_of(value, DurationSign::not_negative) / sim::millisecond_ns;
    if (!name.ends_with("_ms")) name += "_ms";
  }
  if (!scenario.options.emplace(name, option).second) {
    key.complain(fmt::format("the option {} is given twice", in_quotes(name)));
  }
  scenario.option_places[name] = key.place;
}

void read_options(const TableReader& file, Scenario& scenario) {
  const auto table = file.table("options");
  if (!table) return;
  for (const LocatedText& key : table->keys()) {
    const toml::node& node = *table->node(key.text);
    if (node.is_string()) {
      read_text_option(key, *table->text(key.text), scenario);
      continue;
    }
    OptionValue option;
    if (const auto* number = node.as_integer()) {
      option = number->get();
    } else if (const auto* yes = node.as_boolean()) {
      option = yes->get();
    } else {
      throw InputError(
          table->value_place(key.text),
          fmt::format(
              "the option {} is {}; expected a whole number, a word, a duration or true or false",
              in_quotes(key.text), type_in_words(node)));
    }
    if (!scenario.options.emplace(key.text, option).second) {
      key.complain(fmt::format("the option {} is given twice", in_quotes(key.text)));
    }
    scenario.option_places[std::string(key.text)] = key.place;
  }
}

void read_scripts(const TableReader& file, Scenario& scenario) {
  const auto table = file.table("scripts");
  if (!table) return;
  for (const LocatedText& key : table->keys()) {
    const LocatedText path = *table->text(key.text);
    if (path.text.empty()) path.complain("the path is empty; expected as in \"acquire.lua\"");
    const std::string name(key.text);
    const std::filesystem::path folder = std::filesystem::path(path.place.file).parent_path();
    scenario.scripts[name] = (folder / std::filesystem::path(path.text)).string();
    scenario.script_places[name] = path.place;
  }
}

void read_resource(const TableReader& file, Scenario& scenario) {
  const auto resource = file.table("resource");
  if (!resource) return;
  resource->allow_only(key_names_of(TableName::resource));
  scenario.resource.fencing = resource->boolean("fencing").value_or(false);
}

void read_clocks(const TableReader& file, Scenario& scenario) {
  const auto clocks = file.table("clocks");
  if (!clocks) return;
  clocks->allow_only(key_names_of(TableName::clocks));
  scenario.declared_drift_ppm = clocks->ppm("declared_drift").value_or(0);
  if (scenario.declared_drift_ppm < 0) {
    clocks->text("declared_drift")->complain("a bound on drift is zero or more");
  }
}

void read_limits(const TableReader& file, Scenario& scenario) {
  const auto limits = file.table("limits");
  if (!limits) return;
  limits->allow_only(key_names_of(TableName::limits));
  scenario.horizon_ns =
      limits->duration("horizon", DurationSign::positive).value_or(scenario.horizon_ns);
  const auto events = limits->whole_number("events", {1, events_limit_max});
  if (events) scenario.events_max = static_cast<std::uint64_t>(*events);
}

void read_liveness(const TableReader& file, Scenario& scenario) {
  const auto liveness = file.table("liveness");
  if (!liveness) return;
  liveness->allow_only(key_names_of(TableName::liveness));
  checker::LivenessBounds& bounds = scenario.liveness;
  bounds.progress_ns =
      liveness->duration("progress", DurationSign::positive).value_or(bounds.progress_ns);
  bounds.wakeup_ns =
      liveness->duration("wakeup", DurationSign::positive).value_or(bounds.wakeup_ns);
  bounds.overtakings = liveness->whole_number("overtakings", {0, overtakings_limit_max})
                           .value_or(bounds.overtakings);
}

/// A folder that a base names stands beside the base: the same folder, seen from the scenario.
std::string beside_the_scenario(const std::string& lock, const std::string& named_in,
                                const std::string& scenario_path) {
  namespace fs = std::filesystem;
  const bool is_folder = lock.starts_with("./") || lock.starts_with("../");
  if (!is_folder || named_in == scenario_path) return lock;
  const fs::path folder = (fs::path(named_in).parent_path() / lock).lexically_normal();
  const fs::path from = fs::path(scenario_path).parent_path().lexically_normal();
  const fs::path seen = folder.lexically_relative(from.empty() ? fs::path(".") : from);
  return seen.empty() ? folder.string() : (fs::path(".") / seen).string();
}

void read_lock(const TableReader& file, Scenario& scenario) {
  scenario.lock = read_required_text(file, "lock", "lock = \"plain\"");
  scenario.lock_place = file.text("lock")->place;
  scenario.lock = beside_the_scenario(scenario.lock, scenario.lock_place.file, scenario.path);
  if (const auto name = file.text("lock_name")) {
    require_lock_name(*name);
    scenario.lock_name = name->text;
  }
}

void read_title(const TableReader& file, Scenario& scenario) {
  scenario.title = read_required_text(file, "title", "title = \"A pause longer than the lease\"");
}

/// Who takes part must be known before links, faults and moments can name them.
void read_story(const TableReader& file, Scenario& scenario) {
  const Participants participants(scenario.redis, scenario.clients);
  ErrorCollector mistakes;
  mistakes.note([&] { read_links(file.tables("link"), participants, scenario); });
  const std::vector<TableReader> faults = file.tables("fault");
  if (faults.size() > faults_max) {
    throw InputError(faults[faults_max].place(),
                     fmt::format("there are more than {} faults", faults_max));
  }
  mistakes.note([&] { read_faults(faults, participants, scenario); });
  mistakes.raise();
  read_sometimes(file, participants, scenario);
}

void read_parts(const TableReader& file, Scenario& scenario) {
  ErrorCollector mistakes;
  mistakes.note([&] { read_limits(file, scenario); });
  const bool is_horizon_known = mistakes.none();
  for (const auto read : {read_title, read_lock, read_expectation, read_redis, read_options,
                          read_scripts, read_resource, read_clocks, read_liveness}) {
    mistakes.note([&] { read(file, scenario); });
  }
  if (!is_horizon_known) mistakes.raise();
  mistakes.note([&] { read_healing(file, scenario); });
  mistakes.note([&] { read_open_faults(file, scenario); });
  mistakes.note([&] {
    read_clients(file.tables("client"), scenario);
    if (!scenario.clients.empty()) return;
    throw InputError({scenario.path, 1, 1}, "there is no client; expected at least one [[client]]");
  });
  mistakes.raise();
  read_story(file, scenario);
}

/// A row of a scenario whose files are read.
Scenario read_row(const TomlDocument& document, const std::vector<SourceFile>& files,
                  const ParameterRow& row) {
  Scenario scenario;
  scenario.path = files.front().path;
  scenario.text = files.front().text;
  scenario.bases.assign(files.begin() + 1, files.end());
  for (const ParameterRow::Binding& binding : row.bindings) {
    scenario.parameters.push_back({binding.name, write_value(binding.value)});
  }
  scenario.row = row.name();
  const TableReader file(document, "a scenario");
  file.allow_only(key_names_of(TableName::file));
  read_parts(file, scenario);
  return scenario;
}

/// Puts the row's values in and reads it; complaints say which row it was.
Scenario make_row(const std::vector<SourceFile>& files, const ParameterRow& row) {
  TomlDocument document(files);
  try {
    apply_row(document, row);
    return read_row(document, files, row);
  } catch (const InputError& error) {
    const std::string name = row.name();
    if (name.empty()) throw;
    throw with_suffix(error, " " + name);
  }
}

void require_scripts(const Scenario& scenario) {
  for (const auto& [name, script_path] : scenario.scripts) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(script_path, error)) {
      throw InputError(scenario.script_places.at(name),
                       fmt::format("there is no file {}", in_quotes(script_path)));
    }
  }
}

std::vector<ParameterRow> rows_of(const std::vector<SourceFile>& files,
                                  const std::vector<ParameterSetting>& set) {
  for (const SourceFile& file : files) require_scenario_text(file);
  const TomlDocument document(files);
  const TableReader file(document, "a scenario");
  file.allow_only(key_names_of(TableName::file));
  const auto base = file.text("base");
  if (base && files.size() == 1) {
    base->complain("a base is read where the scenario is a file; here it is none");
  }
  return read_rows(file, set);
}

}  // namespace

Scenario parse_scenario(std::string path, std::string text) {
  const std::vector<SourceFile> files = {{std::move(path), std::move(text)}};
  return make_row(files, rows_of(files, {}).front());
}

std::vector<Scenario> parse_scenarios(const std::vector<SourceFile>& files,
                                      const std::vector<ParameterSetting>& set) {
  std::vector<Scenario> scenarios;
  for (const ParameterRow& row : rows_of(files, set)) scenarios.push_back(make_row(files, row));
  return scenarios;
}

std::vector<Scenario> load_scenarios(const std::filesystem::path& path,
                                     const std::vector<ParameterSetting>& set) {
  std::vector<Scenario> scenarios = parse_scenarios(read_source_files(path.string()), set);
  for (const Scenario& scenario : scenarios) require_scripts(scenario);
  return scenarios;
}

Scenario load_scenario(const std::filesystem::path& path) {
  return std::move(load_scenarios(path).front());
}

}  // namespace lockstep::scenario
