#include "advice/host/host_text.h"

#include <algorithm>
#include <utility>

namespace lockstep::advice {
namespace {

bool is_text_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\f'; }
bool is_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

struct Range {
  std::size_t begin;
  std::size_t end;
};

/// Keeps these parts of the text, in order, and the holes at their places.
void keep(HostText& value, const std::vector<Range>& ranges) {
  std::string text;
  auto hole = value.holes.begin();
  for (const Range& each : ranges) {
    for (; hole != value.holes.end() && hole->at <= each.end; ++hole) {
      hole->at = text.size() + (hole->at > each.begin ? hole->at - each.begin : 0);
    }
    text.append(value.text, each.begin, each.end - each.begin);
  }
  for (; hole != value.holes.end(); ++hole) hole->at = text.size();
  value.text = std::move(text);
}

struct Line {
  std::size_t begin;
  std::size_t blanks_end;  ///< where something begins that is no blank, a hole too
  std::size_t end;         ///< of its text, before the line end
  bool is_blank;
};

std::vector<Line> lines_of(const HostText& value) {
  std::vector<Line> lines;
  auto hole = value.holes.begin();
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(value.text.find('\n', begin), value.text.size());
    while (hole != value.holes.end() && hole->at < begin) ++hole;
    const bool has_hole = hole != value.holes.end() && hole->at <= end;
    const std::size_t stop = has_hole ? hole->at : end;
    std::size_t blanks = begin;
    while (blanks < stop && is_text_blank(value.text[blanks])) ++blanks;
    lines.push_back({begin, blanks, end, blanks == end && !has_hole});
    if (end == value.text.size()) return lines;
    begin = end + 1;
  }
}

std::vector<Range> from(const HostText& value, const std::vector<Line>& lines,
                        std::size_t (*begin_of)(const Line&, std::size_t), std::size_t number) {
  std::vector<Range> ranges;
  for (const Line& each : lines) {
    ranges.push_back({begin_of(each, number), std::min(each.end + 1, value.text.size())});
  }
  return ranges;
}

std::size_t behind_margin(const Line& line, std::size_t blanks) {
  return std::min(line.begin + blanks, line.blanks_end);
}

}  // namespace

void HostText::append(const HostText& more) {
  for (const TextHole& each : more.holes) {
    holes.push_back({text.size() + each.at, each.expression, each.place});
  }
  text += more.text;
}

void remove_margin(HostText& value, std::size_t blanks) {
  keep(value, from(value, lines_of(value), &behind_margin, blanks));
}

void remove_shared_margin(HostText& value, std::size_t first_line) {
  const std::vector<Line> lines = lines_of(value);
  std::size_t shared = value.text.size();
  for (std::size_t i = first_line; i < lines.size(); ++i) {
    if (!lines[i].is_blank) shared = std::min(shared, lines[i].blanks_end - lines[i].begin);
  }
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t end = std::min(lines[i].end + 1, value.text.size());
    ranges.push_back({i < first_line ? lines[i].begin : behind_margin(lines[i], shared), end});
  }
  keep(value, ranges);
}

void remove_first_blank_line(HostText& value) {
  const std::vector<Line> lines = lines_of(value);
  if (lines.size() > 1 && lines.front().is_blank) {
    keep(value, {{lines[1].begin, value.text.size()}});
  }
}

void remove_blank_ends(HostText& value) {
  const std::vector<Line> lines = lines_of(value);
  if (lines.size() < 2) return;
  const std::size_t begin = lines.front().is_blank ? lines[1].begin : 0;
  const std::size_t end = lines.back().is_blank ? lines[lines.size() - 2].end : value.text.size();
  if (begin <= end) keep(value, {{begin, end}});
}

void remove_bar_margin(HostText& value) {
  std::vector<Range> ranges;
  for (const Line& each : lines_of(value)) {
    const bool has_bar = each.blanks_end < each.end && value.text[each.blanks_end] == '|';
    ranges.push_back(
        {has_bar ? each.blanks_end + 1 : each.begin, std::min(each.end + 1, value.text.size())});
  }
  keep(value, ranges);
}

void remove_trailing_blanks(HostText& value) {
  std::vector<Range> ranges;
  auto hole = value.holes.begin();
  for (const Line& each : lines_of(value)) {
    std::size_t least = each.begin;
    for (; hole != value.holes.end() && hole->at <= each.end; ++hole) least = hole->at;
    std::size_t end = each.end;
    while (end > std::max(least, each.begin) && is_text_blank(value.text[end - 1])) --end;
    ranges.push_back({each.begin, end});
    if (each.end < value.text.size()) ranges.push_back({each.end, each.end + 1});
  }
  keep(value, ranges);
}

void trim(HostText& value, TrimmedEnds ends) {
  std::size_t begin = 0;
  std::size_t end = value.text.size();
  const std::size_t first_hole = value.holes.empty() ? end : value.holes.front().at;
  const std::size_t last_hole = value.holes.empty() ? 0 : value.holes.back().at;
  if (ends != TrimmedEnds::end) {
    while (begin < first_hole && is_space(value.text[begin])) ++begin;
  }
  if (ends != TrimmedEnds::begin) {
    while (end > std::max(begin, last_hole) && is_space(value.text[end - 1])) --end;
  }
  keep(value, {{begin, end}});
}

void lay_out_text_block(HostText& value) {
  const std::size_t first_end = value.text.find('\n');
  if (first_end == std::string::npos) return;
  keep(value, {{first_end + 1, value.text.size()}});
  const std::vector<Line> lines = lines_of(value);
  std::size_t shared = value.text.size();
  for (const Line& each : lines) {
    const bool counts = !each.is_blank || &each == &lines.back();
    if (counts) shared = std::min(shared, each.blanks_end - each.begin);
  }
  remove_margin(value, shared);
  remove_trailing_blanks(value);
}

void lay_out_by_last_line(HostText& value) {
  const std::vector<Line> lines = lines_of(value);
  if (lines.size() < 2) return;
  const std::size_t margin = lines.back().blanks_end - lines.back().begin;
  const std::size_t end = std::max(lines[1].begin, lines[lines.size() - 2].end);
  keep(value, {{lines[1].begin, lines.size() == 2 ? lines[1].begin : end}});
  remove_margin(value, margin);
}

}  // namespace lockstep::advice
