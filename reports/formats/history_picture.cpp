#include "reports/formats/history_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "checker/recorded/explanation.h"
#include "checker/recorded/formats/function_names.h"
#include "reports/drawing/palette.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace recorded = checker::recorded;

constexpr std::size_t bars_max = 40;
constexpr std::size_t placed_shown_max = 12;
constexpr std::size_t reasons_max = 8;

constexpr Tenths margin = 200;
constexpr Tenths title_size = 120;
constexpr Tenths bar_size = 85;
constexpr Tenths small_size = 70;
constexpr Tenths bar_height = 270;
constexpr Tenths row_height = 350;
constexpr Tenths bar_padding = 60;
constexpr Tenths step_least = 90;
constexpr Tenths width_least = 4600;
constexpr Tenths line_height = 130;

/// An operation as it is drawn.
struct OperationBar {
  std::uint32_t operation = 0;
  std::size_t row = 0;
  std::size_t place = 0;  ///< in the longest partial linearization, from 1; 0: not placed
  bool is_stuck = false;
  bool is_missing = false;
  std::string label;
  std::string lines;
  Tenths left = 0;
  Tenths right = 0;

  [[nodiscard]] bool is_marked() const { return is_stuck || is_missing; }
};

struct LaneRow {
  std::string title;  ///< empty: the lane of the row above goes on
  std::uint32_t taken_until = 0;
};

bool is_open_ended(const recorded::Operation& operation) {
  return operation.outcome == recorded::Outcome::info ||
         operation.completed == recorded::never_completed;
}

/// Where its bar ends among the events.
std::uint32_t end_of(const recorded::Operation& operation) {
  return is_open_ended(operation) ? recorded::never_completed : operation.completed;
}

std::string file_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string bar_label(const recorded::History& history, const recorded::Operation& operation) {
  const auto text = [&](recorded::TextId id) { return brief(history.texts.text(id), 24); };
  std::string label(recorded::to_string(operation.function));
  if (operation.argument != recorded::no_text) label += " " + text(operation.argument);
  if (operation.second_argument != recorded::no_text) {
    label += " \u2192 " + text(operation.second_argument);
  }
  if (operation.result != recorded::no_text) label += ": " + text(operation.result);
  if (operation.token != recorded::no_number) label += fmt::format(" (token {})", operation.token);
  if (operation.outcome == recorded::Outcome::fail) label += " failed";
  if (is_open_ended(operation)) label += " ?";
  return label;
}

std::string lines_of(const recorded::Operation& operation) {
  if (operation.invoked_line == 0) return {};
  if (operation.completed_line == 0) return fmt::format("line {}", operation.invoked_line);
  return fmt::format("lines {}, {}", operation.invoked_line, operation.completed_line);
}

/// Lays the picture out and paints it.
class HistoryPainter {
 public:
  explicit HistoryPainter(const CheckedHistory& checked)
      : checked_(checked),
        history_(checked.read.history),
        part_(*worst_key_decision(checked.decision)),
        explanation_(part_.explanation) {}

  Picture paint() {
    choose();
    assign_rows();
    place_events();
    paint_head();
    paint_lanes();
    for (const OperationBar& bar : bars_) paint_bar(bar);
    for (const OperationBar& bar : bars_) paint_open_edges(bar);
    paint_wall();
    paint_reasons();
    return std::move(picture_);
  }

 private:
  const recorded::Operation& operation_of(const OperationBar& bar) const {
    return history_.operations[bar.operation];
  }

  void choose() {
    add(explanation_.stuck).is_stuck = true;
    for (const std::uint32_t each : explanation_.core) add(each);
    if (explanation_.proof) {
      for (const std::uint32_t each : explanation_.proof->counted) add(each);
      for (const std::uint32_t each : explanation_.proof->others) add(each);
    }
    if (!explanation_.final_paths.empty()) choose_of(explanation_.final_paths.front());
    for (auto& [operation, bar] : chosen_) bars_.push_back(std::move(bar));
  }

  void choose_of(const recorded::FinalPath& way) {
    const bool has_core = !explanation_.core.empty();
    for (const recorded::NotPlaced& each : way.missing) {
      if (!has_core || chosen_.contains(each.operation)) add(each.operation).is_missing = true;
    }
    const std::size_t count = std::min(way.order.size(), placed_shown_max);
    for (std::size_t i = 0; i < way.order.size(); ++i) {
      const std::uint32_t operation = way.order[i];
      const bool is_late = !has_core && i + count >= way.order.size();
      if (is_late || chosen_.contains(operation)) add(operation).place = i + 1;
    }
  }

  /// Beyond the most that are drawn, an operation stays aside.
  OperationBar& add(std::uint32_t operation) {
    if (!chosen_.contains(operation) && chosen_.size() >= bars_max) return aside_;
    OperationBar& bar = chosen_[operation];
    bar.operation = operation;
    bar.label = bar_label(history_, history_.operations[operation]);
    bar.lines = lines_of(history_.operations[operation]);
    return bar;
  }

