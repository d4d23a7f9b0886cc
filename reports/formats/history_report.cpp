#include "reports/formats/history_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "checker/recorded/explanation.h"
#include "checker/recorded/formats/function_names.h"
#include "checker/text.h"
#include "reports/text.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

namespace recorded = checker::recorded;

/// More than these are only counted.
constexpr std::size_t parts_told_max = 5;

/// Beside three lines of counts, two of what is left out, and two more.
constexpr std::size_t lines_of_parts = report_lines_max - 6;

struct PartCounts {
  std::int64_t linearizable = 0;
  std::int64_t not_linearizable = 0;
  std::int64_t unknown = 0;
};

PartCounts counts_of(const recorded::Decision& decision) {
  PartCounts counts;
  for (const recorded::KeyDecision& part : decision.parts) {
    switch (part.answer) {
      case recorded::Answer::linearizable:
        ++counts.linearizable;
        break;
      case recorded::Answer::not_linearizable:
        ++counts.not_linearizable;
        break;
      case recorded::Answer::unknown:
        ++counts.unknown;
        break;
    }
  }
  return counts;
}

std::int64_t process_count(const recorded::History& history) {
  std::vector<bool> seen(history.texts.size());
  for (const recorded::Operation& each : history.operations) {
    seen[static_cast<std::size_t>(each.process)] = true;
  }
  return std::count(seen.begin(), seen.end(), true);
}

std::string counts_in_words(const CheckedHistory& checked) {
  const recorded::ReadResult& read = checked.read;
  const auto operations = static_cast<std::int64_t>(read.history.operations.size());
  const auto objects = static_cast<std::int64_t>(checked.decision.parts.size());
  std::string words = fmt::format("{} by {} on {}", checker::counted(operations, "operation"),
                                  fmt::format("{} process{}", process_count(read.history),
                                              process_count(read.history) == 1 ? "" : "es"),
                                  checker::counted(objects, "object"));
  if (read.left_out > 0)
    words += fmt::format(", {} left out that failed with an error", read.left_out);
  if (read.passed_over > 0) {
    words += fmt::format(
        ", {} passed over",
        checker::counted(static_cast<std::int64_t>(read.passed_over), "event") + " of no client");
  }
  return words;
}

recorded::Told tell(const recorded::History& history, const recorded::KeyDecision& part,
                    std::size_t lines_max) {
  if (part.answer == recorded::Answer::not_linearizable) {
    return recorded::tell(history, part.explanation, lines_max);
  }
  recorded::Told told = recorded::tell(
      history, part.explanation, lines_max == recorded::all_lines ? lines_max : lines_max - 1);
  told.lines.insert(0, fmt::format("unknown, for {}; so far:\n", part.unknown_because));
  return told;
}

/// What isn't linearizable first, then what is unknown.
std::vector<const recorded::KeyDecision*> parts_to_tell(const recorded::Decision& decision) {
  std::vector<const recorded::KeyDecision*> parts;
  for (const recorded::Answer answer :
       {recorded::Answer::not_linearizable, recorded::Answer::unknown}) {
    for (const recorded::KeyDecision& part : decision.parts) {
      if (part.answer == answer) parts.push_back(&part);
    }
  }
  return parts;
}

/// The objects that are linearizable, each with the order that explains it.
std::string orders_in_words(const CheckedHistory& checked) {
  const recorded::History& history = checked.read.history;
  std::string out;
  for (const recorded::KeyDecision& part : checked.decision.parts) {
    if (part.answer != recorded::Answer::linearizable) continue;
    out += fmt::format("\n{}, in an order that explains it:\n", part.explanation.object);
    for (const std::uint32_t each : part.order) {
      out += fmt::format("  {}\n", recorded::describe(history, history.operations[each]));
    }
  }
  return out;
}

// -- JSON --

Json text_or_null(const recorded::History& history, recorded::TextId id) {
  return id == recorded::no_text ? Json() : json_text(history.texts.text(id));
}

