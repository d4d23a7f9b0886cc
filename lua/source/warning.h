// How a script may behave differently than in Redis, as far as its text tells at load.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::lua {

class ScriptTree;

struct ScriptWarning {
  std::uint32_t line;     ///< from 1, in the script as given
  std::string construct;  ///< as spelt: "pairs"
  std::string text;       ///< the difference

  friend bool operator==(const ScriptWarning&, const ScriptWarning&) = default;
};

/// Warnings in the order of their lines, each once.
class ScriptWarnings {
 public:
  void add(std::uint32_t line, std::string_view construct, std::string_view text) {
    list_.push_back({line, std::string(construct), std::string(text)});
  }
  [[nodiscard]] std::vector<ScriptWarning> take();

 private:
  std::vector<ScriptWarning> list_;
};

/// Adds library functions that differ, -0 and weak tables.
void warn_of_constructs(const ScriptTree& tree, ScriptWarnings& warnings);

/// Adds tables that may get a hole, if the script takes any length.
void warn_of_holes(const ScriptTree& tree, ScriptWarnings& warnings);

}  // namespace lockstep::lua
