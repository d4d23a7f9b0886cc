// Small generated scripts: some redis.call and redis.pcall of the commands that families offer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/redis/comparison/dice.h"
#include "tests/redis/comparison/request_generator.h"

namespace lockstep::redis::test {

/// An EVAL of a script that calls some of the templates' commands, each on a line of its own, and
/// returns their replies.
[[nodiscard]] std::vector<std::string> generated_script(Dice& dice, RequestGenerator maker,
                                                        std::span<const std::string_view> calls);

}  // namespace lockstep::redis::test
