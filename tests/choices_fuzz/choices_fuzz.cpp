// The choices of a scenario's runs from libFuzzer: an input is an entry of a corpus, as lockstep
// fuzz --corpus keeps it (search/fuzz/corpus_entry.h), so that the same folder serves both.
//
//   LOCKSTEP_SCENARIO=FILE lockstep_choices_fuzz CORPUS -max_total_time=60
//
// Ends as soon as something breaks that the scenario speaks of: libFuzzer then saves the input, and
// the run's trace is in LOCKSTEP_OUT (lockstep-out), for lockstep replay. Inputs are changed as
// choices, stream by stream, so that each is an entry with a fitting checksum; besides code, new
// abstract states count as coverage.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_result.h"
#include "reports/trace/trace_file.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/fuzz/change_tracks.h"
#include "search/fuzz/corpus_entry.h"
#include "search/runs/run_record.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t size_max);

namespace {

constexpr std::size_t counters = std::size_t{1} << 16U;

// libFuzzer looks at these, and clears them before each run.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
__attribute__((section("__libfuzzer_extra_counters"))) std::array<std::uint8_t, counters>
    abstract_states;

}  // namespace

namespace lockstep {
namespace {

std::string environment(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return value == nullptr ? otherwise : value;
}

class StateCounters final : public model::AbstractStateListener {
 public:
  void on_state(std::uint64_t state) override { abstract_states[state % counters] = 1; }
};

class FuzzedScenario {
 public:
  explicit FuzzedScenario(const std::string& path)
      : engine_({environment("LOCKSTEP_SCRIPTS", LOCKSTEP_SCRIPTS_FOLDER)}),
        scenario_(scenario::load_scenario(path)),
        simulation_(engine_.prepare(scenario_)),
        digest_(search::digest_of(scenario_)) {
    simulation_->set_abstract_state_listener(&counters_);
  }

  /// What the input says; no tracks where it is not of this scenario.
  [[nodiscard]] std::vector<search::ChoiceTrack> tracks_in(std::string_view input) const {
    search::ReadEntry read = search::read_entry(input);
    if (!read.complaint.empty() || read.entry.scenario_digest != digest_) return {};
    return std::move(read.entry.tracks);
  }
  [[nodiscard]] std::string entry_of(std::vector<search::ChoiceTrack> tracks) const {
    return search::write_entry({digest_, simulation_->lock_digest(), std::move(tracks)});
  }

  /// With all that a run draws by chance because the tracks don't say it.
  [[nodiscard]] std::vector<search::ChoiceTrack> completed(
      const std::vector<search::ChoiceTrack>& tracks) {
    choices_.reset(tracks);
    sim::RecordingChoices recording(choices_);
    (void)simulation_->run(recording);
    return search::tracks_of(recording.record());
  }

  void run(const std::vector<search::ChoiceTrack>& tracks) {
    choices_.reset(tracks);
    const model::RunResult& came = simulation_->run(choices_);
    for (std::size_t i = 0; i < came.verdicts->size(); ++i) {
      const checker::Verdict& verdict = (*came.verdicts)[i];
      if (verdict.kind == checker::VerdictKind::violated && is_asked(verdict.property)) {
        save_and_end(tracks, verdict);
      }
    }
  }

 private:
  [[nodiscard]] bool is_asked(checker::Property property) const {
    const auto contains = [property](const std::vector<checker::Property>& properties) {
      return std::find(properties.begin(), properties.end(), property) != properties.end();
    };
    return contains(scenario_.expect.holds) || contains(scenario_.expect.violates);
  }

