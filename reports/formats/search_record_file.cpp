#include "reports/formats/search_record_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "checker/property.h"
#include "reports/trace/json_values.h"
#include "reports/trace/line_reader.h"
#include "reports/trace/trace_hash.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/open_faults.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t states_a_line = 1'000;
constexpr std::size_t record_line_bytes_max = std::size_t{64} << 20U;
constexpr std::size_t record_file_bytes_max = std::size_t{8} << 30U;

// -- values: what was read has a checksum, so a wrong one is no user's mistake --

template <typename Value>
Value wanted(std::optional<Value> value, std::string_view what) {
  if (!value) throw std::runtime_error(fmt::format("{} was expected", what));
  return *std::move(value);
}

std::uint64_t count_of(const Json& value) { return wanted(unsigned_from(value), "a count"); }

std::string text_of(const Json& value) { return wanted(text_from(value), "a text"); }

scenario::FaultKind kind_of(const Json& value) {
  for (std::size_t i = 0; i < scenario::fault_kind_count; ++i) {
    const auto kind = static_cast<scenario::FaultKind>(i);
    if (value == scenario::to_string(kind)) return kind;
  }
  throw std::runtime_error("the name of a fault was expected");
}

checker::Property property_of(const Json& value) {
  return wanted(checker::property_from(text_of(value)), "the name of a property");
}

// -- the tallies of a batch --

Json failure_values(const search::FailureSummary& failures) {
  return Json::array(
      {json_number(failures.runs), json_number(failures.first_seed), json_text(failures.first)});
}

search::FailureSummary failures_from(const Json& values) {
  return {count_of(values.at(0)), count_of(values.at(1)), text_of(values.at(2))};
}

Json outcome_values(const search::ScenarioOutcome& outcome) {
  Json properties = Json::array();
  for (const search::PropertySummary& each : outcome.properties) {
    properties.push_back(
        Json::array({json_number(each.held), json_number(each.violated), json_number(each.unknown),
                     json_number(each.first_holding_seed), json_number(each.first_violating_seed),
                     json_number(each.could_break), json_number(each.put_to_the_test)}));
  }
  Json struck = Json::array();
  for (const search::ProbeSummary& each : outcome.probes) {
    struck.push_back(Json::array({json_number(each.runs_struck), json_number(each.runs_mattered)}));
  }
  Json drawn = Json::array();
  for (const search::DrawnKindSummary& each : outcome.drawn_kinds) {
    drawn.push_back(Json::array({scenario::to_string(each.kind), json_number(each.drawn),
                                 json_number(each.struck), json_number(each.mattered)}));
  }
  Json takeovers = Json::array();
  for (const search::TakeoverSummary& each : outcome.takeovers) {
    takeovers.push_back(Json::array(
        {json_number(each.runs), json_number(each.runs_held), json_number(each.runs_lacked)}));
  }
  Json sometimes = Json::array();
  for (const search::SometimesSummary& each : outcome.sometimes) {
    sometimes.push_back(json_number(each.runs_seen));
  }
  Json bounds = Json::array();
  for (const search::BoundSummary& each : outcome.bounds) {
    bounds.push_back(Json::array({json_number(each.most), json_number(each.most_seed),
                                  json_number(each.runs_over), json_number(each.first_seed_over)}));
  }
  return Json::object({{"properties", std::move(properties)},
                       {"struck", std::move(struck)},
                       {"drawn", std::move(drawn)},
                       {"takeovers", std::move(takeovers)},
                       {"longest_lease", json_number(outcome.longest_lease_ns)},
                       {"sometimes", std::move(sometimes)},
                       {"bounds", std::move(bounds)},
                       {"client_failures", failure_values(outcome.client_failures)},
                       {"script_failures", failure_values(outcome.script_failures)},
                       {"out_of_time", json_number(outcome.runs_out_of_time)},
                       {"out_of_events", json_number(outcome.runs_out_of_events)}});
}

