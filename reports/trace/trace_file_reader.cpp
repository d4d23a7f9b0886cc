#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <istream>
#include <map>
#include <optional>
#include <system_error>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "reports/shown_run.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "reports/trace/line_reader.h"
#include "reports/trace/trace_file.h"
#include "reports/trace/trace_hash.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

constexpr int depth_max = 8;                      // a trace's own lines have at most 5
constexpr std::size_t shown_characters_max = 40;  // of a line that is quoted

/// Reads one trace. Each read_… takes in the current line or complains at it.
class Reader {
 public:
  Reader(std::string path, std::istream& in, const TraceFileLimits& limits)
      : lines_(path, in, {limits.line_bytes_max, limits.file_bytes_max}), limits_(limits) {
    file_.path = std::move(path);
  }

  TraceFile read() {
    if (!lines_.next()) lines_.fail("the file is empty; a Lockstep trace was expected");
    read_header();
    checksum_ = checksum_after(checksum_, lines_.line());
    while (lines_.next()) {
      parse();
      if (json_.contains("end")) {
        read_end();
        if (lines_.next()) lines_.fail("nothing may follow the trace's last line");
        return std::move(file_);
      }
      read_line();
      checksum_ = checksum_after(checksum_, lines_.line());
    }
    lines_.fail(
        fmt::format("the trace is cut short after {} events: its last line, \"end\", is missing",
                    file_.example.trace.events.size()));
  }

 private:
  // -- values --

  void parse() {
    if (!parses()) lines_.fail("this is not a line of a trace: it is no JSON object");
  }

  bool parses() {
    bool too_deep = false;
    const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
      too_deep = too_deep || depth > depth_max;
      return !too_deep;
    };
    json_ = Json::parse(lines_.line(), shallow, /*allow_exceptions=*/false);
    return !too_deep && json_.is_object();
  }

  /// The member, or a complaint that names it.
  const Json& member(const Json& of, std::string_view name) {
    const auto found = of.is_object() ? of.find(std::string(name)) : of.end();
    if (!of.is_object() || found == of.end()) {
      lines_.fail(fmt::format("\"{}\" is missing", name));
    }
    return *found;
  }

  template <typename Value>
  Value expect(std::optional<Value> value, std::string_view name, std::string_view expected) {
    if (!value) lines_.fail(fmt::format("\"{}\" was expected to be {}", name, expected));
    return *std::move(value);
  }

  std::string text(const Json& of, std::string_view name) {
    return expect(text_from(member(of, name)), name, "a text");
  }
  std::int64_t number(const Json& of, std::string_view name) {
    return expect(number_from(member(of, name)), name, "a whole number");
  }
  /// A time that may be; `expected` where it is none.
  sim::TimeNs time_from(const Json& value, std::string_view name, std::string_view expected) {
    const sim::TimeNs at = expect(number_from(value), name, expected);
    if (at < 0) lines_.fail(fmt::format("\"{}\": a time before the run began", name));
    return at;
  }
  std::uint64_t count(const Json& of, std::string_view name) {
    return expect(unsigned_from(member(of, name)), name, "a whole number, at least 0");
  }
  std::uint64_t hash(const Json& of, std::string_view name) {
    return expect(hash_from(member(of, name)), name, "16 hexadecimal digits");
  }

  /// The list; an empty one where there is none.
  Json optional_list(const Json& of, std::string_view name) {
    if (!of.contains(std::string(name))) return Json::array();
    const Json& list = member(of, name);
    if (!list.is_array()) lines_.fail(fmt::format("\"{}\" was expected to be a list", name));
    return list;
  }

  // -- lines --

  void read_header();
  void read_actors();
  void read_choices();
  void read_event();
  void read_fields(model::RecordedEvent& event);
  void read_verdict();
  checker::Moment moment(const Json& of, std::string_view name);
  checker::Evidence evidence(const Json& of);
  void read_end();

  void read_line() {
    if (json_.contains("event")) {
      read_event();
    } else if (json_.contains("choices")) {
      read_choices();
    } else if (json_.contains("verdict")) {
      read_verdict();
    } else {
      lines_.fail("an event, choices, a verdict or the end was expected");
    }
  }

  LineReader lines_;
  TraceFileLimits limits_;
  Json json_;  // the current line
  TraceFile file_;
  std::map<std::string, sim::ActorId, std::less<>> actors_;
  std::uint64_t checksum_ = 0;
};

