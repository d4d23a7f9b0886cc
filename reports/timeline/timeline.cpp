#include "reports/timeline/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/trace_vocabulary.h"
#include "reports/drawing/palette.h"
#include "reports/scene/scene.h"
#include "reports/scene/scene_fold.h"
#include "reports/text.h"
#include "reports/timeline/rows.h"
#include "reports/timeline/timeline_grid.h"
#include "reports/timeline/timeline_marks.h"
#include "reports/timeline/timeline_painter.h"
#include "reports/timeline/timeline_scene.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::reports {
namespace {

constexpr Tenths margin = 120;
constexpr Tenths title_size = 130;
constexpr Tenths caption_size = 85;
constexpr Tenths caption_line = 115;
constexpr Tenths width_min = 5'400;
constexpr Tenths width_wished = 11'100;  // more lanes than find room in it make it wider
constexpr Tenths width_most = 11'330;  // what few rows make no wider more of them shall not either
constexpr Tenths height_wished = 8'450;
constexpr std::size_t page_rows_max = 40;  // whoever asks for more wants no page
constexpr std::size_t page_rows_least = 12;
constexpr std::size_t title_characters_max = 120;
constexpr std::size_t caption_characters_max = 600;  // of one paragraph
constexpr std::size_t faults_listed_max = 6;

struct Paragraph {
  std::string head;  ///< bold
  std::string text;
  Colour colour;
};

/// What struck, each once, in the order of the first time.
std::string faults_in_words(const model::RecordedTrace& trace) {
  std::vector<std::pair<std::string, std::size_t>> struck;  // what, how often
  for (const model::RecordedEvent& event : trace.events) {
    if (event.kind != model::trace_kind::fault_struck) continue;
    const std::string what = brief(event.text("what"), 120);
    const auto known = std::find_if(struck.begin(), struck.end(),
                                    [&](const auto& each) { return each.first == what; });
    if (known != struck.end()) {
      ++known->second;
    } else if (struck.size() <= faults_listed_max) {
      struck.emplace_back(what, 1);
    }
  }
  std::string words;
  for (std::size_t i = 0; i < struck.size(); ++i) {
    if (i > 0) words += "; ";
    words += i == faults_listed_max ? std::string("\u2026") : struck[i].first;
    if (struck[i].second > 1 && i < faults_listed_max) {
      words += fmt::format(" ({} times)", struck[i].second);
    }
  }
  return words;
}

std::vector<Paragraph> caption_of(const TimelineSubject& subject) {
  std::vector<Paragraph> caption;
  const auto add = [&](std::string head, std::string_view text, Colour colour) {
    caption.push_back({std::move(head), brief(text, caption_characters_max), colour});
  };
  bool is_violated = false;
  for (const checker::Verdict& verdict : subject.example->verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    is_violated = true;
    add("\u2717 " + std::string(checker::to_string(verdict.property)), verdict.summary,
        palette::bad_ink);
  }
  if (!is_violated && !subject.example->verdicts.empty()) {
    add("\u2713 no property is violated", "", palette::good_ink);
  }
  const std::string why = why_in_words(*subject.example);
  if (!why.empty()) add("why", why, palette::ink);
  const std::string faults = faults_in_words(subject.example->trace);
  if (!faults.empty()) add("faults", faults, palette::fault_ink);
  return caption;
}

class Layout {
 public:
  Layout(const TimelineSubject& subject, const TimelineOptions& options, LabelRoom label_room)
      : subject_(subject),
        options_(options),
        label_room_(label_room),
        caption_(caption_of(subject)),
        scene_(scene_of(subject, options)),
        rows_(scene_, subject.example->trace, rows_max_of(options)) {}