void read_outcome(const Json& values, search::ScenarioOutcome& outcome) {
  for (std::size_t i = 0; i < outcome.properties.size(); ++i) {
    const Json& from = values.at("properties").at(i);
    search::PropertySummary& each = outcome.properties[i];
    each.held = count_of(from.at(0));
    each.violated = count_of(from.at(1));
    each.unknown = count_of(from.at(2));
    each.first_holding_seed = count_of(from.at(3));
    each.first_violating_seed = count_of(from.at(4));
    each.could_break = count_of(from.at(5));
    each.put_to_the_test = count_of(from.at(6));
  }
  for (std::size_t i = 0; i < outcome.probes.size(); ++i) {
    outcome.probes[i].runs_struck = count_of(values.at("struck").at(i).at(0));
    outcome.probes[i].runs_mattered = count_of(values.at("struck").at(i).at(1));
  }
  for (std::size_t i = 0; i < outcome.takeovers.size(); ++i) {
    const Json& from = values.at("takeovers").at(i);
    outcome.takeovers[i].runs = count_of(from.at(0));
    outcome.takeovers[i].runs_held = count_of(from.at(1));
    outcome.takeovers[i].runs_lacked = count_of(from.at(2));
  }
  outcome.longest_lease_ns = wanted(number_from(values.at("longest_lease")), "a duration");
  for (const Json& from : values.at("drawn")) {
    outcome.drawn_kinds.push_back(
        {kind_of(from.at(0)), count_of(from.at(1)), count_of(from.at(2)), count_of(from.at(3))});
  }
  for (std::size_t i = 0; i < outcome.sometimes.size(); ++i) {
    outcome.sometimes[i].runs_seen = count_of(values.at("sometimes").at(i));
  }
  for (std::size_t i = 0; i < outcome.bounds.size(); ++i) {
    const Json& from = values.at("bounds").at(i);
    search::BoundSummary& each = outcome.bounds[i];
    each.most = wanted(number_from(from.at(0)), "a number");
    each.most_seed = count_of(from.at(1));
    each.runs_over = count_of(from.at(2));
    each.first_seed_over = count_of(from.at(3));
  }
  outcome.client_failures = failures_from(values.at("client_failures"));
  outcome.script_failures = failures_from(values.at("script_failures"));
  outcome.runs_out_of_time = count_of(values.at("out_of_time"));
  outcome.runs_out_of_events = count_of(values.at("out_of_events"));
}

// -- findings and incidents --

/// What makes the run again, and who found it.
Json notable_run_values(const search::NotableRun& found) {
  Json tracks = Json::array();
  for (const search::ChoiceTrack& track : search::tracks_of(found.choices)) {
    Json values = Json::array();
    for (const std::uint64_t value : track.values) values.push_back(json_number(value));
    tracks.push_back(Json::array(
        {static_cast<unsigned>(track.stream.purpose), track.stream.owner, std::move(values)}));
  }
  return Json::object({{"run", json_number(found.run)},
                       {"found_by", search::found_by(found)},
                       {"hash", json_hash(found.hash)},
                       {"seen", json_number(found.seen)},
                       {"choices", std::move(tracks)}});
}

void read_notable_run(const Json& values, search::NotableRun& found) {
  found.run = count_of(values.at("run"));
  const auto strategy = search::strategy_from(text_of(values.at("found_by")));
  found.is_of_corpus = !strategy;
  if (strategy) found.strategy = *strategy;
  found.hash = wanted(hash_from(values.at("hash")), "a hash");
  found.seen = count_of(values.at("seen"));
}

Json finding_values(const search::Finding& finding) {
  Json also = Json::array();
  for (const checker::Property each : finding.also) also.push_back(checker::to_string(each));
  Json kinds = Json::array();
  for (const scenario::FaultKind each : finding.kinds) kinds.push_back(scenario::to_string(each));
  Json values = notable_run_values(finding);
  values["property"] = checker::to_string(finding.property);
  values["also"] = std::move(also);
  values["kinds"] = std::move(kinds);
  values["story"] = json_text(finding.story);
  return values;
}

