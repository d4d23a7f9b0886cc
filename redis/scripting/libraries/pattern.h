// Lua 5.1's patterns: whether a text matches one from a place on, and what is captured.
//
// Of its own, so that a pattern that backtracks without end counts towards a script's instruction
// limit. As in 5.1 a pattern ends at its first zero byte. Nested deeper than 5.1's own stack is
// likely to bear, a pattern raises "pattern too complex". Letters and digits are ASCII's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string_view>

#include "redis/scripting/script_instruction_limiter.h"

namespace lockstep::redis {

/// Raises Lua errors, so it has no destructor.
class PatternMatcher {
 public:
  /// REQUIRES: both texts are Lua strings that stay alive: a zero follows each.
  PatternMatcher(lua_State* state, InstructionLimiter& watch, std::string_view subject,
                 const char* pattern)
      : state_(state),
        watch_(watch),
        begin_(subject.data()),
        end_(subject.data() + subject.size()),
        pattern_(pattern) {}

  /// Where the match that begins at `from` ends; null if none does.
  const char* match(const char* from) {
    capture_count_ = 0;
    depth_ = 0;
    return match_items(from, pattern_);
  }
  /// How many values push_captures pushes: without captures, the whole match is one.
  [[nodiscard]] int value_count() const { return capture_count_ == 0 ? 1 : capture_count_; }
  [[nodiscard]] int capture_count() const { return capture_count_; }
  /// Pushes a capture of the last match, counted from 0.
  void push_capture(int capture, const char* match_begin, const char* match_end);
  /// Counts work done towards the script's instructions; raises where they end.
  void spend(std::size_t steps) {
    constexpr std::size_t steps_at_once = 4096;
    steps_ += steps;
    if (steps_ >= steps_at_once) report();
  }
  /// Counts what was not counted yet.
  void report();

 private:
  static constexpr int captures_max = 32;
  static constexpr int depth_max = 2000;
  static constexpr std::ptrdiff_t unfinished = -1;
  static constexpr std::ptrdiff_t position_only = -2;

  enum class Special : std::uint8_t { none, passed, decided };

  struct Capture {
    const char* begin;
    std::ptrdiff_t length;
  };

  const char* match_items(const char* text, const char* item);
  Special match_special(const char*& text, const char*& item, const char*& result);
  Special match_escape(const char*& text, const char*& item);
  const char* open_capture(const char* text, const char* rest, std::ptrdiff_t kind);
  const char* close_capture(const char* text, const char* rest);
  const char* match_greedy(const char* text, const char* item, const char* past);
  const char* match_lazy(const char* text, const char* item, const char* past);
  const char* match_balanced(const char* text, const char* borders);
  const char* match_back_reference(const char* text, char digit);
  bool match_frontier(const char* text, const char* set, const char* set_end);
  bool match_single(const char* text, const char* item, const char* past);
  bool is_in_set(unsigned char letter, const char* set, const char* last);
  const char* item_end(const char* item);

  lua_State* state_;
  InstructionLimiter& watch_;
  const char* begin_;
  const char* end_;
  const char* pattern_;
  std::size_t steps_ = 0;
  int capture_count_ = 0;
  int depth_ = 0;
  std::array<Capture, captures_max> captures_;
};

}  // namespace lockstep::redis