  [[noreturn]] void save_and_end(const std::vector<search::ChoiceTrack>& tracks,
                                 const checker::Verdict& verdict) {
    const std::string name(checker::to_string(verdict.property));
    std::fprintf(stderr, "%s is violated: %s\n", name.c_str(), verdict.summary.c_str());
    choices_.reset(tracks);
    sim::RecordingChoices recording(choices_);
    search::RunRecord example = search::record_run(*simulation_, recording);
    example.trace.choices = recording.record();
    const std::filesystem::path folder = environment("LOCKSTEP_OUT", "lockstep-out");
    std::filesystem::create_directories(folder);
    const std::string path = (folder / ("libfuzzer-" + name + ".trace.jsonl")).string();
    std::ofstream out(path, std::ios::binary);
    reports::write_trace(out, scenario_, example);
    out.close();
    std::fprintf(stderr, "the run, for lockstep replay: %s\n", path.c_str());
    const std::string entry = (folder / ("libfuzzer-" + name + ".entry")).string();
    std::ofstream(entry, std::ios::binary) << entry_of(search::tracks_of(recording.record()));
    std::fprintf(stderr, "its choices, for a corpus: %s\n", entry.c_str());
    std::abort();
  }

  model::Engine engine_;
  scenario::Scenario scenario_;
  StateCounters counters_;
  std::unique_ptr<model::Simulation> simulation_;
  std::uint64_t digest_;
  search::TrackChoices choices_;
};

std::unique_ptr<FuzzedScenario> made_scenario() {
  try {
    return std::make_unique<FuzzedScenario>(environment("LOCKSTEP_SCENARIO", ""));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\nLOCKSTEP_SCENARIO is the scenario to fuzz\n", error.what());
    std::exit(2);  // NOLINT(concurrency-mt-unsafe): one thread
  }
}

FuzzedScenario& fuzzed_scenario() {
  static const std::unique_ptr<FuzzedScenario> made = made_scenario();
  return *made;
}

/// The values of a track as libFuzzer changes bytes: by its dictionary, its tables of comparisons…
void change_as_bytes(search::ChoiceTrack& track) {
  std::string bytes;
  for (const std::uint64_t value : track.values) search::append_number(bytes, value);
  const std::size_t size = bytes.size();
  constexpr std::size_t room = 16;
  bytes.resize(size + room);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, size + room));
  track.values.clear();
  std::string_view rest = bytes;
  for (std::uint64_t value = 0; search::take_number(rest, value);) track.values.push_back(value);
}

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Zero, and nothing written, where it does not fit.
std::size_t put(const std::string& entry, std::uint8_t* data, std::size_t size_max) {
  if (entry.size() > size_max) return 0;
  std::memcpy(data, entry.data(), entry.size());
  return entry.size();
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*words*/) {
  (void)lockstep::fuzzed_scenario();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockstep::fuzzed_scenario().run(
      lockstep::fuzzed_scenario().tracks_in(lockstep::text_of(data, size)));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned int seed) {
  using namespace lockstep;
  std::vector<search::ChoiceTrack> tracks = fuzzed_scenario().tracks_in(text_of(data, size));
  if (tracks.empty()) tracks = fuzzed_scenario().completed(tracks);
  const bool is_as_bytes = seed % 4 == 0 && !tracks.empty();
  search::ChoiceTrack* const track = is_as_bytes ? &tracks[(seed / 4) % tracks.size()] : nullptr;
  if (track != nullptr && search::may_change(track->stream.purpose)) {
    change_as_bytes(*track);
  } else {
    search::change_tracks(tracks, seed);
  }
  // What the change made the run ask for anew is written down too, so that it can be changed next.
  const std::string entry = fuzzed_scenario().entry_of(fuzzed_scenario().completed(tracks));
  const std::size_t written = put(entry, data, size_max);
  return written > 0 ? written : size;
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* data, std::size_t size_max,
                                                 unsigned int seed) {
  using namespace lockstep;
  std::vector<search::ChoiceTrack> tracks = fuzzed_scenario().tracks_in(text_of(one, one_size));
  search::mix_tracks(tracks, fuzzed_scenario().tracks_in(text_of(other, other_size)), seed);
  return put(fuzzed_scenario().entry_of(std::move(tracks)), data, size_max);
}