search::Finding finding_from(const Json& values) {
  search::Finding finding;
  read_notable_run(values, finding);
  finding.property = property_of(values.at("property"));
  for (const Json& each : values.at("also")) finding.also.push_back(property_of(each));
  for (const Json& each : values.at("kinds")) finding.kinds.push_back(kind_of(each));
  finding.story = text_of(values.at("story"));
  return finding;
}

Json incident_values(const search::Incident& incident) {
  Json values = notable_run_values(incident);
  values["kind"] = search::to_string(incident.kind);
  values["what"] = json_text(incident.what);
  return values;
}

search::Incident incident_from(const Json& values) {
  search::Incident incident;
  read_notable_run(values, incident);
  incident.kind = wanted(search::incident_from(text_of(values.at("kind"))), "an incident");
  incident.what = text_of(values.at("what"));
  return incident;
}

std::vector<search::ChoiceTrack> tracks_from(const Json& values) {
  std::vector<search::ChoiceTrack> tracks;
  for (const Json& from : values) {
    const std::uint64_t purpose = count_of(from.at(0));
    const std::uint64_t owner = count_of(from.at(1));
    if (purpose > static_cast<std::uint64_t>(sim::last_purpose) || owner > UINT32_MAX) {
      throw std::runtime_error("a stream was expected");
    }
    search::ChoiceTrack track{
        {static_cast<sim::Purpose>(purpose), static_cast<std::uint32_t>(owner)}, {}};
    for (const Json& value : from.at(2)) track.values.push_back(count_of(value));
    tracks.push_back(std::move(track));
  }
  return tracks;
}

// -- the scenario --

Json source_values(const scenario::Scenario& scenario) {
  Json bases = Json::array();
  for (const scenario::SourceFile& base : scenario.bases) {
    bases.push_back(Json::array({json_text(base.path), json_text(base.text)}));
  }
  Json parameters = Json::array();
  for (const scenario::ParameterSetting& each : scenario.parameters) {
    parameters.push_back(Json::array({json_text(each.name), json_text(each.value)}));
  }
  return Json::object({{"path", json_text(scenario.path)},
                       {"text", json_text(scenario.text)},
                       {"bases", std::move(bases)},
                       {"parameters", std::move(parameters)}});
}

scenario::Scenario scenario_from(const Json& values) {
  std::vector<scenario::SourceFile> files = {
      {text_of(values.at("path")), text_of(values.at("text"))}};
  for (const Json& base : values.at("bases")) {
    files.push_back({text_of(base.at(0)), text_of(base.at(1))});
  }
  std::vector<scenario::ParameterSetting> parameters;
  for (const Json& each : values.at("parameters")) {
    parameters.push_back({text_of(each.at(0)), text_of(each.at(1))});
  }
  return std::move(scenario::parse_scenarios(files, parameters).front());
}

Json fault_words(const std::vector<scenario::FaultKind>& kinds) {
  Json words = Json::array();
  for (const scenario::FaultKind kind : kinds) words.push_back(scenario::to_string(kind));
  return words;
}

std::vector<scenario::FaultKind> faults_from(const Json& words) {
  std::vector<scenario::FaultKind> kinds;
  for (const Json& word : words) {
    const scenario::FaultForm* const form = scenario::find_form(text_of(word));
    kinds.push_back(wanted(form == nullptr ? std::nullopt : std::optional(form->kind), "a fault"));
  }
  return kinds;
}

}  // namespace

std::string write_identity(const SearchIdentity& identity) {
  const bool goes_on = identity.plan.after_finding == search::FuzzPlan::AfterFinding::go_on;
  return Json::object({{"lockstep_search", search_record_version},
                       {"model_version", model_version},
                       {"target", json_text(identity.target)},
                       {"file_name", json_text(identity.file_name)},
                       {"seed", json_number(identity.plan.root_seed)},
                       {"runs", json_number(identity.plan.runs)},
                       {"strategy", search::to_string(identity.plan.strategy)},
                       {"keep_going", goes_on},
                       {"ends_by_clock", identity.ends == SearchIdentity::Ends::by_clock},
                       {"any_fault", identity.faults.any},
                       {"faults", fault_words(identity.faults.only)},
                       {"except", fault_words(identity.faults.without)},
                       {"scenario", source_values(*identity.scenario)},
                       {"lock_digest", json_hash(identity.lock_digest)},
                       {"corpus_entries", json_number(identity.corpus_entries)},
                       {"corpus_digest", json_hash(identity.corpus_digest)}})
      .dump();
}