void Reader::read_header() {
  if (!parses() || !json_.contains("lockstep_trace")) {
    lines_.fail(fmt::format("this is not a Lockstep trace: it begins with \"{}\"",
                            shortened(sanitized(lines_.line().substr(0, 4 * shown_characters_max)),
                                      shown_characters_max)));
  }
  const std::int64_t format = number(json_, "lockstep_trace");
  if (format != trace_file_version) {
    lines_.fail(fmt::format("the trace has format {}; this Lockstep reads format {}", format,
                            trace_file_version));
  }
  const Json scenario = member(json_, "scenario");
  file_.scenario_path = text(scenario, "path");
  if (scenario.contains("folder")) file_.scenario_folder = text(scenario, "folder");
  file_.scenario_title = text(scenario, "title");
  file_.scenario_text = text(scenario, "text");
  for (const Json& base : optional_list(scenario, "bases")) {
    file_.scenario_bases.push_back({text(base, "path"), text(base, "text")});
  }
  for (const Json& parameter : optional_list(scenario, "parameters")) {
    file_.scenario_parameters.push_back({text(parameter, "name"), text(parameter, "value")});
  }
  file_.example.seed = count(json_, "seed");
  if (json_.contains("found")) {
    const Json found = member(json_, "found");
    file_.example.origin = {count(found, "run"), text(found, "strategy"), count(found, "seed")};
  }
  const std::int64_t version = number(json_, "model_version");
  if (version != model_version) {
    lines_.fail(
        fmt::format("the trace was made by model version {}, this Lockstep has version {}: what it "
                    "shows may no "
                    "longer be so. Run its scenario again (\"{}\", {})",
                    version, model_version, shortened(sanitized(file_.scenario_path), 200),
                    made_by(file_.example)));
  }
  file_.example.lock_digest = hash(json_, "lock_digest");
  read_actors();
}

void Reader::read_actors() {
  const Json& actors = member(json_, "actors");
  if (!actors.is_array()) lines_.fail("\"actors\" was expected to be a list");
  for (const Json& each : actors) {
    sim::Actor actor{text(each, "name"), text(each, "kind"), text(each, "group")};
    const sim::ActorId id{static_cast<std::uint32_t>(file_.example.trace.actors.size())};
    if (!actors_.emplace(actor.name, id).second) {
      lines_.fail(fmt::format("two actors have the name \"{}\"", sanitized(actor.name)));
    }
    file_.example.trace.actors.push_back(std::move(actor));
  }
}

void Reader::read_choices() {
  const Json& values = json_["choices"];
  if (!values.is_array()) lines_.fail("\"choices\" was expected to be a list");
  for (const Json& each : values) {
    std::array<std::uint64_t, 4> parts{};  // purpose, owner, count, value
    bool is_choice = each.is_array() && each.size() == parts.size();
    for (std::size_t i = 0; is_choice && i < parts.size(); ++i) {
      const auto part = unsigned_from(each[i]);
      is_choice = part.has_value();
      parts[i] = part.value_or(0);
    }
    is_choice = is_choice && parts[0] <= static_cast<std::uint64_t>(sim::last_purpose) &&
                parts[1] <= UINT32_MAX && parts[2] >= 2 && parts[3] < parts[2];
    if (!is_choice) {
      lines_.fail("a choice was expected to be [purpose, owner, count, value < count]");
    }
    file_.example.trace.choices.push_back(
        {{static_cast<sim::Purpose>(parts[0]), static_cast<std::uint32_t>(parts[1])},
         parts[2],
         parts[3]});
  }
}

