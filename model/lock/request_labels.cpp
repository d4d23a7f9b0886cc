#include "model/lock/request_labels.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "lua/source/tokens.h"
#include "model/lock/lock_package.h"
#include "scenario/options.h"

namespace lockstep::model {
namespace {

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter | 0x20);
  }
  return small;
}

bool has_string(std::string_view source, std::string_view label) {
  const std::vector<lua::ScriptToken> tokens = lua::read_tokens(source);
  return std::any_of(tokens.begin(), tokens.end(), [&](const lua::ScriptToken& token) {
    return token.kind == lua::ScriptToken::Kind::string && token.text.size() == label.size() + 2 &&
           in_small_letters(token.text.substr(1, label.size())) == label;
  });
}

}  // namespace

bool sends_requests_called(const LockPackage& package, std::string_view label) {
  if (package.script(label) != nullptr || has_string(package.client_source, label)) return true;
  const bool is_in_library =
      std::any_of(package.libraries.begin(), package.libraries.end(),
                  [&](const LockLibrary& library) { return has_string(library.source, label); });
  return is_in_library ||
         std::any_of(package.options->begin(), package.options->end(), [&](const auto& option) {
           const auto* word = std::get_if<std::string>(&option.second);
           return word != nullptr && in_small_letters(*word) == label;
         });
}

}  // namespace lockstep::model
