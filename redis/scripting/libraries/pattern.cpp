#include "redis/scripting/libraries/pattern.h"

#include <cstring>

#include "lua/interpreter/numbers.h"

namespace lockstep::redis {

namespace {

constexpr char escape = '%';

bool is_between(unsigned char letter, char first, char last) {
  return letter >= static_cast<unsigned char>(first) && letter <= static_cast<unsigned char>(last);
}

bool is_digit(unsigned char letter) { return is_between(letter, '0', '9'); }
bool is_lower(unsigned char letter) { return is_between(letter, 'a', 'z'); }
bool is_upper(unsigned char letter) { return is_between(letter, 'A', 'Z'); }
bool is_alphabetic(unsigned char letter) { return is_lower(letter) || is_upper(letter); }
bool is_alphanumeric(unsigned char letter) { return is_alphabetic(letter) || is_digit(letter); }
bool is_hexadecimal(unsigned char letter) {
  return is_digit(letter) || is_between(letter, 'a', 'f') || is_between(letter, 'A', 'F');
}
bool is_space(unsigned char letter) { return letter == ' ' || is_between(letter, '\t', '\r'); }
bool is_control(unsigned char letter) { return letter < ' ' || letter == 127; }
bool is_punctuation(unsigned char letter) {
  return is_between(letter, '!', '~') && !is_alphanumeric(letter);
}

/// What `%` and `class_letter` stand for.
bool is_of_class(unsigned char letter, unsigned char class_letter) {
  const bool is_inverse = is_upper(class_letter);
  switch (is_inverse ? class_letter - 'A' + 'a' : class_letter) {
    case 'a':
      return is_alphabetic(letter) != is_inverse;
    case 'c':
      return is_control(letter) != is_inverse;
    case 'd':
      return is_digit(letter) != is_inverse;
    case 'l':
      return is_lower(letter) != is_inverse;
    case 'p':
      return is_punctuation(letter) != is_inverse;
    case 's':
      return is_space(letter) != is_inverse;
    case 'u':
      return is_upper(letter) != is_inverse;
    case 'w':
      return is_alphanumeric(letter) != is_inverse;
    case 'x':
      return is_hexadecimal(letter) != is_inverse;
    case 'z':
      return (letter == 0) != is_inverse;
    default:
      return letter == class_letter;
  }
}

unsigned char byte_at(const char* place) { return static_cast<unsigned char>(*place); }

}  // namespace

void PatternMatcher::report() {
  const std::size_t steps = steps_;
  steps_ = 0;
  watch_.count(state_, steps);
}

void PatternMatcher::push_capture(int capture, const char* match_begin, const char* match_end) {
  if (capture >= capture_count_) {
    if (capture != 0) luaL_error(state_, "invalid capture index");
    lua_pushlstring(state_, match_begin, static_cast<std::size_t>(match_end - match_begin));
    return;
  }
  const Capture& found = captures_[static_cast<std::size_t>(capture)];
  if (found.length == unfinished) luaL_error(state_, "unfinished capture");
  if (found.length == position_only) {
    lua::push_whole_number(state_, found.begin - begin_ + 1);
  } else {
    lua_pushlstring(state_, found.begin, static_cast<std::size_t>(found.length));
  }
}

/// Past the single letter, class or set at `item`, which is no zero.
const char* PatternMatcher::item_end(const char* item) {
  const char* end = item + 1;
  if (*item == escape) {
    if (*end == '\0') luaL_error(state_, "malformed pattern (ends with '%%')");
    return end + 1;
  }
  if (*item != '[') return end;
  if (*end == '^') ++end;
  do {  // a `]` right at the beginning is a letter of the set
    if (*end == '\0') luaL_error(state_, "malformed pattern (missing ']')");
    if (*end == escape && end[1] != '\0') ++end;
    ++end;
  } while (*end != ']');
  spend(static_cast<std::size_t>(end - item));
  return end + 1;
}

/// `set` is at the `[` and `last` at its `]`.
bool PatternMatcher::is_in_set(unsigned char letter, const char* set, const char* last) {
  const bool is_inverse = set[1] == '^';
  const char* item = is_inverse ? set + 2 : set + 1;
  bool is_found = false;
  while (item < last && !is_found) {
    if (*item == escape) {
      is_found = is_of_class(letter, byte_at(item + 1));
      item += 2;
    } else if (item[1] == '-' && item + 2 < last) {
      is_found = byte_at(item) <= letter && letter <= byte_at(item + 2);
      item += 3;
    } else {
      is_found = byte_at(item) == letter;
      ++item;
    }
  }
  spend(static_cast<std::size_t>(item - set));
  return is_found != is_inverse;
}

bool PatternMatcher::match_single(const char* text, const char* item, const char* past) {
  spend(1);
  if (text >= end_) return false;
  switch (*item) {
    case '.':
      return true;
    case escape:
      return is_of_class(byte_at(text), byte_at(item + 1));
    case '[':
      return is_in_set(byte_at(text), item, past - 1);
    default:
      return *item == *text;
  }
}

const char* PatternMatcher::match_greedy(const char* text, const char* item, const char* past) {
  const char* last = text;
  while (match_single(last, item, past)) ++last;
  for (;; --last) {
    if (const char* end = match_items(last, past + 1)) return end;
    if (last == text) return nullptr;
  }
}

const char* PatternMatcher::match_lazy(const char* text, const char* item, const char* past) {
  for (;; ++text) {
    if (const char* end = match_items(text, past + 1)) return end;
    if (!match_single(text, item, past)) return nullptr;
  }
}

const char* PatternMatcher::open_capture(const char* text, const char* rest, std::ptrdiff_t kind) {
  if (capture_count_ >= captures_max) luaL_error(state_, "too many captures");
  captures_[static_cast<std::size_t>(capture_count_)] = {text, kind};
  ++capture_count_;
  const char* end = match_items(text, rest);
  if (end == nullptr) --capture_count_;
  return end;
}

const char* PatternMatcher::close_capture(const char* text, const char* rest) {
  int capture = capture_count_ - 1;
  while (capture >= 0 && captures_[static_cast<std::size_t>(capture)].length != unfinished) {
    --capture;
  }
  if (capture < 0) luaL_error(state_, "invalid pattern capture");
  Capture& closed = captures_[static_cast<std::size_t>(capture)];
  closed.length = text - closed.begin;
  const char* end = match_items(text, rest);
  if (end == nullptr) closed.length = unfinished;
  return end;
}

const char* PatternMatcher::match_balanced(const char* text, const char* borders) {
  if (borders[0] == '\0' || borders[1] == '\0') luaL_error(state_, "unbalanced pattern");
  if (*text != borders[0]) return nullptr;  // past the end stands a zero
  std::size_t open = 1;
  const char* place = text + 1;
  for (; place < end_; ++place) {
    if (*place == borders[1]) {
      if (--open == 0) break;
    } else if (*place == borders[0]) {
      ++open;
    }
  }
  spend(static_cast<std::size_t>(place - text));
  return place < end_ ? place + 1 : nullptr;
}

const char* PatternMatcher::match_back_reference(const char* text, char digit) {
  constexpr std::size_t bytes_per_step = 16;
  const int index = digit - '1';
  if (index < 0 || index >= capture_count_ ||
      captures_[static_cast<std::size_t>(index)].length == unfinished) {
    luaL_error(state_, "invalid capture index");
  }
  const Capture& captured = captures_[static_cast<std::size_t>(index)];
  if (captured.length == position_only || end_ - text < captured.length) return nullptr;
  const auto length = static_cast<std::size_t>(captured.length);
  spend(length / bytes_per_step);
  return std::memcmp(captured.begin, text, length) == 0 ? text + length : nullptr;
}

/// Between a letter that is not of the set and one that is.
bool PatternMatcher::match_frontier(const char* text, const char* set, const char* set_end) {
  const unsigned char before = text == begin_ ? 0 : byte_at(text - 1);
  return !is_in_set(before, set, set_end - 1) && is_in_set(byte_at(text), set, set_end - 1);
}

/// Matches an item that is no single letter, class or set; `text` and `item` go on past it. Where
/// it has decided about the whole rest, `result` is that of it.
PatternMatcher::Special PatternMatcher::match_special(const char*& text, const char*& item,
                                                      const char*& result) {
  switch (*item) {
    case '(':
      result = item[1] == ')' ? open_capture(text, item + 2, position_only)
                              : open_capture(text, item + 1, unfinished);
      return Special::decided;
    case ')':
      result = close_capture(text, item + 1);
      return Special::decided;
    case '\0':
      result = text;
      return Special::decided;
    case '$':
      if (item[1] != '\0') return Special::none;
      result = text == end_ ? text : nullptr;
      return Special::decided;
    case escape:
      return match_escape(text, item);
    default:
      return Special::none;
  }
}

PatternMatcher::Special PatternMatcher::match_escape(const char*& text, const char*& item) {
  if (item[1] == 'f') {
    if (item[2] != '[') luaL_error(state_, "missing '[' after '%%f' in pattern");
    const char* set = item + 2;
    item = item_end(set);
    return match_frontier(text, set, item) ? Special::passed : Special::decided;
  }
  if (item[1] == 'b') {
    text = match_balanced(text, item + 2);
    item += 4;
  } else if (is_digit(byte_at(item + 1))) {
    text = match_back_reference(text, item[1]);
    item += 2;
  } else {
    return Special::none;
  }
  return text == nullptr ? Special::decided : Special::passed;
}

const char* PatternMatcher::match_items(const char* text, const char* item) {
  if (++depth_ > depth_max) luaL_error(state_, "pattern too complex");
  const char* result = nullptr;
  for (;;) {
    spend(1);
    const Special special = match_special(text, item, result);
    if (special == Special::decided) break;
    if (special == Special::passed) continue;
    const char* past = item_end(item);
    if (*past == '*' || *past == '-') {
      result = *past == '*' ? match_greedy(text, item, past) : match_lazy(text, item, past);
      break;
    }
    const bool matches = match_single(text, item, past);
    if (*past == '?') {
      result = matches ? match_items(text + 1, past + 1) : nullptr;
      if (result != nullptr) break;
      item = past + 1;
      continue;
    }
    if (!matches) break;
    if (*past == '+') {
      result = match_greedy(text + 1, item, past);
      break;
    }
    ++text;
    item = past;
  }
  --depth_;
  return result;
}

}  // namespace lockstep::redis