void Reader::read_event() {
  std::vector<model::RecordedEvent>& events = file_.example.trace.events;
  if (count(json_, "event") != events.size()) {
    lines_.fail(fmt::format("event {} was expected here: a line is missing or out of place",
                            events.size()));
  }
  if (events.size() == limits_.events_max) {
    lines_.fail(fmt::format("the trace has more than {} events", limits_.events_max));
  }
  model::RecordedEvent event{};
  event.at = number(json_, "at_ns");
  event.kind = text(json_, "kind");
  event.actor = sim::no_actor;
  if (!member(json_, "actor").is_null()) {
    const std::string name = text(json_, "actor");
    const auto actor = actors_.find(name);
    if (actor == actors_.end()) {
      lines_.fail(fmt::format("no actor has the name \"{}\"", shortened(sanitized(name), 100)));
    }
    event.actor = actor->second;
  }
  read_fields(event);
  event.hash = hash(json_, "hash");
  const std::uint64_t previous = events.empty() ? 0 : events.back().hash;
  if (hash_after(previous, event) != event.hash) {
    lines_.fail(fmt::format("event {} was changed after it was recorded: its hash does not fit",
                            events.size()));
  }
  if (event.at < (events.empty() ? 0 : events.back().at)) {
    lines_.fail(fmt::format("event {} lies before the one before it", events.size()));
  }
  events.push_back(std::move(event));
}

void Reader::read_fields(model::RecordedEvent& event) {
  const Json& fields = member(json_, "fields");
  if (!fields.is_object()) lines_.fail("\"fields\" was expected to be an object");
  event.fields.reserve(fields.size());
  for (const auto& field : fields.items()) {
    const Json& value = field.value();
    if (value.is_number() || (value.is_object() && value.contains("number"))) {
      event.fields.emplace_back(
          field.key(), value.is_number()
                           ? expect(number_from(value), field.key(), "a whole number within ±2^53")
                           : number(value, "number"));
    } else {
      event.fields.emplace_back(field.key(),
                                expect(text_from(value), field.key(), "a number or a text"));
    }
  }
}

checker::Moment Reader::moment(const Json& of, std::string_view name) {
  const Json& value = member(of, name);
  if (!value.is_array() || value.size() != 2) {
    lines_.fail(fmt::format("\"{}\" was expected to be [ns, order]", name));
  }
  return {time_from(value[0], name, "[ns, order]"),
          expect(unsigned_from(value[1]), name, "[ns, order]")};
}

checker::Evidence Reader::evidence(const Json& of) {
  checker::Evidence result;
  result.what = text(of, "what");
  if (!member(of, "who").is_null())
    result.who = file_.example.judged->names.intern(text(of, "who"));
  result.from = moment(of, "from");
  if (of.contains("until")) result.until = moment(of, "until");
  return result;
}

void Reader::read_verdict() {
  checker::Verdict verdict{};
  verdict.property =
      expect(checker::property_from(text(json_, "verdict")), "verdict", "the name of a property");
  const std::string result = text(json_, "result");
  bool known = false;
  for (const auto kind : {checker::VerdictKind::holds, checker::VerdictKind::violated,
                          checker::VerdictKind::unknown}) {
    if (result != checker::to_string(kind)) continue;
    verdict.kind = kind;
    known = true;
  }
  if (!known) lines_.fail("\"result\" was expected to be holds, violated or unknown");
  verdict.summary = text(json_, "summary");
  const Json& list = member(json_, "evidence");
  if (!list.is_array() || list.size() > checker::evidence_max) {
    lines_.fail(
        fmt::format("\"evidence\" was expected to be a list of at most {}", checker::evidence_max));
  }
  for (const Json& each : list) verdict.evidence.push_back(evidence(each));
  if (json_.contains("overlap_ns")) {
    const Json& bounds = json_["overlap_ns"];
    if (!bounds.is_array() || bounds.size() != 2) {
      lines_.fail("\"overlap_ns\" was expected to be [from, until]");
    }
    verdict.overlap_from_ns = time_from(bounds[0], "overlap_ns", "[from, until]");
    verdict.overlap_until_ns = time_from(bounds[1], "overlap_ns", "[from, until]");
    if (*verdict.overlap_until_ns < *verdict.overlap_from_ns) {
      lines_.fail("\"overlap_ns\" ends before it begins");
    }
  }
  file_.example.verdicts.push_back(std::move(verdict));
}

