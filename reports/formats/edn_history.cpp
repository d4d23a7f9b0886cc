#include "reports/formats/edn_history.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "checker/recorded/formats/function_names.h"

namespace lockstep::reports {
namespace {

namespace recorded = checker::recorded;

std::string edn_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : text) {
    switch (character) {
      case '"':
      case '\\':
        quoted.append("\\").push_back(character);
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default:
        quoted += character;
    }
  }
  return quoted + '"';
}

std::string_view type_word(recorded::Outcome outcome) {
  switch (outcome) {
    case recorded::Outcome::ok:
      return "ok";
    case recorded::Outcome::fail:
      return "fail";
    case recorded::Outcome::info:
      return "info";
  }
  return "info";
}

struct EdnEvent {
  const recorded::Operation* operation = nullptr;
  bool is_completion = false;
};

/// What both events of an operation say alike.
std::string common_fields(const recorded::History& history, const recorded::Operation& operation) {
  const recorded::Texts& texts = history.texts;
  std::string fields = fmt::format(":process {}", edn_text(texts.text(operation.process)));
  if (operation.owner != operation.process) {
    fields += fmt::format(", :owner {}", edn_text(texts.text(operation.owner)));
  }
  fields += fmt::format(", :f :{}", recorded::to_string(operation.function));
  if (operation.key != recorded::no_text) {
    fields += fmt::format(", :key {}", edn_text(texts.text(operation.key)));
  }
  return fields;
}

}  // namespace

void write_edn(std::ostream& out, const recorded::History& history) {
  std::vector<EdnEvent> events(history.events);
  for (const recorded::Operation& each : history.operations) {
    events[each.invoked] = {&each, false};
    if (each.completed != recorded::never_completed) events[each.completed] = {&each, true};
  }
  for (const EdnEvent& event : events) {
    if (event.operation == nullptr) continue;
    const recorded::Operation& operation = *event.operation;
    std::string line = fmt::format("{{:type :{}, {}, :value nil",
                                   event.is_completion ? type_word(operation.outcome) : "invoke",
                                   common_fields(history, operation));
    const std::int64_t at_ns = event.is_completion ? operation.completed_ns : operation.invoked_ns;
    if (at_ns != recorded::no_number) line += fmt::format(", :time {}", at_ns);
    if (!event.is_completion && operation.number != recorded::no_number) {
      line += fmt::format(", :lease_ns {}", operation.number);
    }
    if (event.is_completion && operation.token != recorded::no_number) {
      line += fmt::format(", :token {}", operation.token);
    }
    out << line << "}\n";
  }
}

}  // namespace lockstep::reports
