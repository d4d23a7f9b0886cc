#include "reports/timeline/chrome_trace.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/scene/scene.h"
#include "reports/text.h"
#include "reports/timeline/timeline_scene.h"
#include "reports/trace/json_values.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

std::string_view words_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::paused:
      return "paused";
    case SpanKind::crashed:
      return "crashed";
    case SpanKind::cut_off:
      return "cut off";
    case SpanKind::struck:
      return "under a fault";
  }
  return "under a fault";
}

std::string_view words_of(Fate fate) {
  switch (fate) {
    case Fate::arrived:
      return "arrived";
    case Fate::waits:
      return "arrived, read later";
    case Fate::lost:
      return "lost";
    case Fate::under_way:
      return "under way";
  }
  return "under way";
}

class ChromeTraceWriter {
 public:
  ChromeTraceWriter(const TimelineSubject& subject, const Scene& scene)
      : subject_(subject), trace_(subject.example->trace), scene_(scene) {}

  std::string write() {
    for (LaneIndex lane = 0; lane < scene_.lanes.size(); ++lane) name(lane);
    for (const Bar& bar : scene_.bars) add(bar);
    for (const Span& span : scene_.spans) {
      add_lasting(span.lane, words_of(span.kind), at(span.from), span.until);
    }
    for (const Overlap& overlap : all_overlaps(scene_)) add_overlap(overlap);
    for (const Note& note : scene_.notes) add(note);
    for (const Flight& flight : scene_.flights) add(flight);
    const Json title(brief(subject_.title, 300));
    return "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"title\":" + dumped(title) +
           ",\"replay\":" + dumped(Json(sanitized(subject_.replay_command))) +
           "},\n\"traceEvents\":[\n" + events_ + "\n]}\n";
  }

 private:
  static std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  [[nodiscard]] sim::TimeNs at(EventIndex event) const { return trace_.events[event].at; }
  /// Microseconds, exact to the nanosecond up to 2^53 of them.
  static Json microseconds(sim::TimeNs time_ns) { return static_cast<double>(time_ns) / 1'000.0; }

  void add(const Json& event) { events_ += (events_.empty() ? "" : ",\n") + dumped(event); }

  [[nodiscard]] std::int64_t process(LaneIndex lane) {
    const Lane& head = scene_.lanes[lane];
    const std::string host = head.kind == LaneKind::client_thread ? head.group : head.name;
    return static_cast<std::int64_t>(processes_.emplace(host, processes_.size() + 1).first->second);
  }
  static std::int64_t thread(LaneIndex lane) { return static_cast<std::int64_t>(lane) + 1; }

  Json event(std::string_view phase, std::string_view name, LaneIndex lane, sim::TimeNs time_ns) {
    return {{"name", name},         {"cat", "lockstep"},
            {"ph", phase},          {"ts", microseconds(time_ns)},
            {"pid", process(lane)}, {"tid", thread(lane)}};
  }

  void name(LaneIndex lane) {
    const Lane& head = scene_.lanes[lane];
    const bool is_thread = head.kind == LaneKind::client_thread;
    const std::string host = is_thread ? brief(head.group) : head.shown;
    for (const auto& [what, words] :
         {std::pair<std::string_view, std::string>("process_name", host),
          std::pair<std::string_view, std::string>("thread_name",
                                                   head.shown + ", " + head.title)}) {
      add(Json{{"name", what},
               {"ph", "M"},
               {"pid", process(lane)},
               {"tid", thread(lane)},
               {"args", {{"name", words}}}});
    }
  }

  /// Async events, which may overlap as they like.
  void add_lasting(LaneIndex lane, std::string_view words, sim::TimeNs from,
                   std::optional<EventIndex> until, std::optional<sim::TimeNs> until_ns = {}) {
    const sim::TimeNs last = trace_.events.empty() ? from : trace_.events.back().at;
    const sim::TimeNs end = until_ns ? *until_ns : until ? at(*until) : std::max(last, from);
    const std::string id = std::to_string(++ids_);
    for (const auto& [phase, time] : {std::pair("b", from), std::pair("e", std::max(from, end))}) {
      Json each = event(phase, words, lane, time);
      each["id"] = id;
      add(each);
    }
  }

  void add(const Bar& bar) {
    const std::string lock = brief(scene_.locks[bar.lock]);
    std::string words = bar.kind == BarKind::belief ? "believes in " + lock : "holds " + lock;
    if (bar.lane != bar.owner) {
      words = (bar.owner ? scene_.lanes[*bar.owner].shown : "somebody") + " " + words;
    }
    std::optional<sim::TimeNs> end;
    if (bar.until || bar.until_ns >= 0) end = end_of(bar, trace_);
    add_lasting(bar.lane, words, at(bar.from), std::nullopt, end);
  }

  void add_overlap(const Overlap& overlap) {
    for (const LaneIndex lane : {overlap.one, overlap.other}) {
      add_lasting(lane, "both believe", overlap.from_ns, std::nullopt, overlap.until_ns);
    }
  }

  void add(const Note& note) {
    if (note.text.empty()) return;
    Json each = event("i", note.text, note.lane, at(note.event));
    each["s"] = "t";  // as high as its thread
    if (!note.detail.empty()) each["args"] = {{"detail", note.detail}};
    add(each);
  }

  /// A slice at either end, joined by a flow.
  void add(const Flight& flight) {
    const bool arrives = flight.fate == Fate::arrived || flight.fate == Fate::waits;
    const std::string words = flight.label.empty() ? std::string("message") : flight.label;
    const Json args = {{"message", flight.description}, {"fate", words_of(flight.fate)}};
    const auto slice = [&](LaneIndex lane, sim::TimeNs time) {
      Json each = event("X", words, lane, time);
      each["dur"] = 0.001;
      each["args"] = args;
      add(each);
    };
    slice(flight.from, at(flight.sent));
    if (!arrives) return;
    slice(flight.to, at(flight.ended));
    const std::string id = std::to_string(++ids_);
    for (const auto& [phase, lane, time] : {std::tuple("s", flight.from, at(flight.sent)),
                                            std::tuple("f", flight.to, at(flight.ended))}) {
      Json each = event(phase, words, lane, time);
      each["id"] = id;
      if (each["ph"] == "f") each["bp"] = "e";
      add(each);
    }
  }

  const TimelineSubject& subject_;
  const model::RecordedTrace& trace_;
  const Scene& scene_;
  std::map<std::string, std::size_t> processes_;
  std::size_t ids_ = 0;
  std::string events_;
};

}  // namespace

std::string chrome_trace_of(const TimelineSubject& subject, const TimelineOptions& options) {
  const Scene scene = scene_of(subject, options);
  return ChromeTraceWriter(subject, scene).write();
}

}  // namespace lockstep::reports
