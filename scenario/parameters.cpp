#include "scenario/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "scenario/parameter_setting.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {
namespace {

constexpr std::size_t parameters_max = 20;
constexpr std::size_t name_bytes_max = 40;
/// What a [[case]] says besides values.
constexpr std::array<std::string_view, 2> case_words = {"expect", "title"};

struct Parameter {
  std::string name;
  std::vector<OptionValue> values;
  SourceLocation place;
};
using Parameters = std::vector<Parameter>;

bool is_case_word(std::string_view word) {
  return std::find(case_words.begin(), case_words.end(), word) != case_words.end();
}

void require_name(const LocatedText& name) {
  const std::string_view text = name.text;
  if (text.empty() || !is_name_start(text.front()) ||
      !std::all_of(text.begin(), text.end(), is_name_part) || text.size() > name_bytes_max) {
    name.complain(fmt::format(
        "{} is no parameter's name; expected a letter, then letters, digits and '_', 40 at most",
        in_quotes(text)));
  }
  if (is_case_word(text)) {
    name.complain(
        fmt::format("{} is taken: a [[case]] has it; expected another name", in_quotes(text)));
  }
}

OptionValue read_value(const TableReader& table, std::string_view name, const toml::node& node) {
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* yes = node.as_boolean()) return yes->get();
  if (const auto* text = node.as_string()) return text->get();
  throw InputError(table.document().place_of(node.source()),
                   fmt::format("the parameter {} is {}; expected a string, a whole number, true or "
                               "false, or a list of them",
                               in_quotes(name), type_in_words(node)));
}

std::vector<OptionValue> read_values(const TableReader& table, std::string_view name) {
  const toml::node& node = *table.node(name);
  const auto* list = node.as_array();
  if (list == nullptr) return {read_value(table, name, node)};
  std::vector<OptionValue> values;
  for (const toml::node& each : *list) {
    const OptionValue value = read_value(table, name, each);
    if (std::find(values.begin(), values.end(), value) != values.end()) {
      throw InputError(table.document().place_of(each.source()),
                       fmt::format("{} is listed twice", in_quotes(write_value(value))));
    }
    values.push_back(value);
    if (values.size() > rows_max) break;
  }
  if (values.empty()) {
    throw InputError(table.value_place(name),
                     fmt::format("the parameter {} has no value; expected one or more, as in "
                                 "[\"5s\", \"20s\"]",
                                 in_quotes(name)));
  }
  return values;
}

Parameters read_parameters(const TableReader& file) {
  Parameters parameters;
  const auto table = file.table("parameters");
  if (!table) return parameters;
  for (const LocatedText& name : table->keys()) {
    require_name(name);
    if (parameters.size() == parameters_max) {
      name.complain(fmt::format("there are more than {} parameters", parameters_max));
    }
    parameters.push_back({std::string(name.text), read_values(*table, name.text), name.place});
  }
  return parameters;
}

std::vector<std::string_view> names_of(const Parameters& parameters) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

