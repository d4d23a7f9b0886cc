#include "scenario/text/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <system_error>

#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"

namespace lockstep::scenario {
namespace {

unsigned byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

/// How many bytes the character at the index has; 0 where none is (Unicode standard, table 3-7:
/// no overlong forms, no surrogates, nothing above U+10FFFF).
std::size_t character_length(std::string_view text, std::size_t index) {
  const unsigned first = byte_at(text, index);
  if (first < 0x80) return first == 0 ? 0 : 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() - index < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, index + i) & 0xC0U) != 0x80U) return 0;
  }
  const unsigned second = byte_at(text, index + 1);
  const bool misfit = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return misfit ? 0 : length;
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError::about(name, "there is no such file");
  if (std::filesystem::is_directory(status)) {
    throw InputError::about(name, "this is a folder; a file was expected");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw InputError::about(
        name, fmt::format("cannot open it: {}", std::system_category().message(errno)));
  }
  std::string text;
  std::array<char, 1U << 16U> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > text_file_bytes_max) {
      throw InputError::about(name, "it is larger than 4 MiB; a text file was expected");
    }
  }
  if (file.bad()) {
    throw InputError::about(
        name, fmt::format("cannot read it: {}", std::system_category().message(errno)));
  }
  return text;
}

void require_utf8(const std::string& path, std::string_view text) {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0) {
      throw InputError(
          {path, line, column},
          fmt::format(
              "this is not a text file: the byte 0x{:02x} was found where UTF-8 text was expected",
              byte_at(text, i)));
    }
    const bool line_ends = text[i] == '\n';
    line += line_ends ? 1 : 0;
    column = line_ends ? 1 : column + 1;
    i += length;
  }
}

}  // namespace lockstep::scenario
