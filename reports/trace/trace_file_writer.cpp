#include <algorithm>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <string>
#include <system_error>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "reports/trace/json_values.h"
#include "reports/trace/trace_file.h"
#include "reports/trace/trace_hash.h"
#include "scenario/explain.h"
#include "scenario/scenario.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t choices_a_line = 1'000;

/// Writes lines and sums them up.
class Lines {
 public:
  explicit Lines(std::ostream& out) : out_(out) {}

  void write(const Json& line) {
    const std::string text = line.dump();
    checksum_ = checksum_after(checksum_, text);
    out_ << text << '\n';
  }
  [[nodiscard]] std::uint64_t checksum() const { return checksum_; }

 private:
  std::ostream& out_;
  std::uint64_t checksum_ = 0;
};

/// The folder of a scenario's file as seen from the trace's; empty: it can't be told.
std::string folder_from(const std::string& trace_path, const std::string& scenario_path) {
  namespace fs = std::filesystem;
  if (trace_path.empty()) return {};
  std::error_code error;
  const fs::path trace = fs::absolute(trace_path, error).lexically_normal().parent_path();
  if (error) return {};
  const fs::path scenario = fs::absolute(scenario_path, error).lexically_normal().parent_path();
  return error ? std::string() : scenario.lexically_relative(trace).generic_string();
}

/// As seen from here: an absolute path would say where this machine has it.
std::string as_seen_from_here(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole(path);
  if (whole.is_relative()) return path;
  const std::filesystem::path seen = whole.lexically_relative(std::filesystem::current_path(error));
  return error || seen.empty() ? path : seen.generic_string();
}

/// All that the scenario is read from.
Json scenario_source(const scenario::Scenario& scenario, const std::string& trace_path) {
  Json source = Json::object({{"path", json_text(as_seen_from_here(scenario.path))},
                              {"title", json_text(scenario.title)},
                              {"text", json_text(scenario.text)}});
  const std::string folder = folder_from(trace_path, scenario.path);
  if (!folder.empty()) source["folder"] = json_text(folder);
  Json in_words = Json::array();
  std::istringstream lines(scenario::explain(scenario));
  for (std::string line; std::getline(lines, line);) in_words.push_back(json_text(line));
  source["in_words"] = std::move(in_words);
  if (!scenario.bases.empty()) {
    Json bases = Json::array();
    for (const scenario::SourceFile& base : scenario.bases) {
      bases.push_back(Json::object(
          {{"path", json_text(as_seen_from_here(base.path))}, {"text", json_text(base.text)}}));
    }
    source["bases"] = std::move(bases);
  }
  if (!scenario.parameters.empty()) {
    Json parameters = Json::array();
    for (const scenario::ParameterSetting& each : scenario.parameters) {
      parameters.push_back(
          Json::object({{"name", json_text(each.name)}, {"value", json_text(each.value)}}));
    }
    source["parameters"] = std::move(parameters);
  }
  return source;
}

Json header(const scenario::Scenario& scenario, const search::RunRecord& example,
            const std::string& trace_path) {
  Json actors = Json::array();
  for (const sim::Actor& actor : example.trace.actors) {
    actors.push_back(Json::object({{"name", json_text(actor.name)},
                                   {"kind", json_text(actor.kind)},
                                   {"group", json_text(actor.group)}}));
  }
  Json line = Json::object({{"lockstep_trace", trace_file_version},
                            {"model_version", model_version},
                            {"seed", json_number(example.seed)}});
  if (example.origin) {
    line["found"] = Json::object({{"run", json_number(example.origin->run)},
                                  {"strategy", json_text(example.origin->strategy)},
                                  {"seed", json_number(example.origin->root_seed)}});
  }
  line["scenario"] = scenario_source(scenario, trace_path);
  line["lock_digest"] = json_hash(example.lock_digest);
  line["actors"] = std::move(actors);
  return line;
}

void write_choices(Lines& lines, const std::vector<sim::Choice>& choices) {
  for (std::size_t first = 0; first < choices.size(); first += choices_a_line) {
    Json values = Json::array();
    const std::size_t end = std::min(first + choices_a_line, choices.size());
    for (std::size_t i = first; i < end; ++i) {
      const sim::Choice& choice = choices[i];
      values.push_back(
          Json::array({static_cast<unsigned>(choice.stream.purpose), choice.stream.owner,
                       json_number(choice.count), json_number(choice.value)}));
    }
    lines.write(Json::object({{"choices", std::move(values)}}));
  }
}

Json field_value(const std::variant<std::int64_t, std::string>& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return json_text(*text);
  Json number = json_number(std::get<std::int64_t>(value));
  if (number.is_string())
    return Json::object({{"number", std::move(number)}});  // else it would be text
  return number;
}

void write_events(Lines& lines, const model::RecordedTrace& trace) {
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const model::RecordedEvent& event = trace.events[i];
    Json fields = Json::object();
    for (const auto& [name, value] : event.fields) fields[name] = field_value(value);
    const auto actor = static_cast<std::uint32_t>(event.actor);
    lines.write(Json::object(
        {{"event", i},
         {"at_ns", json_number(event.at)},
         {"kind", event.kind},
         {"actor", event.actor == sim::no_actor ? Json() : json_text(trace.actors[actor].name)},
         {"fields", std::move(fields)},
         {"hash", json_hash(event.hash)}}));
  }
}

Json moment(const checker::Moment& moment) {
  return Json::array({json_number(moment.at_ns), json_number(moment.order)});
}

Json verdict_line(const checker::Names& names, const checker::Verdict& verdict) {
  Json line = Json::object({{"verdict", checker::to_string(verdict.property)},
                            {"result", checker::to_string(verdict.kind)},
                            {"summary", json_text(verdict.summary)}});
  Json evidence = Json::array();
  for (const checker::Evidence& each : verdict.evidence) {
    Json one = Json::object({
        {"what", json_text(each.what)},
        {"who", each.who == checker::no_name ? Json() : json_text(names.text(each.who))},
        {"from", moment(each.from)},
    });
    if (each.until) one["until"] = moment(*each.until);
    evidence.push_back(std::move(one));
  }
  line["evidence"] = std::move(evidence);
  if (verdict.overlap_from_ns && verdict.overlap_until_ns) {
    line["overlap_ns"] = Json::array(
        {json_number(*verdict.overlap_from_ns), json_number(*verdict.overlap_until_ns)});
  }
  return line;
}

}  // namespace

void write_trace(std::ostream& out, const scenario::Scenario& scenario,
                 const search::RunRecord& example, const std::string& path) {
  Lines lines(out);
  lines.write(header(scenario, example, path));
  write_choices(lines, example.trace.choices);
  write_events(lines, example.trace);
  for (const checker::Verdict& verdict : example.verdicts) {
    lines.write(verdict_line(example.judged->names, verdict));
  }
  lines.write(Json::object(
      {{"end",
        Json::object({{"why", model::to_string(example.end)},
                      {"at_ns", json_number(example.ended_at_ns)},
                      {"events", example.trace.events.size()},
                      {"choices", example.trace.choices.size()},
                      {"hash", json_hash(example.trace.hash)},
                      {"checksum", json_hash(file_checksum(lines.checksum(), example))}})}}));
}

}  // namespace lockstep::reports
