#include "reports/formats/scenario_schema.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "checker/verdict.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/file/file_keys.h"
#include "scenario/step_forms.h"

namespace lockstep::reports {
namespace {

using Json = nlohmann::ordered_json;
using scenario::KeyForm;
using scenario::KeyType;
using scenario::TableName;

// Every string may also name a parameter.
constexpr std::string_view parameter = R"(.*\$.*)";
constexpr std::string_view duration = R"([+-]?[0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))";

Json pattern(const std::string& words) {
  std::string whole = "^(";
  whole += words;
  whole += '|';
  whole += parameter;
  whole += ")$";
  return {{"type", "string"}, {"pattern", std::move(whole)}};
}

std::string range_pattern(std::string_view end) {
  std::string words(end);
  words += R"((\.\.)";
  words += end;
  words += ")?";
  return words;
}

Json one_of_types(Json first, Json second) {
  return {{"anyOf", Json::array({std::move(first), std::move(second)})}};
}

Json text() { return {{"type", "string"}}; }
Json text_that_is_a_parameter() {
  return {{"type", "string"},
          {"pattern", R"(^\$(\{[A-Za-z][A-Za-z0-9_]*\}|[A-Za-z][A-Za-z0-9_]*)$)"}};
}
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json setting() { return {{"type", Json::array({"string", "integer", "boolean"})}}; }

Json table_schema(TableName table);

/// "lock lease=10s": a step begins with its word.
Json step() {
  std::string words;
  for (const scenario::StepForm& form : scenario::step_forms()) {
    words += words.empty() ? R"(\s*()" : "|";
    words += form.word;
  }
  words += R"()(\s.*)?)";
  return pattern(words);
}

Json property_names() {
  Json names = Json::array();
  for (const checker::Property each : checker::all_properties()) {
    names.push_back(checker::to_string(each));
  }
  return one_of_types({{"enum", std::move(names)}}, pattern(std::string(parameter)));
}

/// What a table holds whose keys are names of the file's own, or another's.
Json named(const KeyForm& form) {
  Json values = setting();
  if (form.key == "parameters") values = one_of_types(setting(), list_of(setting()));
  if (form.key == "scripts") values = text();
  if (form.key == "mix") {
    values = one_of_types({{"type", "integer"}, {"minimum", 1}}, text_that_is_a_parameter());
  }
  if (form.key == "nodes") values = table_schema(form.table);
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

Json type_schema(const KeyForm& form) {
  switch (form.type) {
    case KeyType::text:
      return text();
    case KeyType::text_or_texts: {
      const bool is_property = form.key == "violates" || form.key == "holds";
      const Json item = is_property ? property_names() : text();
      return one_of_types(item, list_of(item));
    }
    case KeyType::texts:
      return list_of(form.key == "run" ? step() : text());
    case KeyType::whole_number:
      return one_of_types({{"type", "integer"}}, text_that_is_a_parameter());
    case KeyType::boolean:
      return one_of_types({{"type", "boolean"}}, text_that_is_a_parameter());
    case KeyType::duration:
      return pattern(std::string(duration));
    case KeyType::duration_range:
    case KeyType::latency:
      return pattern(range_pattern(duration));
    case KeyType::ppm:
      return pattern("[+-]?[0-9]+ppm");
    case KeyType::number_range:
      return one_of_types({{"type", "integer"}}, pattern(R"([0-9]+\.\.[0-9]+)"));
    case KeyType::setting:
      return setting();
    case KeyType::table:
      return table_schema(form.table);
    case KeyType::tables:
      return list_of(table_schema(form.table));
    case KeyType::named:
      return named(form);
  }
  return Json::object();
}

Json described(const KeyForm& form) {
  Json schema = type_schema(form);
  schema["description"] = form.summary;
  return schema;
}

/// What strikes, with its own keys and those of every fault.
Json fault_schema(const scenario::FaultForm& form) {
  Json properties = Json::object();
  const bool has_groups = form.kind == scenario::FaultKind::partition;
  properties[std::string(form.word)] =
      has_groups ? list_of(list_of(text())) : one_of_types(text(), list_of(text()));
  properties[std::string(form.word)]["description"] = form.summary;
  const auto add = [&properties](std::string_view key) {
    properties[std::string(key)] = type_schema({key, scenario::type_of_fault_key(key), ""});
  };
  for (const std::string_view key : form.keys) add(key);
  for (const std::string_view key : scenario::trigger_keys()) add(key);
  for (const std::string_view key : scenario::repetition_keys(form)) add(key);
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", Json::array({form.word})},
          {"additionalProperties", false}};
}

Json faults_schema() {
  Json kinds = Json::array();
  for (const scenario::FaultForm& form : scenario::fault_forms())
    kinds.push_back(fault_schema(form));
  return {{"oneOf", std::move(kinds)}};
}

Json table_schema(TableName table) {
  if (table == TableName::fault) return faults_schema();
  Json properties = Json::object();
  for (const KeyForm& form : scenario::keys_of(table)) {
    properties[std::string(form.key)] = described(form);
  }
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  const bool has_own_names = table == TableName::parameter_case;
  schema["additionalProperties"] =
      has_own_names ? one_of_types(setting(), list_of(setting())) : Json(false);
  if (table == TableName::file) return schema;  // a base may have what is required, or be one
  Json required = Json::array();
  for (const KeyForm& form : scenario::keys_of(table)) {
    if (form.is_required) required.push_back(form.key);
  }
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

}  // namespace

std::string scenario_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "A scenario of Lockstep"}};
  schema.update(table_schema(TableName::file));
  Json required = Json::array();
  for (const KeyForm& form : scenario::keys_of(TableName::file)) {
    if (form.is_required) required.push_back(form.key);
  }
  schema["anyOf"] =
      Json::array({{{"required", std::move(required)}}, {{"required", Json::array({"base"})}}});
  return schema.dump(2) + "\n";
}

}  // namespace lockstep::reports
