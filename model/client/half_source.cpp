#include "model/client/half_source.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/input_error.h"
#include "model/redis/script_tokens.h"

namespace lockstep::model {
namespace {

using redis::ScriptToken;

class SourceWriter {
 public:
  SourceWriter(std::string_view source, const std::vector<ScriptToken>& tokens)
      : source_(source), tokens_(tokens), count_(" " + std::string(count_round_name) + "(); ") {}

  /// The source with its counts.
  std::string counted() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view word = tokens_[i].text;
      if (tokens_[i].kind != ScriptToken::Kind::name) continue;
      if (word == "do" || word == "repeat") count_at(end_of(tokens_[i]));
      if (word == "goto") count_at(place_of(tokens_[i]));
      if (word == "function") count_after_parameters(i);
    }
    text_.append(source_.substr(copied_));
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::size_t place_of(const ScriptToken& token) const {
    return static_cast<std::size_t>(token.text.data() - source_.data());
  }
  [[nodiscard]] std::size_t end_of(const ScriptToken& token) const {
    return place_of(token) + token.text.size();
  }

  void count_after_parameters(std::size_t function) {
    const auto closing =
        std::find_if(tokens_.begin() + static_cast<std::ptrdiff_t>(function), tokens_.end(),
                     [](const ScriptToken& token) { return token.text == ")"; });
    if (closing != tokens_.end()) count_at(end_of(*closing));
  }

  void count_at(std::size_t place) {
    text_.append(source_.substr(copied_, place - copied_)).append(count_);
    copied_ = place;
  }

  std::string_view source_;
  const std::vector<ScriptToken>& tokens_;
  std::string count_;
  std::string text_;
  std::size_t copied_ = 0;  // so much of the source is in text_
};

/// "local a <const>, b <const> = a, b ": what the source uses of the names.
std::string local_names(const std::vector<ScriptToken>& tokens,
                        std::span<const std::string> names) {
  std::string locals = "local " + std::string(count_round_name) + " <const>";
  std::string values = count_round_name;
  for (const std::string& name : names) {
    const bool is_used = std::any_of(tokens.begin(), tokens.end(), [&](const ScriptToken& token) {
      return token.kind == ScriptToken::Kind::name && token.text == name;
    });
    if (!is_used) continue;
    locals.append(", ").append(name).append(" <const>");
    values.append(", ").append(name);
  }
  return locals.append(" = ").append(values).append(" ");
}

}  // namespace

std::string half_source(const std::string& path, std::string_view source,
                        std::span<const std::string> names) {
  const redis::ScriptTokens tokens = redis::read_program(source);
  if (!tokens.is_complete) {
    throw InputError({path, tokens.end_line},
                     "a text with quotes goes on over a line's end: write it as [[…]]");
  }
  return local_names(tokens.list, names)
      .append("return function(...) ")
      .append(SourceWriter(source, tokens.list).counted())
      .append("\nend");
}

}  // namespace lockstep::model
