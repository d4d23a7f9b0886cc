#include "tests/reports/picture_check.h"

#include <algorithm>
#include <vector>

#include "reports/text.h"
#include "reports/timeline/timeline_labels.h"

namespace lockstep::reports::test {
namespace {

/// What its letters fill: without the room above capitals and below the line.
Box letters_of(const Text& text) {
  const Tenths bold = text.weight == Weight::bold ? 108 : 100;
  const Tenths width = text_width(text.text, text.size) * bold / 100;
  const Tenths left = text.align == Align::left     ? text.at.x
                      : text.align == Align::middle ? text.at.x - width / 2
                                                    : text.at.x - width;
  const Tenths half = text.size * 35 / 100;
  return {left, text.at.y - half, left + width, text.at.y + half};
}

std::int64_t area_of_box(const Box& box) { return common_area(box, box); }

}  // namespace

std::string overlapping_texts(const Picture& picture) {
  constexpr std::int64_t little_percent = 8;
  std::vector<Box> boxes;
  for (const Text& text : picture.texts) boxes.push_back(letters_of(text));
  std::string found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      const std::int64_t smaller = std::min(area_of_box(boxes[i]), area_of_box(boxes[j]));
      if (common_area(boxes[i], boxes[j]) * 100 <= smaller * little_percent) continue;
      found += picture.texts[i].text + " | " + picture.texts[j].text + "\n";
    }
  }
  return found;
}

}  // namespace lockstep::reports::test
