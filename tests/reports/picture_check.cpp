#include "tests/reports/picture_check.h"

#include <fmt/format.h>

#include <variant>
#include <vector>

#include "reports/drawing/boxes.h"

namespace lockstep::reports::test {
namespace {

constexpr Tenths dot_half = 20;

std::string place_of(const Text& text) {
  return fmt::format("\"{}\" at {}, {}", text.text, text.at.x / 10, text.at.y / 10);
}

class OverlapFinder {
 public:
  explicit OverlapFinder(const Picture& picture) : picture_(picture) {}

  std::string find() {
    for (std::size_t i = 0; i < picture_.texts.size(); ++i) {
      find_texts_on(i);
      find_shapes_under(picture_.texts[i]);
    }
    return std::move(found_);
  }

 private:
  void find_texts_on(std::size_t one) {
    for (std::size_t other = one + 1; other < picture_.texts.size(); ++other) {
      if (overlap(text_box(picture_.texts[one]), text_box(picture_.texts[other]))) {
        found_ +=
            place_of(picture_.texts[one]) + " lies on " + place_of(picture_.texts[other]) + "\n";
      }
    }
  }

  void find_shapes_under(const Text& text) {
    const Box box = text_box(text);
    const auto report = [&](std::string_view what, Point at) {
      found_ +=
          fmt::format("{} lies on {} at {}, {}\n", place_of(text), what, at.x / 10, at.y / 10);
    };
    for (const auto& shape : picture_.background) {
      if (const auto* const line = std::get_if<Line>(&shape)) {
        if (crosses(segment_of(*line), box)) report("a line", line->from);
      } else if (const auto* const area = std::get_if<Area>(&shape)) {
        const bool is_solid = area->ground == Ground::solid;
        if (is_solid && overlap(box_of(*area), box)) report("a bar", area->corners.front());
      }
    }
    for (const Arrow& arrow : picture_.arrows) {
      for (const Segment& segment : segments_of(arrow)) {
        if (crosses(segment, box)) report("an arrow", segment.from);
      }
    }
    for (const Dot& dot : picture_.dots) {
      const Box spot{dot.at.x - dot_half, dot.at.y - dot_half, dot.at.x + dot_half,
                     dot.at.y + dot_half};
      if (overlap(spot, box)) report("a dot", dot.at);
    }
  }

  const Picture& picture_;
  std::string found_;
};

}  // namespace

std::string overlaps_in(const Picture& picture) { return OverlapFinder(picture).find(); }

}  // namespace lockstep::reports::test