std::string_view outcome_name(recorded::Outcome outcome) {
  return outcome == recorded::Outcome::ok     ? "ok"
         : outcome == recorded::Outcome::fail ? "fail"
                                              : "info";
}

std::string_view answer_name(recorded::Answer answer) {
  return answer == recorded::Answer::linearizable       ? "linearizable"
         : answer == recorded::Answer::not_linearizable ? "not-linearizable"
                                                        : "unknown";
}

Json json_of_operation(const recorded::History& history, std::uint32_t index) {
  const recorded::Operation& operation = history.operations[index];
  Json json = {{"process", text_or_null(history, operation.process)},
               {"owner", text_or_null(history, operation.owner)},
               {"f", std::string(recorded::to_string(operation.function))},
               {"outcome", std::string(outcome_name(operation.outcome))},
               {"line", operation.invoked_line}};
  if (operation.completed_line != 0) json["completed_line"] = operation.completed_line;
  for (const auto& [name, id] : {std::pair("argument", operation.argument),
                                 std::pair("second_argument", operation.second_argument),
                                 std::pair("result", operation.result)}) {
    if (id != recorded::no_text) json[name] = text_or_null(history, id);
  }
  if (operation.number != recorded::no_number) json["number"] = json_number(operation.number);
  if (operation.token != recorded::no_number) json["token"] = json_number(operation.token);
  return json;
}

Json json_of_operations(const recorded::History& history,
                        const std::vector<std::uint32_t>& operations) {
  Json list = Json::array();
  for (const std::uint32_t each : operations) list.push_back(json_of_operation(history, each));
  return list;
}

Json lines_of(const recorded::History& history, const std::vector<std::uint32_t>& order) {
  Json lines = Json::array();
  for (const std::uint32_t each : order) lines.push_back(history.operations[each].invoked_line);
  return lines;
}

Json json_of_orders(const CheckedHistory& checked) {
  Json orders = Json::array();
  for (const recorded::KeyDecision& part : checked.decision.parts) {
    if (part.answer != recorded::Answer::linearizable) continue;
    orders.push_back({{"key", text_or_null(checked.read.history, part.key)},
                      {"method", std::string(recorded::to_string(part.method))},
                      {"order_lines", lines_of(checked.read.history, part.order)}});
  }
  return orders;
}

Json json_of_final_path(const recorded::History& history, const recorded::FinalPath& way) {
  Json missing = Json::array();
  for (const recorded::NotPlaced& each : way.missing) {
    missing.push_back(
        {{"operation", json_of_operation(history, each.operation)}, {"why", json_text(each.why)}});
  }
  return {{"order_lines", lines_of(history, way.order)},
          {"state", json_text(way.state)},
          {"missing", std::move(missing)}};
}

Json json_of_proof(const recorded::History& history, const recorded::CountingProof& proof) {
  Json steps = Json::array();
  for (const recorded::CountingStep& step : proof.steps) {
    steps.push_back({{"f", step.acquires ? "acquire" : "release"},
                     {"until_line", history.operations[step.operation].completed_line},
                     {"within", json_number(step.within)},
                     {"at_least", json_number(step.at_least)}});
  }
  return {{"claim", json_text(recorded::claim_in_words(history, proof))},
          {"why", json_text(recorded::why_in_words(history, proof))},
          {"capacity", json_number(proof.capacity)},
          {"steps", std::move(steps)},
          {"others_invoked", json_number(proof.others_invoked)},
          {"counted", json_of_operations(history, proof.counted)},
          {"others", json_of_operations(history, proof.others)}};
}

