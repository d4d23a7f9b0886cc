// The server scripts of `plain`, as the benchmarks run it: one round of a lock's life.
#pragma once

#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/source_folder.h"

namespace lockstep::bench {

/// One script evaluation: which script, with what.
struct Evaluation {
  std::size_t script;
  std::array<std::string_view, 2> keys;
  std::size_t key_count;
  std::array<std::string_view, 3> arguments;
  std::size_t argument_count;
};

inline constexpr std::array<std::string_view, 4> script_names = {
    "acquire", "renew", "release-unlatched", "renew_batch"};

/// Taken, refused to another, renewed, released.
inline constexpr std::string_view lock_name = "stock";
inline constexpr std::string_view channel = "redisson_lock__channel:{stock}";
inline constexpr std::string_view owner = "8743c9c0-0795-4907-87fd-6c719a6b4586:1";
inline constexpr std::string_view other = "285475da-9152-4c83-822a-67ee2f116a79:52";
inline constexpr std::array<Evaluation, 4> lock_round = {{
    {0, {lock_name}, 1, {"30000", owner}, 2},
    {0, {lock_name}, 1, {"30000", other}, 2},
    {1, {lock_name}, 1, {"30000", owner}, 2},
    {2, {lock_name, channel}, 2, {"0", "30000", owner}, 3},
}};

/// The only script of `plain` whose text is rewritten for Lua 5.4, and what makes its locks held.
inline constexpr std::string_view other_lock_name = "orders";
inline constexpr std::array<Evaluation, 2> before_rewritten = {{
    {0, {lock_name}, 1, {"30000", owner}, 2},
    {0, {other_lock_name}, 1, {"30000", other}, 2},
}};
inline constexpr std::array<Evaluation, 1> rewritten_round = {{
    {3, {lock_name, other_lock_name}, 2, {"30000", owner, other}, 3},
}};

inline std::string read_script(std::string_view name) {
  const std::string path = source_folder() + "/scripts/plain/" + std::string(name) + ".lua";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no script " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace lockstep::bench