void Reader::read_end() {
  const Json end = member(json_, "end");
  search::RunRecord& example = file_.example;
  const std::string why = text(end, "why");
  bool known = false;
  for (const auto kind :
       {model::RunEnd::at_rest, model::RunEnd::horizon, model::RunEnd::event_limit}) {
    if (why != model::to_string(kind)) continue;
    example.end = kind;
    known = true;
  }
  if (!known) lines_.fail("\"why\" was expected to be at-rest, horizon or event-limit");
  example.ended_at_ns = time_from(member(end, "at_ns"), "at_ns", "a whole number");
  example.trace.hash = hash(end, "hash");
  const std::uint64_t events = count(end, "events");
  const std::uint64_t choices = count(end, "choices");
  if (events != example.trace.events.size() || choices != example.trace.choices.size()) {
    lines_.fail(fmt::format("the trace had {} events and {} choices; {} and {} are left", events,
                            choices, example.trace.events.size(), example.trace.choices.size()));
  }
  const std::uint64_t last = example.trace.events.empty() ? 0 : example.trace.events.back().hash;
  if (last != example.trace.hash) {
    lines_.fail("the trace's hash is not that of its last event");
  }
  if (hash(end, "checksum") != file_checksum(checksum_, example)) {
    lines_.fail(
        "the file was changed after it was written: the checksum of its lines does not fit");
  }
}

}  // namespace

TraceFile read_trace(std::string path, std::istream& in, const TraceFileLimits& limits) {
  TraceFile file = Reader(std::move(path), in, limits).read();
  try {
    file.example.wrong_clocks = search::wrong_clocks_of(scenario_of(file));
  } catch (const scenario::InputError&) {
    // A scenario that this version does not read: what follows from its clocks is not told.
  }
  return file;
}

namespace {

namespace fs = std::filesystem;

/// The scenario, read as if its file were in another folder.
scenario::Scenario scenario_in(const TraceFile& file, const fs::path& folder) {
  const fs::path seat = fs::path(file.scenario_path).parent_path();
  const auto moved = [&](const std::string& path) {
    if (folder == seat || fs::path(path).is_absolute()) return path;
    const fs::path seen = (seat.empty() ? fs::path(path) : fs::path(path).lexically_relative(seat))
                              .lexically_normal();
    return (folder / seen).lexically_normal().string();
  };
  std::vector<scenario::SourceFile> files = {
      {fs::path(file.scenario_path).is_absolute() && folder != seat
           ? (folder / fs::path(file.scenario_path).filename()).string()
           : moved(file.scenario_path),
       file.scenario_text}};
  for (const scenario::SourceFile& base : file.scenario_bases) {
    files.push_back({moved(base.path), base.text});
  }
  return std::move(scenario::parse_scenarios(files, file.scenario_parameters).front());
}

/// Whether the files are there that it names by their places.
bool has_its_files(const scenario::Scenario& scenario) {
  const fs::path folder = fs::path(scenario.path).parent_path();
  std::error_code error;
  const bool is_folder = scenario.lock.starts_with('.') || scenario.lock.starts_with('/');
  // "./mine/variant": what is there is mine.
  const fs::path lock = folder / scenario.lock;
  if (is_folder && !fs::exists(lock, error) &&
      !fs::exists(lock.parent_path() / "lock.toml", error)) {
    return false;
  }
  return std::all_of(scenario.scripts.begin(), scenario.scripts.end(), [&](const auto& script) {
    return fs::exists(script.second, error) || fs::exists(folder / script.second, error);
  });
}

}  // namespace

scenario::Scenario scenario_of(const TraceFile& file) {
  const fs::path as_given = fs::path(file.scenario_path).parent_path();
  if (!file.scenario_folder.empty()) {
    const fs::path beside =
        (fs::path(file.path).parent_path() / file.scenario_folder).lexically_normal();
    scenario::Scenario scenario = scenario_in(file, beside.empty() ? fs::path(".") : beside);
    if (has_its_files(scenario)) return scenario;
  }
  return scenario_in(file, as_given);
}

TraceFile read_trace_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw scenario::InputError::about(path, "it can't be opened");
  return read_trace(path, in);
}

}  // namespace lockstep::reports