  Timeline make() {
    const Squeeze squeeze = fit();
    paint_caption();
    y_ = std::max(y_, options_.heads_top_min);
    timeline_.heads_top = y_;
    const Grid grid(scene_, trace(), rows_, y_, squeeze, label_room_, options_.mark);
    TimelinePainter painter(scene_, trace(), rows_, grid, picture());
    painter.paint(options_.mark);
    timeline_.heads_bottom = grid.lanes_top() - 30;
    find_hidden_lanes(grid);
    y_ = grid.lanes_bottom() + 80;
    if (grid.row_count() == 0) nothing_to_show();
    y_ = painter.paint_legend(margin, right_, y_) + 40;
    paint_footer();
    picture().width = right_ + margin;
    picture().height = y_ + margin;
    picture().title = brief(subject_.title, title_characters_max);
    timeline_.description = description_of(*subject_.example);
    timeline_.rows = rows_.all().size();
    timeline_.labels_left_out = painter.labels_left_out();
    for (std::size_t i = 0; i < rows_.all().size(); ++i) {
      const Row& row = rows_.all()[i];
      timeline_.row_places.push_back(
          {row.from_ns, row.until_ns, grid.row(i).top, grid.row(i).bottom});
    }
    timeline_.rows_folded = rows_.folded();
    return std::move(timeline_);
  }

 private:
  [[nodiscard]] const model::RecordedTrace& trace() const { return subject_.example->trace; }
  Picture& picture() { return timeline_.picture; }

  /// Folds lanes and rows until it fits a page, as far as that goes. The width is known once the
  /// grid is; the height of the caption depends on it.
  Squeeze fit() {
    Squeeze squeeze = squeeze_to_width();
    const bool may_fold = options_.rows_max <= page_rows_max && options_.view.lanes.empty();
    if (!may_fold) return squeeze;
    if (squeeze != Squeeze::none || height() > height_wished) {
      folded_lanes_ = fold_lanes(scene_, trace());
      if (!folded_lanes_.empty()) {
        rows_ = Rows(scene_, trace(), rows_max_of(options_));
        squeeze = squeeze_to_width();
      }
    }
    if (height() <= height_wished) return squeeze;
    // However little is folded at a place, where nothing else helps.
    for (const std::size_t folded_min : {std::size_t{3}, std::size_t{1}}) {
      squeeze = fit_rows(folded_min, SilentRows::shown);
      if (height() <= height_wished) return squeeze;
    }
    return fit_rows(1, SilentRows::left_out);
  }

