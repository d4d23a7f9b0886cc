#include "model/lock/source_place.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include "lua/source/tokens.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"

namespace lockstep::model {
namespace {

std::string_view line_of(std::string_view source, std::uint32_t number) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < number && begin != std::string_view::npos; ++line) {
    const std::size_t end = source.find('\n', begin);
    begin = end == std::string_view::npos ? end : end + 1;
  }
  if (begin == std::string_view::npos) return {};
  return source.substr(begin, source.find('\n', begin) - begin);
}

/// What stands between the first quotes, from "near " on where that is said.
std::string_view named_in(std::string_view message) {
  const std::size_t near = message.rfind("near '");
  const std::size_t begin = message.find('\'', near == std::string_view::npos ? 0 : near);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = message.find('\'', begin + 1);
  return end == std::string_view::npos ? std::string_view()
                                       : message.substr(begin + 1, end - begin - 1);
}

bool is_word_character(char character) {
  return character == '_' || (character >= '0' && character <= '9') ||
         (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

/// Where the word begins in the line, not as a part of another; npos: nowhere.
std::size_t find_word(std::string_view line, std::string_view word) {
  if (word.empty()) return std::string_view::npos;
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool is_part =
        (at > 0 && is_word_character(line[at - 1]) && is_word_character(word.front())) ||
        (end < line.size() && is_word_character(line[end]) && is_word_character(word.back()));
    if (!is_part) return at;
  }
  return std::string_view::npos;
}

/// Counted from 1 in code points, as elsewhere.
std::uint32_t column_at(std::string_view line, std::size_t offset) {
  const std::string_view before = line.substr(0, offset);
  const auto continued = std::count_if(before.begin(), before.end(), [](char character) {
    return (static_cast<unsigned char>(character) & 0xC0U) == 0x80U;
  });
  return static_cast<std::uint32_t>(before.size() - static_cast<std::size_t>(continued)) + 1;
}

scenario::SourceLocation place_of(const std::string& path, std::string_view source,
                                  const lua::ScriptToken& token) {
  return {path, token.line, column_at(line_of(source, token.line), token.column - 1)};
}

scenario::SourceLocation place_in_line(const std::string& path, std::string_view source,
                                       std::uint32_t line, std::string_view named) {
  if (line == 0) return {path, 0, 0};
  const std::string_view text = line_of(source, line);
  std::size_t at = find_word(text, named);
  if (at == std::string_view::npos) at = text.find_first_not_of(" \t");
  return {path, line, at == std::string_view::npos ? 1 : column_at(text, at)};
}

/// Some errors are told at the source's end and name the line that is meant: "no visible label 'x'
/// for <goto> at line 3".
std::string_view without_own_line(std::string_view lua_error, std::uint32_t& line) {
  for (const std::string_view told :
       {"for <goto> at line ", "break outside loop at line ", "break outside a loop at line "}) {
    const std::size_t at = lua_error.find(told);
    if (at == std::string_view::npos) continue;
    const std::size_t number = at + told.size();
    std::from_chars(lua_error.data() + number, lua_error.data() + lua_error.size(), line);
    constexpr std::string_view at_line = " at line ";
    return lua_error.substr(0, number - at_line.size());
  }
  return lua_error;
}

}  // namespace

scenario::InputError error_in_source(const std::string& path, std::string_view source,
                                     std::uint32_t line, const std::string& message) {
  return {place_in_line(path, source, line, named_in(message)), message};
}

scenario::InputError error_at_name(const std::string& path, std::string_view source,
                                   std::uint32_t line, std::string_view name,
                                   const std::string& message) {
  return {place_in_line(path, source, line, name), message};
}

scenario::InputError error_at_return(const std::string& path, std::string_view source,
                                     const std::string& message) {
  const std::vector<lua::ScriptToken> tokens = lua::read_tokens(source);
  if (tokens.empty()) return {{path, 1, 1}, message};
  const auto found = std::find_if(tokens.rbegin(), tokens.rend(), [](const auto& token) {
    return token.text == "return" || token.text == "end";
  });
  const bool returns = found != tokens.rend() && found->text == "return";
  return {place_of(path, source, returns ? *found : tokens.back()), message};
}

scenario::InputError error_at_assignment(const std::string& path, std::string_view source,
                                         std::string_view name, const std::string& message) {
  const std::vector<lua::ScriptToken> tokens = lua::read_tokens(source);
  for (std::size_t i = tokens.size(); i-- > 1;) {
    if (tokens[i].text == "=" && tokens[i - 1].text == name) {
      return {place_of(path, source, tokens[i - 1]), message};
    }
  }
  return error_at_return(path, source, message);
}

scenario::InputError input_error_from(const std::string& path, std::string_view source,
                                      std::string_view chunk_name, std::string_view lua_error) {
  std::uint32_t line = 0;
  if (lua_error.starts_with(chunk_name)) {
    std::string_view rest = lua_error.substr(chunk_name.size());
    if (rest.starts_with(':')) {
      const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), line);
      rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
      if (error == std::errc() && rest.starts_with(": ")) lua_error = rest.substr(2);
    }
  }
  lua_error = without_own_line(lua_error, line);
  return error_in_source(path, source, line, std::string(lua_error));
}

}  // namespace lockstep::model
