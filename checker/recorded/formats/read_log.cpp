#include "checker/recorded/formats/read_log.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "checker/recorded/formats/read_edn.h"

namespace lockstep::checker::recorded {
namespace {

constexpr std::size_t log_line_bytes_max = 4U << 20U;
constexpr std::array<std::string_view, 4> log_types = {":invoke", ":ok", ":fail", ":info"};

bool is_log_blank(char c) { return c == ' ' || c == '\t'; }

/// Where in the line the parts of an operation stand.
struct LogParts {
  std::size_t process;
  std::size_t process_end;
  std::size_t type;
  std::size_t type_end;
};

/// The word that ends before `end`, if it is a process: a number, or :nemesis.
std::optional<std::size_t> process_before(std::string_view line, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && !is_log_blank(line[begin - 1])) --begin;
  const std::string_view word = line.substr(begin, end - begin);
  const bool is_number = !word.empty() && std::all_of(word.begin(), word.end(),
                                                      [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number && word != ":nemesis") return std::nullopt;
  return begin;
}

/// The type that begins at a colon, between a process and a blank.
std::optional<LogParts> parts_at(std::string_view line, std::size_t colon) {
  if (colon == 0 || !is_log_blank(line[colon - 1])) return std::nullopt;
  for (const std::string_view type : log_types) {
    const std::size_t type_end = colon + type.size();
    if (line.substr(colon, type.size()) != type) continue;
    if (type_end >= line.size() || !is_log_blank(line[type_end])) return std::nullopt;
    std::size_t process_end = colon;
    while (process_end > 0 && is_log_blank(line[process_end - 1])) --process_end;
    const auto process = process_before(line, process_end);
    if (!process) return std::nullopt;
    return LogParts{*process, process_end, colon, type_end};
  }
  return std::nullopt;
}

std::optional<LogParts> parts_of(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    if (const auto parts = parts_at(line, colon)) return parts;
  }
  return std::nullopt;
}

void give_word(Event& event, Field field, std::string_view line, std::size_t begin,
               std::size_t end) {
  Value& value = event.give(field, {event.place().line, begin + 1});
  value.kind = ValueKind::text;
  value.text = line.substr(begin, end - begin);
}

void fill(Event& event, std::string_view line, const LogParts& parts) {
  give_word(event, Field::process, line, parts.process, parts.process_end);
  give_word(event, Field::type, line, parts.type, parts.type_end);
  std::size_t function = parts.type_end;
  while (function < line.size() && is_log_blank(line[function])) ++function;
  std::size_t function_end = function;
  while (function_end < line.size() && !is_log_blank(line[function_end])) ++function_end;
  if (function == function_end) return;
  give_word(event, Field::function, line, function, function_end);
  if (event.at(Field::process).text == ":nemesis") return;  // its values are of any kind
  const FilePlace value_at{event.place().line, function_end + 1};
  ByteSource rest(line.substr(function_end), value_at);
  Value& value = event.give(Field::value, value_at);
  EdnEvents(rest).take_only_value(value);
  // A failure's reason stands where the value does.
  const bool is_done =
      event.at(Field::type).text == ":ok" || event.at(Field::type).text == ":invoke";
  if (is_done || !value.text.starts_with(':')) return;
  Value& error = event.give(Field::error, value.place);
  error.kind = ValueKind::text;
  error.text = value.text;
  value.kind = ValueKind::nil;
}

}  // namespace

bool LogEvents::next(Event& event) {
  std::string_view line;
  for (;;) {
    const FilePlace place = source_.place();
    if (!source_.take_line(line, log_line_bytes_max)) return false;
    const auto parts = parts_of(line);
    if (!parts) continue;
    event.begin({place.line, parts->process + 1});
    fill(event, line, *parts);
    return true;
  }
}

}  // namespace lockstep::checker::recorded