  /// As many rows as a page has room for.
  Squeeze fit_rows(std::size_t folded_min, SilentRows silent) {
    std::size_t low = page_rows_least;
    std::size_t high = rows_max_of(options_);
    rows_ = Rows(scene_, trace(), low, folded_min, silent);
    squeeze_to_width();
    const Tenths right_most = std::max(right_, width_most - margin);
    while (low < high) {
      const std::size_t middle = (low + high + 1) / 2;
      rows_ = Rows(scene_, trace(), middle, folded_min, silent);
      squeeze_to_width();
      if (height() <= height_wished && right_ <= right_most) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    rows_ = Rows(scene_, trace(), low, folded_min, silent);
    return squeeze_to_width();
  }

  Squeeze squeeze_to_width() {
    for (const Squeeze each : squeezes) {
      const Grid grid(scene_, trace(), rows_, 0, each, label_room_, options_.mark);
      right_ = std::max(grid.right(), width_min);
      lanes_height_ = grid.lanes_bottom();
      if (right_ <= width_wished) return each;
    }
    return squeezes.back();
  }

  /// Of the whole picture: about as high as the caption, the lanes and the legend.
  [[nodiscard]] Tenths height() const {
    constexpr Tenths around = 1'050;  // the title, the legend, the footer
    Tenths caption = 0;
    for (const Paragraph& paragraph : caption_) {
      const std::size_t lines = wrapped(paragraph.text, caption_characters(caption_)).size();
      caption += caption_line * static_cast<Tenths>(lines) + 20;
    }
    return caption + around + lanes_height_;
  }

  [[nodiscard]] static Tenths caption_left(const std::vector<Paragraph>& caption) {
    Tenths head_width = 0;
    for (const Paragraph& paragraph : caption) {
      head_width = std::max(head_width, text_width(paragraph.head, caption_size) * 135 / 100);
    }
    return margin + head_width + 80;
  }

  [[nodiscard]] std::size_t caption_characters(const std::vector<Paragraph>& caption) const {
    return static_cast<std::size_t>(
        std::max(20, (right_ - caption_left(caption)) / text_width("n", caption_size)));
  }

  void write(Tenths x, std::string words, Colour colour, Tenths size, Weight weight) {
    picture().texts.push_back({{x, y_}, Align::left, std::move(words), colour, size, weight, {}});
  }

  void paint_caption() {
    y_ = margin + title_size / 2;
    write(margin, brief(subject_.title, title_characters_max), palette::ink, title_size,
          Weight::bold);
    y_ += title_size + 30;
    const std::vector<Paragraph>& caption = caption_;
    const Tenths text_left = caption_left(caption);
    const std::size_t characters = caption_characters(caption);
    for (const Paragraph& paragraph : caption) {
      write(margin, paragraph.head, paragraph.colour, caption_size, Weight::bold);
      for (const std::string& line : wrapped(paragraph.text, characters)) {
        if (!line.empty()) write(text_left, line, palette::ink, caption_size, Weight::normal);
        y_ += caption_line;
      }
      y_ += 20;
    }
    y_ += 60;
  }

  void nothing_to_show() {
    write(margin, nothing_in_words(options_), palette::quiet_ink, caption_size, Weight::normal);
    y_ += caption_line;
  }

  /// Those of which something happened, and all of it is folded: else a reader would not know of
  /// them.
  void find_hidden_lanes(const Grid& grid) {
    if (grid.row_count() == 0 || !options_.view.lanes.empty()) return;
    for (const Note& note : scene_.notes) {
      const Lane& lane = scene_.lanes[note.lane];
      const bool is_hidden =
          lane.kind != LaneKind::faults && !note.text.empty() && !grid.column(note.lane).is_shown;
      const auto known = std::find(hidden_lanes_.begin(), hidden_lanes_.end(), lane.shown);
      if (is_hidden && known == hidden_lanes_.end()) hidden_lanes_.push_back(lane.shown);
    }
  }

  void name_lanes(std::string_view head, const std::vector<std::string>& lanes) {
    if (lanes.empty()) return;
    std::string names;
    for (const std::string& name : lanes) names += (names.empty() ? "" : ", ") + name;
    write(margin, brief(fmt::format("{}{}. --lanes or --full draws them.", head, names), 200),
          palette::quiet_ink, label_size, Weight::normal);
    y_ += caption_line;
  }

  void paint_footer() {
    y_ += caption_line / 2;
    if (scene_.messages_left_out > 0) {
      write(margin,
            fmt::format("{} messages without effect on the lock are not drawn (subscriptions, "
                        "replication).",
                        scene_.messages_left_out),
            palette::quiet_ink, label_size, Weight::normal);
      y_ += caption_line;
    }
    if (rows_.left_out() > 0) {
      write(margin,
            "Moments without effect on the lock that have no row: " +
                with_thousands(rows_.left_out()) + ".",
            palette::quiet_ink, label_size, Weight::normal);
      y_ += caption_line;
    }
    name_lanes("Folded to the edge, as nothing there touched the lock: ", folded_lanes_);
    name_lanes("Folded with all their rows: ", hidden_lanes_);
    if (!subject_.replay_command.empty()) {
      write(margin, "see it again: " + brief(subject_.replay_command, 200), palette::quiet_ink,
            label_size, Weight::normal);
      y_ += caption_line;
    }
    y_ -= caption_line;
  }

  const TimelineSubject& subject_;
  const TimelineOptions& options_;
  LabelRoom label_room_;
  std::vector<Paragraph> caption_;
  Scene scene_;
  Rows rows_;
  std::vector<std::string> folded_lanes_;
  std::vector<std::string> hidden_lanes_;  ///< with what happened there
  Timeline timeline_;
  Tenths y_ = 0;
  Tenths right_ = 0;
  Tenths lanes_height_ = 0;
};

}  // namespace

Timeline layout(const TimelineSubject& subject, const TimelineOptions& options) {
  Timeline timeline = Layout(subject, options, LabelRoom::on_slopes).make();
  if (timeline.labels_left_out == 0) return timeline;
  Timeline roomier = Layout(subject, options, LabelRoom::beside_slopes).make();
  return roomier.labels_left_out < timeline.labels_left_out ? roomier : timeline;
}

}  // namespace lockstep::reports
