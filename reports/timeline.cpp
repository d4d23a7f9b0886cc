#include "reports/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "reports/cause.h"
#include "reports/palette.h"
#include "reports/rows.h"
#include "reports/scene.h"
#include "reports/text.h"
#include "reports/timeline_grid.h"
#include "reports/timeline_painter.h"

namespace lockstep::reports {
namespace {

constexpr Tenths margin = 120;
constexpr Tenths title_size = 130;
constexpr Tenths caption_size = 85;
constexpr Tenths caption_line = 115;
constexpr Tenths width_min = 5'400;
constexpr std::size_t title_characters_max = 120;
constexpr std::size_t caption_characters_max = 600;  // of one paragraph

struct Paragraph {
  std::string head;  ///< bold
  std::string text;
  Colour colour;
};

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
  std::string why;
  for (const std::string& sentence : explain(*subject.example)) {
    why += (why.empty() ? "" : " ") + sentence;
  }
  if (!why.empty()) add("why", why, palette::ink);
  return caption;
}

class Layout {
 public:
  Layout(const TimelineSubject& subject, const TimelineOptions& options)
      : subject_(subject),
        scene_(make_scene(*subject.example)),
        rows_(scene_, subject.example->trace, std::max<std::size_t>(options.rows_max, 2)) {}

  Timeline make() {
    // The width is known once the grid is; the height of the caption depends on it.
    const Grid probe(scene_, trace(), rows_, 0);
    right_ = std::max(probe.right(), width_min);
    paint_caption();
    const Grid grid(scene_, trace(), rows_, y_);
    TimelinePainter painter(scene_, trace(), rows_, grid, picture());
    painter.paint();
    y_ = grid.lanes_bottom() + 80;
    if (grid.row_count() == 0) nothing_to_show();
    y_ = painter.paint_legend(margin, right_, y_) + 40;
    paint_footer();
    picture().width = right_ + margin;
    picture().height = y_ + margin;
    picture().title = brief(subject_.title, title_characters_max);
    timeline_.rows = rows_.all().size();
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

  void write(Tenths x, std::string words, Colour colour, Tenths size, Weight weight) {
    picture().texts.push_back({{x, y_}, Align::left, std::move(words), colour, size, weight, {}});
  }

  void paint_caption() {
    y_ = margin + title_size / 2;
    write(margin, brief(subject_.title, title_characters_max), palette::ink, title_size,
          Weight::bold);
    y_ += title_size + 30;
    const std::vector<Paragraph> caption = caption_of(subject_);
    Tenths head_width = 0;
    for (const Paragraph& paragraph : caption) {
      head_width = std::max(head_width, text_width(paragraph.head, caption_size) * 115 / 100);
    }
    const Tenths text_left = margin + head_width + 80;
    const auto characters = static_cast<std::size_t>(
        std::max(20, (right_ - text_left) / text_width("n", caption_size)));
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
    write(margin, "Nothing happened in this run.", palette::quiet_ink, caption_size,
          Weight::normal);
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
    if (!subject_.replay_command.empty()) {
      write(margin, "see it again: " + brief(subject_.replay_command, 200), palette::quiet_ink,
            label_size, Weight::normal);
      y_ += caption_line;
    }
    y_ -= caption_line;
  }

  const TimelineSubject& subject_;
  Scene scene_;
  Rows rows_;
  Timeline timeline_;
  Tenths y_ = 0;
  Tenths right_ = 0;
};

}  // namespace

TimelineSubject timeline_subject(const search::ScenarioOutcome& outcome,
                                 std::string replay_command) {
  return {outcome.scenario.title, std::move(replay_command), &outcome.example};
}

TimelineSubject timeline_subject(const TraceFile& file, std::string replay_command) {
  return {file.scenario_title, std::move(replay_command), &file.example};
}

Timeline layout(const TimelineSubject& subject, const TimelineOptions& options) {
  return Layout(subject, options).make();
}

std::optional<PictureFormat> picture_format_from(std::string_view extension) {
  constexpr std::array<std::pair<std::string_view, PictureFormat>, 4> formats{
      {{"svg", PictureFormat::svg},
       {"png", PictureFormat::png},
       {"pdf", PictureFormat::pdf},
       {"dot", PictureFormat::dot}}};
  for (const auto& [name, format] : formats) {
    if (name == extension) return format;
  }
  return std::nullopt;
}

}  // namespace lockstep::reports
