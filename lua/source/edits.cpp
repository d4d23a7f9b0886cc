#include "lua/source/edits.h"

namespace lockstep::lua {

void ScriptEdits::wrap(std::size_t first, std::size_t last, std::string_view before,
                       std::string_view after) {
  edits_[first].before.insert(0, before);
  edits_[last].after.append(after);
}

std::string ScriptEdits::apply(std::string_view program,
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

}  // namespace lockstep::lua