SearchIdentity read_identity(const std::string& text) {
  const Json values = Json::parse(text);
  SearchIdentity identity;
  identity.target = text_of(values.at("target"));
  identity.file_name = text_of(values.at("file_name"));
  identity.plan.root_seed = count_of(values.at("seed"));
  identity.plan.runs = count_of(values.at("runs"));
  identity.plan.strategy =
      wanted(search::strategy_from(text_of(values.at("strategy"))), "a strategy");
  if (values.at("keep_going").get<bool>()) {
    identity.plan.after_finding = search::FuzzPlan::AfterFinding::go_on;
  }
  if (values.at("ends_by_clock").get<bool>()) identity.ends = SearchIdentity::Ends::by_clock;
  identity.faults.any = values.at("any_fault").get<bool>();
  identity.faults.only = faults_from(values.at("faults"));
  identity.faults.without = faults_from(values.at("except"));
  identity.scenario =
      std::make_shared<const scenario::Scenario>(scenario_from(values.at("scenario")));
  identity.lock_digest = wanted(hash_from(values.at("lock_digest")), "a digest");
  identity.corpus_entries = count_of(values.at("corpus_entries"));
  identity.corpus_digest = wanted(hash_from(values.at("corpus_digest")), "a digest");
  return identity;
}

std::string target_of(const std::string& text) { return text_of(Json::parse(text).at("target")); }

std::string identity_difference(const std::string& one, const std::string& other) {
  const Json ours = Json::parse(one);
  const Json theirs = Json::parse(other);
  for (const auto& [name, value] : ours.items()) {
    const Json& found = theirs.at(name);
    if (found == value) continue;
    std::string what = name;
    std::replace(what.begin(), what.end(), '_', ' ');
    if (value.is_object()) return fmt::format("the {} is another", what);
    return fmt::format("{} is {}, not {}", what, found.dump(), value.dump());
  }
  return {};
}

std::string write_batch(const search::BatchResult& batch) {
  Json findings = Json::array();
  for (const search::Finding& each : batch.findings) findings.push_back(finding_values(each));
  Json incidents = Json::array();
  for (const search::Incident& each : batch.incidents) incidents.push_back(incident_values(each));
  Json values = outcome_values(batch.outcome);
  values["findings"] = std::move(findings);
  values["incidents"] = std::move(incidents);
  return values.dump();
}

ReadBatch read_batch(std::uint64_t number, const search::RecordedBatch& batch,
                     const search::ScenarioOutcome& empty) {
  const Json values = Json::parse(batch.content);
  ReadBatch read;
  read.result.batch = number;
  read.result.outcome = empty;
  read.result.outcome.runs = batch.runs;
  read_outcome(values, read.result.outcome);
  for (const Json& each : values.at("findings")) {
    read.result.findings.push_back(finding_from(each));
    read.tracks[read.result.findings.back().run] = tracks_from(each.at("choices"));
  }
  for (const Json& each : values.at("incidents")) {
    read.result.incidents.push_back(incident_from(each));
    read.tracks[read.result.incidents.back().run] = tracks_from(each.at("choices"));
  }
  return read;
}

// -- the file --

namespace {

/// Writes lines and sums them up.
class RecordLines {
 public:
  explicit RecordLines(std::ostream& out) : out_(out) {}
  void write(const std::string& line) {
    checksum_ = checksum_after(checksum_, line);
    out_ << line << '\n';
  }
  [[nodiscard]] std::uint64_t checksum() const { return checksum_; }

