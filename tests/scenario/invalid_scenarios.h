// Tables of wrong scenarios: each says where the complaint must point, and what it must say.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/faults/fault_forms.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"
#include "scenario/text/suggest.h"

namespace lockstep::model {

/// `text` has the mark ⟦ where the complaint must point; it is taken out before parsing.
struct InvalidScenario {
  std::string_view text;
  std::string_view message;  ///< the whole of it
};

inline constexpr std::string_view mark = "⟦";

/// What {steps} stands for in a message.
inline constexpr std::string_view all_steps =
    "(a step is lock, try_lock, unlock, force_unlock, extend, is_locked, is_held_by_me, "
    "hold_count, "
    "remaining_lease, read_lock, try_read_lock, read_unlock, write_lock, try_write_lock, "
    "write_unlock, lock_all, try_lock_all, unlock_all, acquire, try_acquire, release, "
    "try_set_permits, try_set_count, count_down, await, write, sleep or crash)";

/// What {keys} stands for.
inline constexpr std::string_view all_keys =
    "(a scenario has title, base, parameters, case, lock, lock_name, expect, redis, options, "
    "scripts, resource, clocks, limits, liveness, client, link, fault, faults, budget and heal)";

/// What every scenario needs besides clients.
inline constexpr std::string_view head =
    "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n";
/// Two clients for faults to strike; a's run stands on line 6.
inline constexpr std::string_view clients =
    "[[client]]\nname = \"a\"\nrun = [\"lock\", \"write\", \"unlock\"]\n"
    "[[client]]\nname = \"b\"\nrun = [\"try_lock\", \"unlock\"]\n";

/// Where the mark stands, counted apart from the parser: in characters, from 1.
inline scenario::SourceLocation place_of_mark(std::string_view text) {
  scenario::SourceLocation place{"wrong.toml", 1, 1};
  for (const char byte : text.substr(0, text.find(mark))) {
    const bool begins_character = (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    if (byte == '\n') {
      ++place.line;
      place.column = 1;
    } else if (begins_character) {
      ++place.column;
    }
  }
  return place;
}

/// What {kinds} stands for: the words of all faults, which a test of its own knows.
inline std::string all_kinds() {
  std::vector<std::string_view> words;
  for (const scenario::FaultForm& form : scenario::fault_forms()) words.push_back(form.word);
  return scenario::listed(words, "or");
}

inline std::string filled_in(std::string_view message) {
  std::string result(message);
  const auto fill = [&result](std::string_view name, std::string_view words) {
    const std::size_t at = result.find(name);
    if (at != std::string::npos) result.replace(at, name.size(), words);
  };
  fill("{steps}", all_steps);
  fill("{keys}", all_keys);
  fill("{kinds}", all_kinds());
  return result;
}

inline void expect_invalid(std::string_view before, const InvalidScenario& wrong,
                           std::string_view after) {
  std::string text = std::string(before).append(wrong.text).append(after);
  const std::size_t at = text.find(mark);
  ASSERT_NE(at, std::string::npos) << "no mark in: " << wrong.text;
  const scenario::SourceLocation place = place_of_mark(text);
  text.erase(at, mark.size());
  try {
    static_cast<void>(scenario::parse_scenario("wrong.toml", text));
    ADD_FAILURE() << "was accepted: " << text;
  } catch (const scenario::InputError& error) {
    EXPECT_EQ(error.message(), filled_in(wrong.message)) << text;
    EXPECT_EQ(error.place().file, place.file);
    EXPECT_EQ(error.place().line, place.line) << text;
    EXPECT_EQ(error.place().column, place.column) << text;
  }
}

}  // namespace lockstep::model
