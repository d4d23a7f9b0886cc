#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

TextId Texts::intern(std::string_view text) {
  const auto found = ids_.find(text);
  if (found != ids_.end()) return found->second;
  const auto id = static_cast<TextId>(texts_.size());
  ids_.emplace(texts_.emplace_back(text), id);
  return id;
}

TextId Texts::find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? no_text : found->second;
}

}  // namespace lockstep::checker::recorded