  std::string owner_title(const recorded::Operation& operation) const {
    const recorded::TextId who =
        operation.owner == recorded::no_text ? operation.process : operation.owner;
    const std::string_view name = history_.texts.text(who);
    const bool is_number = name.find_first_not_of("0123456789") == std::string_view::npos;
    return (is_number ? "process " : "") + brief(name, 24);
  }

  /// A row for each owner, in order of the first operation; more where its operations overlap.
  void assign_rows() {
    std::map<recorded::TextId, std::vector<std::size_t>> rows_of;
    std::vector<recorded::TextId> owners;
    for (const OperationBar& bar : bars_) {
      const recorded::TextId owner = operation_of(bar).owner;
      if (rows_of.try_emplace(owner).second) owners.push_back(owner);
    }
    for (const recorded::TextId owner : owners) {
      std::size_t first = rows_.size();
      for (OperationBar& bar : bars_) {
        const recorded::Operation& operation = operation_of(bar);
        if (operation.owner != owner) continue;
        std::size_t row = first;
        while (row < rows_.size() && rows_[row].taken_until > operation.invoked) ++row;
        if (row == rows_.size()) rows_.push_back({row == first ? owner_title(operation) : "", 0});
        const std::uint32_t end = end_of(operation);
        rows_[row].taken_until = end;
        bar.row = row;
      }
    }
  }

  Tenths width_of(const OperationBar& bar) const {
    const Tenths label = text_width(number_of(bar) + bar.label, bar_size) * 11 / 10;
    const Tenths lines = text_width(bar.lines, small_size) * 11 / 10;
    return std::max(label, lines) + 2 * bar_padding;
  }

  static std::string number_of(const OperationBar& bar) {
    return bar.place == 0 ? std::string() : fmt::format("{}. ", bar.place);
  }

  /// The events from left to right, each as near to the one before as the texts of bars allow.
  void place_events() {
    for (const LaneRow& row : rows_) {
      lanes_left_ = std::max(lanes_left_, text_width(row.title, bar_size) * 11 / 10);
    }
    lanes_left_ += margin + 120;
    std::map<std::uint32_t, std::pair<OperationBar*, bool>> events;  // bar, whether it begins
    for (OperationBar& bar : bars_) {
      events[operation_of(bar).invoked] = {&bar, true};
      if (!is_open_ended(operation_of(bar))) events[operation_of(bar).completed] = {&bar, false};
    }
    Tenths x = lanes_left_;
    for (auto& [position, event] : events) {
      auto& [bar, begins] = event;
      x += step_least;
      if (begins) {
        bar->left = x;
        right_ = std::max(right_, x + width_of(*bar) + step_least);
      } else {
        x = std::max(x, bar->left + width_of(*bar));
        bar->right = x;
      }
      if (position == explanation_.until) wall_ = x;
    }
    right_ = std::max({right_, x + 2 * step_least, width_least});
    right_ = std::max(right_, margin + text_width(title(), title_size) * 12 / 10);
    right_ = std::max(right_, margin + text_width(subtitle(), bar_size) * 11 / 10);
    for (OperationBar& bar : bars_) {
      if (is_open_ended(operation_of(bar))) bar.right = right_;
    }
  }

  std::string title() const {
    return brief(
        fmt::format("{}: {} as {}", file_name(checked_.path), recorded::to_string(part_.answer),
                    recorded::to_string(checked_.model)),
        100);
  }

  std::string subtitle() const {
    const std::string_view begin = part_.answer == recorded::Answer::unknown
                                       ? "not decided beyond the return of "
                                       : "no order of the operations gets past the return of ";
    const std::string stuck = recorded::describe(history_, history_.operations[explanation_.stuck]);
    return brief(fmt::format("{}: {}{}", explanation_.object, begin, stuck), 140);
  }

  void paint_head() {
    picture_.title = title();
    write({margin, margin}, title(), palette::ink, title_size, Weight::bold);
    write({margin, margin + 170}, subtitle(), palette::bad_ink, bar_size);
    lanes_top_ = margin + 330;
    lanes_bottom_ = lanes_top_ + static_cast<Tenths>(rows_.size()) * row_height;
  }

  Tenths middle_of(std::size_t row) const {
    return lanes_top_ + static_cast<Tenths>(row) * row_height + row_height / 2;
  }

