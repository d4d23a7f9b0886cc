// Small generated Lua programs about values and patterns, each to be run on both servers.
//
// Tables have one key or are arrays, since in which order others are written is Lua's own matter.
#pragma once

#include <string>

#include "tests/redis/comparison/dice.h"

namespace lockstep::redis::test {

/// A text of up to `bytes_max` bytes, many of them odd.
[[nodiscard]] std::string generated_bytes(Dice& dice, std::size_t bytes_max);

/// A program that encodes a value with cjson, or decodes a text.
[[nodiscard]] std::string json_program(Dice& dice);
/// A program that packs values with cmsgpack, or unpacks bytes.
[[nodiscard]] std::string message_pack_program(Dice& dice);
/// A program that packs values with struct, or unpacks bytes.
[[nodiscard]] std::string struct_program(Dice& dice);
/// A program that matches a pattern, good or bad, against a short text.
[[nodiscard]] std::string pattern_program(Dice& dice);

}  // namespace lockstep::redis::test
