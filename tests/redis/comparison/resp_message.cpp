#include "tests/redis/comparison/resp_message.h"

#include <cstdio>
#include <stdexcept>

namespace lockstep::redis::test {
namespace {

bool has_elements(char kind) { return kind == '*' || kind == '~' || kind == '>' || kind == '%'; }
bool has_length(char kind) { return kind == '$' || kind == '=' || kind == '!'; }

}  // namespace

std::optional<RespMessage> RespMessageReader::next() {
  RespMessage message;
  std::size_t position = position_;
  if (!read(position, message)) return std::nullopt;
  position_ = position;
  if (position_ == bytes_.size()) {
    bytes_.clear();
    position_ = 0;
  }
  return message;
}

bool RespMessageReader::read(std::size_t& position, RespMessage& message) const {
  const std::size_t end = bytes_.find("\r\n", position);
  if (end == std::string::npos) return false;
  message.kind = bytes_[position];
  const std::string line = bytes_.substr(position + 1, end - position - 1);
  position = end + 2;
  if (std::string_view("+-:$*_#,%~>=(!").find(message.kind) == std::string_view::npos) {
    throw std::runtime_error("no RESP message: " + in_quotes(bytes_.substr(position, 200)));
  }
  if (!has_elements(message.kind) && !has_length(message.kind)) {
    message.text = line;
    return true;
  }
  const long count = std::stol(line);
  message.is_null = count < 0;
  if (message.is_null) return true;
  const auto size = static_cast<std::size_t>(count);
  if (has_length(message.kind)) {
    if (bytes_.size() - position < size + 2) return false;
    message.text = bytes_.substr(position, size);
    position += size + 2;
    return true;
  }
  message.elements.resize(message.kind == '%' ? 2 * size : size);
  for (RespMessage& element : message.elements) {
    if (!read(position, element)) return false;
  }
  return true;
}

std::string describe(const RespMessage& message) {
  if (message.is_null) return message.kind == '*' ? "(nil array)" : "(nil)";
  switch (message.kind) {
    case '+':
      return message.text;
    case '-':
      return "(error) " + message.text;
    case ':':
      return "(integer) " + message.text;
    case '$':
      return in_quotes(message.text);
    case '_':
      return "(null)";
    default:
      break;
  }
  std::string line(1, message.kind == '*' ? '[' : message.kind);
  if (message.kind != '*' && has_elements(message.kind)) line += '[';
  line += message.text;
  for (std::size_t i = 0; i < message.elements.size(); ++i) {
    if (i > 0) line += ", ";
    line += describe(message.elements[i]);
  }
  if (has_elements(message.kind)) line += ']';
  return line;
}

std::string in_quotes(std::string_view word) {
  std::string line = "\"";
  for (const char letter : word) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      line += '\\';
      line += letter;
    } else if (code >= ' ' && code < 127) {
      line += letter;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", code);
      line += escape;
    }
  }
  return line + '"';
}

std::string cli_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    const bool is_plain = !word.empty() && word.find_first_not_of(
                                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                                               "XYZ0123456789_-+.:|*?()") == std::string::npos;
    line += is_plain ? word : in_quotes(word);
  }
  return line;
}

}  // namespace lockstep::redis::test