Json json_of_key_decision(const recorded::History& history, const recorded::KeyDecision& part) {
  Json json = {{"key", text_or_null(history, part.key)},
               {"answer", std::string(answer_name(part.answer))},
               {"method", std::string(recorded::to_string(part.method))},
               {"operations", json_number(static_cast<std::uint64_t>(part.operations))}};
  const recorded::Explanation& explanation = part.explanation;
  if (part.answer == recorded::Answer::unknown) {
    json["unknown_because"] = json_text(part.unknown_because);
  }
  Json final_paths = Json::array();
  for (const recorded::FinalPath& way : explanation.final_paths) {
    final_paths.push_back(json_of_final_path(history, way));
  }
  json["stuck"] = json_of_operation(history, explanation.stuck);
  json["ways"] = std::move(final_paths);
  json["ways_in_all"] = json_number(explanation.final_path_count);
  json["core"] = json_of_operations(history, explanation.core);
  if (explanation.proof) json["proof"] = json_of_proof(history, *explanation.proof);
  json["in_words"] = json_text(recorded::tell(history, explanation, lines_of_parts).lines);
  return json;
}

}  // namespace

const recorded::KeyDecision* worst_key_decision(const recorded::Decision& decision) {
  const recorded::KeyDecision* unknown = nullptr;
  for (const recorded::KeyDecision& part : decision.parts) {
    if (part.answer == recorded::Answer::not_linearizable) return &part;
    if (part.answer == recorded::Answer::unknown && unknown == nullptr) unknown = &part;
  }
  return unknown;
}

std::string in_words(const CheckedHistory& checked) {
  const recorded::Decision& decision = checked.decision;
  std::string out = fmt::format("{}: {} as {}\n{}\n", sanitized(checked.path),
                                recorded::to_string(decision.answer),
                                recorded::to_string(checked.model), counts_in_words(checked));
  const PartCounts counts = counts_of(decision);
  if (decision.parts.size() > 1) {
    out += fmt::format("{} linearizable, {} not, {} unknown\n", counts.linearizable,
                       counts.not_linearizable, counts.unknown);
  }
  const std::vector<const recorded::KeyDecision*> parts = parts_to_tell(decision);
  const std::size_t told = std::min(parts.size(), parts_told_max);
  std::size_t left_out = 0;
  for (std::size_t index = 0; index < told; ++index) {
    const recorded::Told part =
        tell(checked.read.history, *parts[index], lines_of_parts / told - 1);
    out += '\n';
    out += sanitized_lines(part.lines);
    left_out += part.left_out;
  }
  if (parts.size() > told) out += fmt::format("\n({} objects more)\n", parts.size() - told);
  if (left_out > 0) {
    out += fmt::format("({} left out; --explanation FILE writes all)\n",
                       checker::counted(static_cast<std::int64_t>(left_out), "line"));
  }
  if (checked.witness == Witness::told) out += sanitized_lines(orders_in_words(checked));
  return out;
}

std::string explanation_in_words(const CheckedHistory& checked) {
  std::string out;
  for (const recorded::KeyDecision* part : parts_to_tell(checked.decision)) {
    if (!out.empty()) out += '\n';
    out += sanitized_lines(tell(checked.read.history, *part, recorded::all_lines).lines);
  }
  return out;
}

Json json_of(const CheckedHistory& checked) {
  const recorded::ReadResult& read = checked.read;
  const PartCounts counts = counts_of(checked.decision);
  Json parts = Json::array();
  for (const recorded::KeyDecision& part : checked.decision.parts) {
    if (part.answer != recorded::Answer::linearizable) {
      parts.push_back(json_of_key_decision(read.history, part));
    }
  }
  Json json = {
      {"schema", check_document_version},
      {"history", json_text(checked.path)},
      {"input_format", std::string(recorded::name_of(read.format))},
      {"model", std::string(recorded::to_string(checked.model))},
      {"answer", std::string(answer_name(checked.decision.answer))},
      {"operations", json_number(static_cast<std::uint64_t>(read.history.operations.size()))},
      {"processes", json_number(process_count(read.history))},
      {"passed_over", json_number(read.passed_over)},
      {"left_out", json_number(read.left_out)},
      {"objects",
       {{"linearizable", json_number(counts.linearizable)},
        {"not_linearizable", json_number(counts.not_linearizable)},
        {"unknown", json_number(counts.unknown)}}},
      {"not_explained", std::move(parts)}};
  if (checked.witness == Witness::told) json["explained"] = json_of_orders(checked);
  return json;
}

}  // namespace lockstep::reports
