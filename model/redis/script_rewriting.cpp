#include "model/redis/script_rewriting.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>

#include "model/redis/script_chains.h"
#include "model/redis/script_numbers.h"
#include "model/redis/script_words.h"

namespace lockstep::redis {

namespace {

std::optional<double> value_of(std::string_view text) {
  double value = 0;
  const bool is_hexadecimal =
      text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const std::string_view digits = is_hexadecimal ? text.substr(2) : text;
  const char* end = digits.data() + digits.size();
  const auto format = is_hexadecimal ? std::chars_format::hex : std::chars_format::general;
  const std::from_chars_result result = std::from_chars(digits.data(), end, value, format);
  if (result.ptr != end || result.ec == std::errc::invalid_argument) {
    return std::nullopt;
  }
  const bool is_out_of_range = result.ec == std::errc::result_out_of_range;
  return is_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

bool is_spelt_as_integer(std::string_view text) {
  const bool is_hexadecimal = text.size() > 2 && (text[1] == 'x' || text[1] == 'X');
  return is_hexadecimal ? text.find_first_of(".pP") == std::string_view::npos
                        : text.find_first_of(".eE") == std::string_view::npos;
}

std::string spell(double value, const char* format) {
  char buffer[400];
  const int length = std::snprintf(buffer, sizeof buffer, format, value);
  return std::string(buffer, static_cast<std::size_t>(length));
}

/// `-0`, which is not 0 in Lua 5.1.
bool is_negated_zero(const std::vector<ScriptToken>& tokens, std::size_t index) {
  const bool is_negated = index > 0 && tokens[index].text == "0" && is_symbol(tokens[index - 1]) &&
                          tokens[index - 1].text == "-";
  return is_negated && (index == 1 || !ends_operand(tokens[index - 2]));
}

/// True if a number that the two Luas print differently may reach a `..`, or a metamethod for it
/// may be called: Lua 5.4.4 reads freed memory if that makes the stack grow.
bool needs_concatenation_function(const std::vector<ScriptToken>& tokens) {
  constexpr std::array<std::string_view, 3> operators = {"/", "^", "*"};
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    const ScriptToken& token = tokens[index];
    const bool is_number = token.kind == ScriptToken::Kind::number;
    if ((is_symbol(token) && is_one_of(token.text, operators)) || is_negated_zero(tokens, index) ||
        (is_number && read_number_literal(token.text).prints_differently) ||
        token.text.find("__concat") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// What stands before, instead of and after a token.
struct Edit {
  std::string before;
  std::optional<std::string> instead;
  std::string after;
};

void call_concatenation(const std::vector<ScriptToken>& tokens, std::vector<Edit>& edits) {
  for (const ScriptChain& chain : find_chains(tokens)) {
    edits[chain.first].before = std::string(concatenation_name) + "(";
    for (const std::size_t index : chain.operators) {
      edits[index].instead = ",";
    }
    edits[chain.operators.back()].instead = ",(";  // a call there has one result, not all
    edits[chain.last].after = "))";
  }
}

std::string apply(std::string_view program, const std::vector<ScriptToken>& tokens,
                  const std::vector<Edit>& edits) {
  std::string result;
  std::size_t copied = 0;
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    const std::string_view text = tokens[index].text;
    const auto begin = static_cast<std::size_t>(text.data() - program.data());
    const Edit& edit = edits[index];
    result.append(program.substr(copied, begin - copied)).append(edit.before);
    result.append(edit.instead ? std::string_view(*edit.instead) : text).append(edit.after);
    copied = begin + text.size();
  }
  result.append(program.substr(copied));
  return result;
}

}  // namespace

std::string rewrite_script(std::string_view program, const std::vector<ScriptToken>& tokens) {
  std::vector<Edit> edits(tokens.size());
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    if (is_negated_zero(tokens, index)) {
      edits[index].instead = "0.0";
    } else if (tokens[index].kind == ScriptToken::Kind::number) {
      edits[index].instead = read_number_literal(tokens[index].text).rewritten;
    } else if (tokens[index].kind == ScriptToken::Kind::string) {
      edits[index].instead = rewrite_string_literal(tokens[index].text);
    }
  }
  if (needs_concatenation_function(tokens)) {
    call_concatenation(tokens, edits);
  }
  return apply(program, tokens, edits);
}

NumberLiteral read_number_literal(std::string_view text) {
  const std::optional<double> value = value_of(text);
  if (!value) {
    return {std::nullopt, true, true};
  }
  const bool is_whole = std::isfinite(*value) && std::trunc(*value) == *value;
  const bool is_integer = is_whole && *value < static_cast<double>(integers_end);
  if (is_spelt_as_integer(text)) {
    return {is_integer ? std::nullopt : std::optional(spell(*value, "%.1f")), false, false};
  }
  if (is_whole && *value != 0) {
    return {is_integer ? std::optional(spell(*value, "%.0f")) : std::nullopt, false, false};
  }
  return {std::nullopt, true, false};
}

std::optional<std::string> rewrite_string_literal(std::string_view text) {
  constexpr std::string_view known = "abfnrtv\\\"'\r\n0123456789";
  std::string rewritten;
  bool differs = false;
  for (std::size_t position = 0; position < text.size(); ++position) {
    if (text[position] == '\\' && position + 1 < text.size()) {
      if (known.find(text[position + 1]) == std::string_view::npos) {
        differs = true;
      } else {
        rewritten += '\\';
      }
      ++position;
    }
    rewritten += text[position];
  }
  return differs ? std::optional(std::move(rewritten)) : std::nullopt;
}

}  // namespace lockstep::redis
