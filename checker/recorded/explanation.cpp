#include "checker/recorded/explanation.h"

#include <fmt/format.h>

#include <string_view>

#include "checker/recorded/formats/function_names.h"
#include "checker/text.h"

namespace lockstep::checker::recorded {
namespace {

/// " of 3", " of 3 to 4", or nothing.
std::string with_values(const History& history, const Operation& operation) {
  const auto text = [&](TextId id) { return history.texts.text(id); };
  switch (operation.function) {
    case Function::read:
      return operation.result == no_text ? std::string()
                                         : fmt::format(" of {}", text(operation.result));
    case Function::write:
    case Function::append:
      return operation.argument == no_text ? std::string()
                                           : fmt::format(" of {}", text(operation.argument));
    case Function::compare_and_set:
      if (operation.argument == no_text || operation.second_argument == no_text) return {};
      return fmt::format(" from {} to {}", text(operation.argument),
                         text(operation.second_argument));
    case Function::acquire:
    case Function::release:
    case Function::renew:
    case Function::force_release:
    case Function::read_acquire:
    case Function::read_release:
    case Function::write_acquire:
    case Function::write_release:
    case Function::set_count:
    case Function::count_down:
    case Function::await:
      break;
  }
  if (operation.token != no_number) return fmt::format(" with token {}", operation.token);
  return {};
}

std::string_view ending(const Operation& operation) {
  switch (operation.outcome) {
    case Outcome::ok:
      return "ok";
    case Outcome::fail:
      return "failed";
    case Outcome::info:
      return "outcome unknown";
  }
  return "";
}

std::string line_of(const Operation& operation) {
  return operation.invoked_line == 0 ? std::string()
                                     : fmt::format(", line {}", operation.invoked_line);
}

/// "a/1's", or "process 3's" where the history has numbers only.
std::string whose(const History& history, const Operation& operation) {
  const TextId who = operation.owner == no_text ? operation.process : operation.owner;
  if (who == no_text) return "somebody's";
  const std::string_view name = history.texts.text(who);
  const bool is_number = name.find_first_not_of("0123456789") == std::string_view::npos;
  return fmt::format("{}{}'s", is_number ? "process " : "", name);
}

enum class OfCore : std::uint8_t { no, yes };

void add_final_path(const History& history, const FinalPath& way, OfCore is_of_core,
                    std::string& out) {
  const std::size_t count = way.order.size();
  out += is_of_core == OfCore::yes
             ? fmt::format("  after {} of these, in some order, it is {}", count, way.state)
             : fmt::format("  after {} in some order it is {}",
                           counted(static_cast<std::int64_t>(count), "operation"), way.state);
  if (!way.order.empty()) {
    out += fmt::format(", the last of them {}",
                       describe(history, history.operations[way.order.back()]));
  }
  out += '\n';
  for (const NotPlaced& missing : way.missing) {
    out += fmt::format("    {}: not possible, {}\n",
                       describe(history, history.operations[missing.operation]), missing.why);
  }
}

}  // namespace

std::string describe(const History& history, const Operation& operation) {
  return fmt::format("{} {}{} ({}{})", whose(history, operation), to_string(operation.function),
                     with_values(history, operation), ending(operation), line_of(operation));
}

std::string in_words(const History& history, const Explanation& explanation) {
  const Operation& stuck = history.operations[explanation.stuck];
  const std::string_view how_far = explanation.is_certain ? "no order of the operations gets past"
                                                          : "the search had not got past";
  std::string out = fmt::format("{}: {} the return of {}\n", explanation.object, how_far,
                                describe(history, stuck));
  if (!explanation.core.empty()) {
    out += "These alone have no order:\n";
    for (const std::uint32_t operation : explanation.core) {
      out += fmt::format("  {}\n", describe(history, history.operations[operation]));
    }
  }
  const OfCore is_of_core = explanation.core.empty() ? OfCore::no : OfCore::yes;
  for (const FinalPath& way : explanation.final_paths)
    add_final_path(history, way, is_of_core, out);
  if (explanation.final_path_count > explanation.final_paths.size()) {
    out += fmt::format("  ({} ways came as far; each state is told once)\n",
                       explanation.final_path_count);
  }
  return out;
}

}  // namespace lockstep::checker::recorded
