#include "app/context.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <system_error>

#include "app/folders.h"
#include "reports/text.h"
#include "scenario/text/source_location.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): there is one thread
  return value != nullptr ? std::string_view(value) : std::string_view();
}

reports::Style style_of_output() {
  const bool wants_none = !environment("NO_COLOR").empty() || environment("TERM") == "dumb";
  return !wants_none && isatty(STDOUT_FILENO) != 0 ? reports::Style::colour : reports::Style::plain;
}

std::size_t columns_of_output() {
  winsize size{};
  const bool is_known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_known ? size.ws_col : 0;
}

/// Prefers the relative path if the program is below the current folder.
std::string how_to_call(const char* program) {
  const std::string_view told = environment("LOCKSTEP_COMMAND");
  if (!told.empty()) return std::string(told);
  if (program == nullptr || *program == '\0') return "lockstep";
  const fs::path path(program);
  std::error_code error;
  if (!path.is_absolute()) return shell_quoted(path.string());
  const fs::path relative = path.lexically_relative(fs::current_path(error));
  const bool is_below = !error && !relative.empty() && *relative.begin() != "..";
  return shell_quoted((is_below ? relative : path).string());
}

bool is_shell_safe(char character) {
  const bool is_letter_or_digit = (character >= 'a' && character <= 'z') ||
                                  (character >= 'A' && character <= 'Z') ||
                                  (character >= '0' && character <= '9');
  return is_letter_or_digit ||
         std::string_view("_-./:=@%+,").find(character) != std::string_view::npos;
}

/// Line `number` of a file; empty where there is none that can be shown.
std::string line_of_file(const std::string& path, std::uint32_t number) {
  constexpr std::uintmax_t file_bytes_max = 4U << 20U;
  std::error_code error;
  const bool is_small =
      fs::is_regular_file(path, error) && fs::file_size(path, error) <= file_bytes_max;
  if (!is_small || error) return {};
  std::ifstream stream(path, std::ios::binary);
  std::string line;
  for (std::uint32_t i = 0; i < number; ++i) {
    if (!std::getline(stream, line)) return {};
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

/// The line that a mistake is in, with a caret below it, cut to what a terminal shows; empty where
/// there is none to show.
std::string source_excerpt(const scenario::SourceLocation& place) {
  if (place.file.empty() || place.line == 0) return {};
  constexpr std::size_t shown_max = 100;  // bytes of a line
  std::string line = line_of_file(place.file, place.line);
  if (line.find_first_not_of(" \t") == std::string::npos) return {};
  std::replace(line.begin(), line.end(), '\t', ' ');
  std::size_t column = place.column > 0 ? place.column - 1 : line.find_first_not_of(' ');
  column = std::min(column, line.size());
  const auto is_inside_character = [&line](std::size_t at) {
    return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U;
  };
  std::string before;
  if (column > shown_max / 2 && line.size() > shown_max) {
    std::size_t skipped = column - shown_max / 2;
    while (is_inside_character(skipped)) ++skipped;
    line.erase(0, skipped);
    column -= std::min(column, skipped);
    before = "\u2026";
  }
  if (line.size() > shown_max) {
    std::size_t end = shown_max;
    while (is_inside_character(end)) --end;
    line.resize(end);
    line += "\u2026";
  }
  std::size_t width = before.empty() ? 0 : 1;
  for (std::size_t i = 0; i < column; ++i) width += is_inside_character(i) ? 0 : 1;
  const std::string number = std::to_string(place.line);
  return fmt::format("  {} | {}{}\n  {:{}} | {:{}}^\n", number, before, reports::sanitized(line),
                     "", number.size(), "", width);
}

}  // namespace

Context make_context(const char* program) {
  return {how_to_call(program),
          std::cout,
          std::cerr,
          style_of_output(),
          isatty(STDERR_FILENO) != 0 && environment("TERM") != "dumb" ? ProgressDisplay::shown
                                                                      : ProgressDisplay::lines,
          {shipped_locks()},
          columns_of_output()};
}

bool wants_ascii() {
  if (isatty(STDOUT_FILENO) == 0) return false;
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = environment(name);
    if (locale.empty()) continue;
    std::string letters;  // "en_US.UTF-8", "C.utf8": case and hyphen don't matter
    for (const char character : locale) {
      if (character != '-') letters += static_cast<char>(character | 0x20);
    }
    return letters.find("utf8") == std::string::npos;
  }
  return false;
}

void print_error(const Context& context, const scenario::InputError& error) {
  context.errors << reports::sanitized(error.what()) << '\n'
                 << source_excerpt(error.place()) << std::flush;
  for (const scenario::InputError& other : error.also()) print_error(context, other);
}

void print_error(const Context& context, std::string_view message) {
  context.errors << "error: " << reports::sanitized(message) << std::endl;
}

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_shell_safe)) {
    return std::string(word);
  }
  std::string text = "'";
  for (const char character : word) {
    if (character == '\'') {
      text += "'\\''";
    } else {
      text += character;
    }
  }
  return text + "'";
}

}  // namespace lockstep::app
