// Names for values in Java, JavaScript and TypeScript files: the method around a value, or the
// constant or property that it is assigned to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "advice/host_tokens.h"

namespace lockstep::advice {

/// The brackets of a file, and the names of what they enclose.
class EnclosingNames {
 public:
  explicit EnclosingNames(const std::vector<HostToken>& tokens);

  /// The bracket that belongs to this one; the number of tokens if there is none.
  [[nodiscard]] std::size_t matching_bracket(std::size_t bracket) const {
    return partners_[bracket];
  }
  /// The innermost bracket around a token; the number of tokens if there is none.
  [[nodiscard]] std::size_t around(std::size_t token) const { return around_[token]; }

  /// The name for the value that begins at a token: its property's, else that of the method around
  /// it, else its constant's, else "script".
  [[nodiscard]] std::string name_of(std::size_t token) const;

 private:
  [[nodiscard]] std::string_view word_at(std::size_t index) const;
  [[nodiscard]] bool is(std::size_t index, std::string_view spelling) const;
  [[nodiscard]] std::string label_before(std::size_t token, std::string_view separator) const;
  [[nodiscard]] std::string assigned_before(std::size_t token) const;
  [[nodiscard]] std::string function_before(std::size_t brace) const;
  [[nodiscard]] std::string arrow_before(std::size_t arrow) const;
  [[nodiscard]] std::string called_before(std::size_t closing) const;
  [[nodiscard]] std::size_t value_begin(std::size_t token) const;

  const std::vector<HostToken>& tokens_;
  std::vector<std::size_t> partners_;
  std::vector<std::size_t> around_;
};

}  // namespace lockstep::advice
