// Edits of a program's text, token by token.
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
  /// Puts texts before the first and after the last token, around those that are there already.
  void wrap(std::size_t first, std::size_t last, std::string_view before, std::string_view after) {
    edits_[first].before.insert(0, before);
    edits_[last].after.append(after);
  }
  [[nodiscard]] std::string apply(std::string_view program,
                                  const std::vector<ScriptToken>& tokens) const {
    std::string result;
    std::size_t copied = 0;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
      const std::string_view text = tokens[index].text;
      const auto begin = static_cast<std::size_t>(text.data() - program.data());
      const Edit& edit = edits_[index];
      result.append(program.substr(copied, begin - copied)).append(edit.before);
      result.append(edit.instead ? std::string_view(*edit.instead) : text).append(edit.after);
      copied = begin + text.size();
    }
    return result.append(program.substr(copied));
  }

 private:
  struct Edit {
    std::string before;
    std::optional<std::string> instead;
    std::string after;
  };
  std::vector<Edit> edits_;
};

}  // namespace lockstep::lua
