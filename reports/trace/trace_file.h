// A run's trace as a file: JSON Lines, one event a line. docs/trace.md has the format.
//
// What is written is enough to replay the run (scenario text, choices, hash) and to draw it
// (actors, events, verdicts). The history and the observations are not written: the trace tells the
// same. Every event carries the rolling hash after it, which the reader computes again, and the
// last line a checksum of all others, so that damage of any kind is refused with its line.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "scenario/parameter_setting.h"
#include "scenario/text/source_file.h"
#include "search/runs/run_record.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::reports {

struct TraceFile {
  std::string path;           ///< of the trace itself
  std::string scenario_path;  ///< as it was given when the run was made
  /// The scenario's folder as seen from the trace's; empty: it was not told.
  std::string scenario_folder;
  std::string scenario_text;  ///< the scenario's bytes: read it again to replay
  std::string scenario_title;
  std::vector<scenario::SourceFile> scenario_bases;             ///< what it is built on, in order
  std::vector<scenario::ParameterSetting> scenario_parameters;  ///< of the row that was run
  /// The run; its history and observations are empty, its names are those of the evidence.
  search::RunRecord example;
};

/// What a reader takes in before it refuses.
struct TraceFileLimits {
  std::size_t line_bytes_max = 32U << 20U;
  std::size_t file_bytes_max = 2U << 30U;
  std::size_t events_max = 4'000'000;
};

/// Writes the file, to be at `path`, which may be moved together with the lock that its scenario
/// names: empty where it has no place. Check the stream afterwards: a full disk shows there.
void write_trace(std::ostream& out, const scenario::Scenario& scenario,
                 const search::RunRecord& example, const std::string& path = {});

/// Reads a file again. Throws scenario::InputError with file and line where it is not a trace, was
/// made by another format or model version, is cut short, or was changed.
[[nodiscard]] TraceFile read_trace(std::string path, std::istream& in,
                                   const TraceFileLimits& limits = {});

/// The scenario that was run, read again from what the trace says. Its files are looked for where
/// they were as seen from the trace, then as seen from here. Throws scenario::InputError.
[[nodiscard]] scenario::Scenario scenario_of(const TraceFile& file);

/// Opens and reads it; throws scenario::InputError where it can't be opened too.
[[nodiscard]] TraceFile read_trace_file(const std::string& path);

}  // namespace lockstep::reports
