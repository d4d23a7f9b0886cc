// What a timeline shows of a trace, before anything has a position: lanes, notes, messages, holds.
//
// A scene refers to events by their index in the trace. It leaves out what tells a reviewer
// nothing: handshakes, subscriptions, acknowledgements, replication that went as it should and
// mattered to nobody. `messages_left_out` counts the messages among it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/recorded_trace.h"
#include "sim/time.h"

namespace lockstep::search {
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::reports {

/// An index into the trace's events.
using EventIndex = std::size_t;
/// An index into Scene::lanes.
using LaneIndex = std::size_t;

enum class LaneKind : std::uint8_t { faults, client_thread, redis, sentinel, resource, other };

struct Lane {
  std::string name;
  std::string shown;   ///< the name as it is shown: sanitized, of moderate length
  std::string title;   ///< what it is: "client", "Redis master", "replica of n1"; so too
  std::string remark;  ///< how it differs: "clock +3,000 ms", "1,200–1,400 ms a hop"; may be empty
  std::string group;
  LaneKind kind = LaneKind::other;
};

/// How much of a reviewer's attention something deserves.
enum class Importance : std::uint8_t {
  routine,    ///< folded away where there is too much
  essential,  ///< changes the lock, a belief or the resource, or is a fault
};

/// What a note tells of, for the count of what was folded away.
enum class NoteKind : std::uint8_t {
  other,
  wrong,  ///< a property broke
  fault,
  belief,
  majority,  ///< one came or went
  grant,
  node_grant,  ///< of one node of several: not yet of the lock
  taking_away,
  expiry,
  lease_cut,  ///< another's, by setting it anew
  release,
  node_release,
  loss,  ///< by a takeover, an eviction, an operator
  count,
  queue,
  write,
  read,
  failed_step,       ///< refused, given up, or of unknown outcome
  ineffective_call,  ///< a release or renewal of what the caller did not have
  renewal,
  refused_attempt,
  watch,  ///< a step of a sentinel, or of a cluster's node
};
/// Whether it changes a lock, a belief, a queue or the resource, or says that it could not.
[[nodiscard]] constexpr bool has_effect(NoteKind kind) {
  return kind != NoteKind::other && kind != NoteKind::refused_attempt && kind != NoteKind::watch;
}

enum class Tone : std::uint8_t { plain, quiet, good, bad, fault };

/// A line of text at a lane.
struct Note {
  LaneIndex lane;
  EventIndex event;
  std::string text;    ///< empty: only a dot
  std::string detail;  ///< more, for those who point at it; may be empty
  Tone tone = Tone::plain;
  Importance importance = Importance::routine;
  NoteKind kind = NoteKind::other;
  std::string actor = {};  ///< who did it, as shown; may be empty
};

enum class Fate : std::uint8_t {
  arrived,
  waits,      ///< arrived at a paused process, which reads it later
  lost,       ///< at `ended`, half-way
  under_way,  ///< still, when the run ended
};

/// A message.
struct Flight {
  LaneIndex from;
  LaneIndex to;
  EventIndex sent;
  EventIndex ended;  ///< arrived or lost; under way: the trace's last event
  Fate fate = Fate::under_way;
  bool is_reply = false;
  std::string label;        ///< of a request its own, of a reply its value
  std::string description;  ///< a sentence: who says what to whom
  Importance importance = Importance::routine;
};

enum class BarKind : std::uint8_t { belief, truth };

/// A time for which somebody holds a lock, or believes so.
struct Bar {
  BarKind kind;
  LaneIndex lane;                  ///< the owner's; a truth has another bar at the node's
  std::size_t lock;                ///< index into Scene::locks
  std::optional<LaneIndex> owner;  ///< the owner's lane, which gives the colour; none: a stranger
  EventIndex from;
  std::optional<EventIndex> until;  ///< none: to the end
  sim::TimeNs until_ns = -1;        ///< where no event tells of its end: before that event
};

enum class SpanKind : std::uint8_t {
  paused,
  crashed,
  cut_off,
  struck,  ///< by a fault that lasts, and that shows in no other way
};

/// A time for which a lane is out of order.
struct Span {
  SpanKind kind;
  LaneIndex lane;
  EventIndex from;
  std::optional<EventIndex> until;
  std::optional<std::size_t> side = {};  ///< of a partition: index into Scene::sides
};

/// Hosts that a partition leaves together.
struct PartitionSide {
  std::string name;   ///< "side A"
  std::string hosts;  ///< "a, n1"
};

/// A fault's effect on a lane.
struct FaultMark {
  EventIndex event;
  LaneIndex faults;
  LaneIndex target;
};

/// Two beliefs at once.
struct Overlap {
  LaneIndex one;
  LaneIndex other;
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;
  sim::DurationNs whole_ns = until_ns - from_ns;  ///< also of what is not in view
  std::size_t lock = 0;                           ///< index into Scene::locks
};

/// A time in which a lane got what a property forbids, but for two beliefs at once.
struct ViolationSpan {
  LaneIndex lane;
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;
};

struct Scene {
  std::vector<Lane> lanes;
  std::vector<std::string> locks;
  std::vector<Note> notes;  ///< in order of their events
  std::vector<Flight> flights;
  std::vector<Bar> bars;
  std::vector<Span> spans;
  std::vector<FaultMark> fault_marks;
  std::optional<Overlap> overlap;       ///< the one that the verdict tells of
  std::vector<Overlap> other_overlaps;  ///< in order; of a lock that excludes
  std::vector<ViolationSpan> violation_spans;
  std::size_t messages_left_out = 0;
  std::vector<PartitionSide> sides;
  std::vector<sim::TimeNs> kept;          ///< instants of the cause and of what broke: never folded
  std::optional<LaneIndex> folded_lanes;  ///< the lane at the edge that stands for others
  sim::TimeNs view_from_ns = 0;           ///< nothing before it has a row of its own
  sim::TimeNs view_until_ns = sim::never_ns;
};

/// Whether a lane is unlike the others of its kind by its remark: a slow node, a clock that is off.
[[nodiscard]] bool is_unlike_others(const Scene& scene, LaneIndex lane);

/// In order; with the one that the verdict tells of.
[[nodiscard]] std::vector<Overlap> all_overlaps(const Scene& scene);

/// A part of a lane's belief in a lock during which another believes in it as well.
struct ContestedBelief {
  LaneIndex lane;
  std::size_t lock;
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;
};
/// Those that touch are one.
[[nodiscard]] std::vector<ContestedBelief> contested_beliefs(const Scene& scene);

/// When a bar ends. REQUIRES: it does.
[[nodiscard]] sim::TimeNs end_of(const Bar& bar, const model::RecordedTrace& trace);

[[nodiscard]] Scene make_scene(const search::RunRecord& example);

}  // namespace lockstep::reports