  void paint_lanes() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const Tenths y = middle_of(row);
      picture_.background.emplace_back(Line{{lanes_left_, y}, {right_, y}, palette::row, 8});
      write({lanes_left_ - 60, y}, rows_[row].title, palette::ink, bar_size, Weight::normal,
            Align::right);
    }
  }

  void paint_bar(const OperationBar& bar) {
    const Tenths top = middle_of(bar.row) - bar_height / 2;
    const Tenths bottom = top + bar_height;
    const bool is_open = is_open_ended(operation_of(bar));
    const Colour fill = bar.is_marked() ? palette::bad_light
                        : is_open       ? palette::row
                                        : palette::white;
    picture_.background.emplace_back(
        Area{{{bar.left, top}, {bar.right, top}, {bar.right, bottom}, {bar.left, bottom}},
             fill,
             is_open ? Colour() : frame_of(bar),
             frame_width_of(bar)});
    const Tenths x = bar.left + bar_padding;
    write({x, top + 90}, number_of(bar) + bar.label,
          bar.is_marked() ? palette::bad_ink : palette::ink, bar_size);
    write({x, top + 195}, bar.lines, palette::quiet_ink, small_size);
  }

  /// The edges of what has no end. After all areas: a stroke's pattern stays for the frames behind
  /// it.
  void paint_open_edges(const OperationBar& bar) {
    if (!is_open_ended(operation_of(bar))) return;
    const Tenths top = middle_of(bar.row) - bar_height / 2;
    const Tenths bottom = top + bar_height;
    const auto edge = [&](Point from, Point to, Stroke stroke) {
      picture_.background.emplace_back(Line{from, to, frame_of(bar), frame_width_of(bar), stroke});
    };
    edge({bar.left, top}, {bar.left, bottom}, Stroke::solid);
    edge({bar.left, top}, {bar.right, top}, Stroke::dashed);
    edge({bar.left, bottom}, {bar.right, bottom}, Stroke::dashed);
  }

  static Colour frame_of(const OperationBar& bar) {
    return bar.is_marked() ? palette::bad : palette::clients[0];
  }
  static Tenths frame_width_of(const OperationBar& bar) { return bar.is_stuck ? 22 : 12; }

  /// The moment that no order gets past.
  void paint_wall() {
    if (wall_ == 0) return;
    picture_.background.emplace_back(Line{
        {wall_, lanes_top_ - 40}, {wall_, lanes_bottom_ + 40}, palette::bad, 12, Stroke::dashed});
  }

  void paint_reasons() {
    Tenths y = lanes_bottom_ + 150;
    const auto say = [&](const std::string& words, Colour colour) {
      const auto characters =
          static_cast<std::size_t>(std::max<Tenths>(60, (right_ - margin) / 46));
      for (const std::string& line : wrapped(sanitized(words), characters)) {
        write({margin, y}, line, colour, bar_size);
        y += line_height;
      }
    };
    if (explanation_.proof) {
      say(recorded::claim_in_words(history_, *explanation_.proof), palette::bad_ink);
    }
    if (!explanation_.final_paths.empty()) {
      const recorded::FinalPath& way = explanation_.final_paths.front();
      const std::string_view of = explanation_.core.empty() ? "" : "of these alone ";
      say(fmt::format(
              "Numbered: the longest order {}that explains what returned before, {} in all. It "
              "leaves: {}.",
              of, way.order.size(), way.state),
          palette::ink);
      for (std::size_t i = 0; i < std::min(way.missing.size(), reasons_max); ++i) {
        say(fmt::format("Not possible then: {}: {}.",
                        recorded::describe(history_, history_.operations[way.missing[i].operation]),
                        way.missing[i].why),
            palette::bad_ink);
      }
    }
    const auto is_open = [&](const OperationBar& bar) { return is_open_ended(operation_of(bar)); };
    if (std::any_of(bars_.begin(), bars_.end(), is_open)) {
      say("Open to the right: outcome unknown; it may take effect at any time after it began, or "
          "never.",
          palette::quiet_ink);
    }
    picture_.width = right_ + margin;
    picture_.height = y + margin;
  }

  void write(Point at, std::string_view words, Colour colour, Tenths size,
             Weight weight = Weight::normal, Align align = Align::left) {
    if (words.empty()) return;
    picture_.texts.push_back({at, align, sanitized(words), colour, size, weight, {}});
  }

  const CheckedHistory& checked_;
  const recorded::History& history_;
  const recorded::KeyDecision& part_;
  const recorded::Explanation& explanation_;
  std::map<std::uint32_t, OperationBar> chosen_;  // by operation, so in order of invocation
  OperationBar aside_;
  std::vector<OperationBar> bars_;
  std::vector<LaneRow> rows_;
  Tenths lanes_left_ = 0;
  Tenths lanes_top_ = 0;
  Tenths lanes_bottom_ = 0;
  Tenths right_ = 0;
  Tenths wall_ = 0;
  Picture picture_;
};

}  // namespace

Picture draw(const CheckedHistory& checked) { return HistoryPainter(checked).paint(); }

}  // namespace lockstep::reports