Parameter* find(Parameters& parameters, std::string_view name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [name](const Parameter& each) { return each.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

/// The parameters as a [[case]] has them.
Parameters of_case(const TableReader& table, Parameters parameters) {
  const std::vector<std::string_view> names = names_of(parameters);
  for (const LocatedText& key : table.keys()) {
    if (is_case_word(key.text)) continue;
    Parameter* parameter = find(parameters, key.text);
    if (parameter == nullptr) {
      key.complain(fmt::format(
          "there is no parameter {}{} (a [[case]] has 'expect', 'title' and parameters of "
          "[parameters]: {})",
          in_quotes(key.text), did_you_mean(key.text, names), listed(names)));
    }
    parameter->values = read_values(table, key.text);
  }
  return parameters;
}

/// Adds a row for each combination; the last parameter changes fastest.
void add_rows(const Parameters& parameters, std::optional<std::size_t> case_index,
              const SourceLocation& place, std::vector<ParameterRow>& rows) {
  std::size_t count = 1;
  for (const Parameter& parameter : parameters) {
    count *= parameter.values.size();
    if (rows.size() + count > rows_max) {
      throw InputError(place, fmt::format("the parameters make more than {} rows", rows_max));
    }
  }
  for (std::size_t number = 0; number < count; ++number) {
    ParameterRow row{{}, case_index};
    std::size_t rest = number;
    for (std::size_t i = parameters.size(); i-- > 0;) {
      const std::vector<OptionValue>& values = parameters[i].values;
      row.bindings.push_back({parameters[i].name, values[rest % values.size()]});
      rest /= values.size();
    }
    std::reverse(row.bindings.begin(), row.bindings.end());
    rows.push_back(std::move(row));
  }
}

bool is_same_row(const ParameterRow& one, const ParameterRow& other) {
  return std::equal(one.bindings.begin(), one.bindings.end(), other.bindings.begin(),
                    other.bindings.end(),
                    [](const auto& a, const auto& b) { return a.value == b.value; });
}

std::vector<ParameterRow> listed_rows(const TableReader& file, const Parameters& parameters) {
  std::vector<ParameterRow> rows;
  const std::vector<TableReader> cases = file.tables("case");
  if (cases.empty()) {
    const SourceLocation place =
        file.has("parameters") ? file.key_place("parameters") : file.place();
    add_rows(parameters, std::nullopt, place, rows);
    return rows;
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::size_t first = rows.size();
    add_rows(of_case(cases[i], parameters), i, cases[i].place(), rows);
    for (std::size_t row = first; row < rows.size(); ++row) {
      for (std::size_t other = 0; other < first; ++other) {
        if (!is_same_row(rows[row], rows[other])) continue;
        throw InputError(cases[i].place(),
                         "an earlier [[case]] has the same values; expected others");
      }
    }
  }
  return rows;
}

/// A value from the command line, of the type that the file's values have.
OptionValue value_like(const OptionValue& example, const ParameterSetting& setting) {
  const SourceLocation place{"--set", 0, 0};
  if (std::holds_alternative<bool>(example)) {
    if (setting.value == "true") return true;
    if (setting.value == "false") return false;
    throw InputError(place, fmt::format("{} = {}: expected true or false", setting.name,
                                        in_quotes(setting.value)));
  }
  if (std::holds_alternative<std::int64_t>(example)) {
    return whole_number_of({setting.value, place, false}, INT64_MIN, INT64_MAX);
  }
  return setting.value;
}

void keep_set_rows(const TableReader& file, Parameters parameters,
                   const std::vector<ParameterSetting>& set, std::vector<ParameterRow>& rows) {
  for (const ParameterSetting& setting : set) {
    Parameter* parameter = find(parameters, setting.name);
    if (parameter == nullptr) {
      const std::vector<std::string_view> names = names_of(parameters);
      throw InputError::about(
          "--set",
          fmt::format("{} has no parameter {}{} (it has {})", file.place().file,
                      in_quotes(setting.name), did_you_mean(setting.name, names), listed(names)));
    }
    parameter->values = {value_like(parameter->values.front(), setting)};
  }
  std::erase_if(rows, [&](const ParameterRow& row) {
    return std::any_of(set.begin(), set.end(), [&](const ParameterSetting& setting) {
      const auto& values = find(parameters, setting.name)->values;
      return std::none_of(row.bindings.begin(), row.bindings.end(), [&](const auto& binding) {
        return binding.name == setting.name && binding.value == values.front();
      });
    });
  });
  if (rows.empty()) add_rows(parameters, std::nullopt, file.place(), rows);
}

void mark_told(const std::vector<ParameterSetting>& set, std::vector<ParameterRow>& rows) {
  for (ParameterRow& row : rows) {
    for (std::size_t i = 0; i < row.bindings.size(); ++i) {
      ParameterRow::Binding& binding = row.bindings[i];
      binding.is_shown |= std::any_of(rows.begin(), rows.end(),
                                      [&](const ParameterRow& other) {
                                        return other.bindings[i].value != binding.value;
                                      }) ||
                          std::any_of(set.begin(), set.end(), [&](const ParameterSetting& each) {
                            return each.name == binding.name;
                          });
    }
  }
}

}  // namespace

std::string write_value(const OptionValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  return std::get<std::string>(value);
}

std::string ParameterRow::name() const {
  std::string text;
  for (const Binding& binding : bindings) {
    if (!binding.is_shown) continue;
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : ", ", binding.name, write_value(binding.value));
  }
  return text.empty() ? text : fmt::format("[{}]", text);
}

std::vector<ParameterRow> read_rows(const TableReader& file,
                                    const std::vector<ParameterSetting>& set) {
  const Parameters parameters = read_parameters(file);
  std::vector<ParameterRow> rows = listed_rows(file, parameters);
  mark_told({}, rows);
  if (!set.empty()) {
    keep_set_rows(file, parameters, set, rows);
    mark_told(set, rows);
  }
  return rows;
}

}  // namespace lockstep::scenario
