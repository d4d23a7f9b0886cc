#include "reports/timeline/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "reports/scene/scene.h"
#include "reports/text.h"
#include "reports/timeline/fold_words.h"
#include "reports/timeline/rows.h"
#include "reports/timeline/timeline_scene.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t sequence_rows_max = 40;
constexpr std::size_t sequence_text_max = 160;
constexpr std::size_t sequence_title_max = 120;

/// What a reader sees of the scene: lanes that have something, and rows.
class SequenceWriter {
 public:
  SequenceWriter(const TimelineSubject& subject, const Scene& scene, const Rows& rows,
                 std::string nothing, const SequenceForm& form)
      : form_(form),
        subject_(subject),
        trace_(subject.example->trace),
        scene_(scene),
        rows_(rows),
        nothing_(std::move(nothing)) {
    find_lanes();
    sort_by_row();
  }

  std::string write() {
    begin();
    for (std::size_t row = 0; row < rows_.all().size(); ++row) write_row(row);
    end();
    return std::move(out_);
  }

  [[nodiscard]] std::size_t items() const { return items_; }

 private:
  struct Content {
    std::vector<const Note*> notes;
    std::vector<const Flight*> flights;
    std::vector<const Bar*> begins;
    std::vector<const Bar*> ends;
  };

  struct DrawnOverlap {
    Overlap overlap;
    std::size_t last;  ///< row
  };

  [[nodiscard]] sim::TimeNs at(EventIndex event) const { return trace_.events[event].at; }
  [[nodiscard]] bool is_seen(EventIndex event) const { return !rows_.is_folded(at(event)); }
  [[nodiscard]] Content& content_at(EventIndex event) { return contents_[rows_.row_at(at(event))]; }

  void find_lanes() {
    if (rows_.all().empty()) return;
    for (const Note& note : scene_.notes) {
      if (!note.text.empty() && is_seen(note.event)) lanes_.insert(note.lane);
    }
    for (const Flight& flight : scene_.flights) {
      if (is_drawn(flight)) lanes_.insert({flight.from, flight.to});
    }
    for (const Overlap& overlap : all_overlaps(scene_)) {
      const std::size_t row = rows_.row_at(overlap.from_ns);
      const std::size_t last = rows_.row_at(overlap.until_ns);
      if (rows_.all()[row].folded > 0 && last == row) continue;
      lanes_.insert({overlap.one, overlap.other});
      overlaps_[row].push_back({overlap, last});
    }
  }

  static bool arrives(const Flight& flight) {
    return flight.fate == Fate::arrived || flight.fate == Fate::waits;
  }

  [[nodiscard]] bool is_drawn(const Flight& flight) const {
    return is_seen(flight.sent) && (!arrives(flight) || is_seen(flight.ended));
  }

  [[nodiscard]] bool is_folded_away(const Bar& bar) const {
    const std::size_t row = rows_.row_at(at(bar.from));
    return bar.until && rows_.all()[row].folded > 0 && rows_.row_at(at(*bar.until)) == row;
  }

  void sort_by_row() {
    contents_.resize(rows_.all().size());
    if (rows_.all().empty()) return;
    for (const Note& note : scene_.notes) {
      if (!note.text.empty() && is_seen(note.event)) content_at(note.event).notes.push_back(&note);
    }
    for (const Flight& flight : scene_.flights) {
      if (!is_drawn(flight)) continue;
      content_at(arrives(flight) ? flight.ended : flight.sent).flights.push_back(&flight);
    }
    for (const Bar& bar : scene_.bars) {
      const bool is_belief = bar.kind == BarKind::belief && lanes_.contains(bar.lane);
      if (!is_belief || at(bar.from) > scene_.view_until_ns || is_folded_away(bar)) continue;
      content_at(bar.from).begins.push_back(&bar);
      if (bar.until) content_at(*bar.until).ends.push_back(&bar);
    }
  }

  void line(const std::string& words) { out_ += words + "\n"; }

  void begin() {
    line(form_.beginning());
    const std::string title = brief(subject_.title, sequence_title_max);
    if (!title.empty()) line(form_.title(title));
    for (const LaneIndex lane : lanes_) {
      const Lane& shown = scene_.lanes[lane];
      const std::string remark = shown.remark.empty() ? "" : ", " + shown.remark;
      line(form_.participant(lane, shown.shown + ", " + shown.title + remark));
    }
    if (lanes_.empty()) line(form_.participant(0, "nothing"));
    for (const checker::Verdict& verdict : subject_.example->verdicts) {
      if (verdict.kind != checker::VerdictKind::violated) continue;
      over_all("\u2717 " + std::string(checker::to_string(verdict.property)) + ": " +
               brief(verdict.summary, sequence_text_max));
    }
    if (lanes_.empty()) over_all(nothing_);
  }

