#include "reports/formats/scenario_schema.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "checker/property.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/file/file_keys.h"
#include "scenario/step_forms.h"

namespace lockstep::reports {
namespace {

using Json = nlohmann::ordered_json;
using scenario::KeyForm;
using scenario::KeyType;

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

Json table_schema(const KeyForm& form);

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

/// A table whose keys are names of the file's own, or another's.
Json by_name(Json values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

Json faults_schema();

Json type_schema(const KeyForm& form) {
  switch (form.type) {
    case KeyType::text:
      return text();
    case KeyType::text_or_texts:
      return one_of_types(text(), list_of(text()));
    case KeyType::property_or_properties:
      return one_of_types(property_names(), list_of(property_names()));
    case KeyType::steps:
      return list_of(step());
    case KeyType::whole_number:
      return one_of_types({{"type", "integer"}}, text_that_is_a_parameter());
    case KeyType::boolean:
      return one_of_types({{"type", "boolean"}}, text_that_is_a_parameter());
    case KeyType::duration:
      return pattern(std::string(duration));
    case KeyType::duration_range:
    case KeyType::latency:
      return pattern(range_pattern(duration));
    case KeyType::ppm_range:
      return pattern(range_pattern("[+-]?[0-9]+ppm"));
    case KeyType::ppm:
      return pattern("[+-]?[0-9]+ppm");
    case KeyType::number_range:
      return one_of_types({{"type", "integer"}}, pattern(R"([0-9]+\.\.[0-9]+)"));
    case KeyType::setting:
      return setting();
    case KeyType::table:
      return table_schema(form);
    case KeyType::tables:
    case KeyType::cases:
      return list_of(table_schema(form));
    case KeyType::faults:
      return list_of(faults_schema());
    case KeyType::tables_by_name:
      return by_name(table_schema(form));
    case KeyType::settings_by_name:
      return by_name(setting());
    case KeyType::texts_by_name:
      return by_name(text());
    case KeyType::weights_by_name:
      return by_name(
          one_of_types({{"type", "integer"}, {"minimum", 1}}, text_that_is_a_parameter()));
    case KeyType::settings_or_lists_by_name:
      return by_name(one_of_types(setting(), list_of(setting())));
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
  const bool has_groups = form.target.kind == scenario::TargetKind::groups;
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

Json keys_schema(const std::vector<KeyForm>& forms) {
  Json properties = Json::object();
  for (const KeyForm& form : forms) properties[std::string(form.key)] = described(form);
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json required_keys(const std::vector<KeyForm>& forms) {
  Json required = Json::array();
  for (const KeyForm& form : forms) {
    if (form.is_required) required.push_back(form.key);
  }
  return required;
}

Json table_schema(const KeyForm& form) {
  const std::vector<KeyForm> forms = form.keys();
  Json schema = keys_schema(forms);
  if (form.type == KeyType::cases) {  // its other keys are parameters
    schema["additionalProperties"] = one_of_types(setting(), list_of(setting()));
  }
  Json required = required_keys(forms);
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

}  // namespace

std::string scenario_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "A scenario of Lockstep"}};
  const std::vector<KeyForm> keys = scenario::scenario_keys();
  schema.update(keys_schema(keys));
  // A base may have what is required, or be one.
  schema["anyOf"] =
      Json::array({{{"required", required_keys(keys)}}, {{"required", Json::array({"base"})}}});
  return schema.dump(2) + "\n";
}

}  // namespace lockstep::reports
