#include "scenario/file/scenario_file.h"

#include <fmt/format.h>

#include <system_error>

#include "scenario/file/scenario_fields.h"
#include "scenario/parameters.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {
namespace {

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
  read_scenario(file, scenario);
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
  allow_only_scenario_keys(file);
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