  void over_all(const std::string& sanitized_text) {
    const LaneIndex first = lanes_.empty() ? 0 : *lanes_.begin();
    const LaneIndex last = lanes_.empty() ? 0 : *lanes_.rbegin();
    line(form_.note(first, last, sanitized_text));
  }

  void write_row(std::size_t row) {
    const Row& shown = rows_.all()[row];
    if (shown.folded > 0) {
      over_all("left out: " + folded_in_words(shown));
      ++items_;
    }
    for (const Flight* flight : contents_[row].flights) write_flight(*flight);
    write_notes(row);
    for (const Bar* bar : contents_[row].begins) activate(bar->lane);
    if (overlaps_.contains(row)) begin_overlaps(overlaps_.at(row));
    for (const Bar* bar : contents_[row].ends) deactivate(bar->lane);
    if (overlaps_end_ && *overlaps_end_ <= row) end_overlaps();
  }

  void activate(LaneIndex lane) {
    ++active_[lane];
    line(form_.activation(lane));
  }

  void deactivate(LaneIndex lane) {
    if (active_[lane] == 0) return;  // no form may end what has not begun
    --active_[lane];
    line(form_.deactivation(lane));
  }

  /// One area is for all that are under way.
  void begin_overlaps(const std::vector<DrawnOverlap>& beginning) {
    if (!overlaps_end_) line(form_.area_beginning());
    for (const auto& [overlap, last] : beginning) {
      overlaps_end_ = std::max(overlaps_end_.value_or(last), last);
      if (!has_room()) continue;
      line(form_.note(std::min(overlap.one, overlap.other), std::max(overlap.one, overlap.other),
                      "\u2717 both believe: " + checker::milliseconds(overlap.whole_ns)));
    }
  }

  void end_overlaps() {
    line(form_.area_end());
    overlaps_end_.reset();
  }

  void write_notes(std::size_t row) {
    std::map<LaneIndex, std::string> words;
    for (const Note* note : contents_[row].notes) {
      std::string& all = words[note->lane];
      all += (all.empty() ? "" : "; ") + note->text;
    }
    const std::string time = milliseconds_number(rows_.all()[row].from_ns);
    for (const auto& [lane, text] : words) {
      if (!has_room()) continue;
      line(form_.note(lane, lane, time + ": " + brief(text, sequence_text_max)));
    }
  }

  /// For one item more; counts it either way.
  bool has_room() {
    if (++items_ <= sequence_items_max) return true;
    ++cut_;
    return false;
  }

  void write_flight(const Flight& flight) {
    if (!has_room()) return;
    std::string times = milliseconds_number(at(flight.sent));
    if (arrives(flight)) times += " \u2192 " + milliseconds_number(at(flight.ended));
    std::string label = flight.label;
    if (flight.fate == Fate::waits) label += ", read later";
    if (flight.fate == Fate::under_way) label += " does not arrive";
    line(form_.message(flight, label, times));
  }

  void end() {
    if (overlaps_end_) end_overlaps();
    for (auto& [lane, count] : active_) {
      for (; count > 0; --count) line(form_.deactivation(lane));
    }
    if (rows_.folded() + cut_ > 0) {
      over_all(fmt::format("{} moments of this run are left out here: the SVG shows more",
                           rows_.folded() + cut_));
    }
    if (!subject_.replay_command.empty()) {
      over_all("see it again: " + brief(subject_.replay_command, sequence_text_max));
    }
    if (!form_.ending().empty()) line(form_.ending());
  }

  const SequenceForm& form_;
  const TimelineSubject& subject_;
  const model::RecordedTrace& trace_;
  const Scene& scene_;
  const Rows& rows_;
  std::string nothing_;  // said where there is nothing to draw
  std::set<LaneIndex> lanes_;
  std::vector<Content> contents_;  // by row
  std::map<LaneIndex, int> active_;
  std::string out_;
  std::size_t items_ = 0;
  std::size_t cut_ = 0;  // items beyond what there is room for
  std::map<std::size_t, std::vector<DrawnOverlap>> overlaps_;  // by the row of their beginning
  std::optional<std::size_t> overlaps_end_;                    // the last row of those under way
};

}  // namespace

std::string sequence_of(const TimelineSubject& subject, const TimelineOptions& options,
                        const SequenceForm& form) {
  const Scene scene = scene_of(subject, options);
  for (std::size_t rows_max = std::min(rows_max_of(options), sequence_rows_max);;) {
    const Rows rows(scene, subject.example->trace, rows_max);
    SequenceWriter writer(subject, scene, rows, nothing_in_words(options), form);
    std::string text = writer.write();
    if (writer.items() <= sequence_items_max || rows_max == rows_least) return text;
    const std::size_t fitting = rows_max * sequence_items_max / writer.items();
    rows_max = std::max(rows_least, std::min(rows_max - 1, fitting));
  }
}

}  // namespace lockstep::reports
