// Changes to a program's text, token by token.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lua/source/tokens.h"

namespace lockstep::lua {

class ScriptEdits {
 public:
  explicit ScriptEdits(std::size_t token_count) : edits_(token_count) {}

  void replace(std::size_t token, std::string text) { edits_[token].instead = std::move(text); }
  /// Puts a text before the first and one after the last token; what is around already, stays
  /// inside.
  void wrap(std::size_t first, std::size_t last, std::string_view before, std::string_view after);
  [[nodiscard]] std::string apply(std::string_view program,
                                  const std::vector<ScriptToken>& tokens) const;

 private:
  struct Edit {
    std::string before;
    std::optional<std::string> instead;
    std::string after;
  };
  std::vector<Edit> edits_;
};

}  // namespace lockstep::lua
