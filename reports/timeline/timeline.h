// The timeline of a run as a picture: what went wrong, at one glance.
//
// A lane for the faults, each client thread, each Redis node and the resource; time runs downwards,
// a row for each instant at which something happened that a reviewer needs, with the true virtual
// milliseconds at the left. Beside a client's lane stands a bar while it believes that it holds the
// lock, beside a node's lane one while the lock is truly held there; where two beliefs overlap, the
// overlap is marked with its width. Every position is computed here; Graphviz only draws.
//
// hero.h has the short form for a slide, side_by_side.h two runs beside each other, mermaid.h the
// text for a pull request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/drawing/picture.h"
#include "reports/scene/scene_view.h"

namespace lockstep::search {
struct RunRecord;
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports {

struct TraceFile;

/// What is drawn. Does not own the example.
struct TimelineSubject {
  std::string title;
  std::string replay_command;  ///< empty: not shown
  const search::RunRecord* example;
  std::map<std::string, std::string> remarks = {};  ///< by host: its wrong clock, its slow network
  std::string hop = {};  ///< of the servers that have no remark: how slow each hop is
};
[[nodiscard]] TimelineSubject timeline_subject(const search::ScenarioOutcome& outcome,
                                               std::string replay_command);
[[nodiscard]] TimelineSubject timeline_subject(const TraceFile& file, std::string replay_command);

enum class TimelineFocus : std::uint8_t { whole_run, violation };

/// An instant to draw a line at.
struct TimelineMark {
  sim::TimeNs at_ns;
  std::string words;
};

struct TimelineOptions {
  /// Beyond this many rows, runs of rows without effect on the lock are folded into one that states
  /// their number; then those furthest from what went wrong.
  std::size_t rows_max = 40;
  SceneView view = {};
  /// The violation: only the rows nearest to it.
  TimelineFocus focus = TimelineFocus::whole_run;
  std::optional<TimelineMark> mark = {};
  Tenths heads_top_min = 0;  ///< the lanes begin no higher than here
};

/// Where a row is, to point at it.
struct TimelineRow {
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;
  Tenths top;
  Tenths bottom;
};

/// A timeline laid out.
struct Timeline {
  Picture picture;
  std::size_t rows = 0;             ///< drawn
  std::size_t rows_folded = 0;      ///< not drawn, but counted in a row that stands for them
  std::size_t labels_left_out = 0;  ///< of messages, where no place was free
  std::string description = {};     ///< what went wrong and why, for screen readers
  Tenths heads_top = 0;             ///< where the lanes begin
  Tenths heads_bottom = 0;          ///< … and their heads end
  std::vector<TimelineRow> row_places = {};
};

/// Lays it out: the same subject gives the same picture. Text from files is shortened and made
/// sanitized.
[[nodiscard]] Timeline layout(const TimelineSubject& subject, const TimelineOptions& options = {});

enum class PictureFormat : std::uint8_t { svg, png, pdf, dot };

/// "svg", "png", "pdf" or "dot", as a file's extension without its dot; none for anything else.
[[nodiscard]] std::optional<PictureFormat> picture_format_from(std::string_view extension);

/// The picture as DOT text for `neato -n2`.
[[nodiscard]] std::string render_dot(const Timeline& timeline);

/// Draws it, in this process, without files. SVG and DOT are the same byte for byte every time;
/// PNG needs the fonts of the machine and PDF holds the date. Throws std::runtime_error where
/// Graphviz can't (a format's plugin is not installed).
void render(const Timeline& timeline, PictureFormat format, std::ostream& out);

}  // namespace lockstep::reports