 private:
  std::ostream& out_;
  std::uint64_t checksum_ = 0;
};

/// Reads one record. A line is trusted to be what was written only once the last one's checksum
/// fits; until then it may only be refused.
class RecordReader {
 public:
  RecordReader(const std::string& path, std::istream& in)
      : lines_(path, in, {record_line_bytes_max, record_file_bytes_max}) {}

  search::SearchRecord read() {
    if (!lines_.next()) lines_.fail("the file is empty; the record of a search was expected");
    read_first();
    for (;;) {
      checksum_ = checksum_after(checksum_, lines_.line());
      if (!lines_.next()) {
        lines_.fail("it is cut short: its last line, with the checksum, is missing");
      }
      parse();
      if (json_.contains("checksum")) break;
      try {
        read_line();
      } catch (const std::exception&) {
        lines_.fail("this line is damaged");
      }
    }
    if (json_["checksum"] != json_hash(checksum_)) {
      lines_.fail("it was changed after it was written: the checksum does not fit");
    }
    if (lines_.next()) lines_.fail("nothing may follow the last line");
    return std::move(record_);
  }

 private:
  void parse() {
    json_ = Json::parse(lines_.line(), nullptr, /*allow_exceptions=*/false);
    if (!json_.is_object()) lines_.fail("this is no line of the record of a search");
  }

  void read_first() {
    parse();
    const Json format = json_.value("lockstep_search", Json());
    if (!format.is_number()) lines_.fail("it is not the record of a search");
    if (format != search_record_version) {
      lines_.fail(
          fmt::format("its format is {}; this is {}", format.dump(), search_record_version));
    }
    if (const Json version = json_.value("model_version", Json()); version != model_version) {
      lines_.fail(fmt::format("it was made by version {} of the model; this is {}", version.dump(),
                              model_version));
    }
    record_.search = lines_.line();
  }

  void read_line() {
    if (json_.contains("shards")) {
      for (const Json& shard : json_["shards"]) {
        record_.shards.insert({count_of(shard.at(0)), count_of(shard.at(1))});
      }
      record_.elapsed_ms = count_of(json_.at("elapsed_ms"));
    } else if (json_.contains("stretch")) {
      record_.batches[count_of(json_["stretch"])] = {count_of(json_.at("runs")),
                                                     json_.at("result").dump()};
    } else {
      const std::uint64_t batch = count_of(json_.at("first_reached_in"));
      for (const Json& state : json_.at("states")) {
        record_.first_reached[wanted(hash_from(state), "a state")] = batch;
      }
    }
  }

  LineReader lines_;
  Json json_;  // the current line
  search::SearchRecord record_;
  std::uint64_t checksum_ = 0;
};

}  // namespace

void write_search_record(std::ostream& out, const search::SearchRecord& record) {
  RecordLines lines(out);
  lines.write(record.search);
  Json shards = Json::array();
  for (const auto& [number, of] : record.shards) {
    shards.push_back(Json::array({json_number(number), json_number(of)}));
  }
  lines.write(
      Json::object({{"shards", shards}, {"elapsed_ms", json_number(record.elapsed_ms)}}).dump());
  for (const auto& [number, batch] : record.batches) {
    lines.write(fmt::format(R"({{"stretch":{},"runs":{},"result":{}}})", number, batch.runs,
                            batch.content));
  }
  std::map<std::uint64_t, std::vector<std::uint64_t>> states;
  for (const auto& [state, batch] : record.first_reached) states[batch].push_back(state);
  for (const auto& [batch, reached] : states) {
    for (std::size_t first = 0; first < reached.size(); first += states_a_line) {
      Json list = Json::array();
      for (std::size_t i = first; i < std::min(first + states_a_line, reached.size()); ++i) {
        list.push_back(json_hash(reached[i]));
      }
      lines.write(
          Json::object({{"first_reached_in", json_number(batch)}, {"states", list}}).dump());
    }
  }
  out << Json::object({{"checksum", json_hash(lines.checksum())}}).dump() << '\n';
}

search::SearchRecord read_search_record(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw scenario::InputError::about(path, "it can't be opened");
  return RecordReader(path, in).read();
}

}  // namespace lockstep::reports
