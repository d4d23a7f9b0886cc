#include "checker/recorded/formats/read_history.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "checker/recorded/formats/byte_source.h"
#include "checker/recorded/formats/history_builder.h"
#include "checker/recorded/formats/read_edn.h"
#include "checker/recorded/formats/read_json.h"
#include "checker/recorded/formats/read_log.h"

namespace lockstep::checker::recorded {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// By the first bytes that aren't blank. What is neither JSON nor EDN may be a log.
InputFormat format_of(ByteSource& source) {
  constexpr std::size_t enough = 4096;
  const std::string_view bytes = source.look_ahead(enough);
  const auto next = [&](std::size_t from) { return bytes.find_first_not_of(" \t\r\n", from); };
  const std::size_t first = next(0);
  if (first == std::string_view::npos) return InputFormat::jepsen_log;
  if (std::string_view("[(#;^").find(bytes[first]) != std::string_view::npos) {
    return InputFormat::edn;
  }
  if (bytes[first] != '{') return InputFormat::jepsen_log;
  const std::size_t second = next(first + 1);
  const bool is_json =
      second != std::string_view::npos && (bytes[second] == '"' || bytes[second] == '}');
  return is_json ? InputFormat::json_lines : InputFormat::edn;
}

/// What a packed file begins with.
void refuse_packed(ByteSource& source) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kinds = {{
      {"\x1F\x8B", "gzip"},
      {"\x28\xB5\x2F\xFD", "zstd"},
      {"\xFD"
       "7zXZ",
       "xz"},
      {"BZh", "bzip2"},
      {"PK\x03\x04", "zip"},
  }};
  for (const auto& [bytes, name] : kinds) {
    if (!source.look_ahead(bytes.size()).starts_with(bytes)) continue;
    source.fail(fmt::format("it is packed by {}; unpack it first", name));
  }
}

template <typename Events>
void read_all(ByteSource& source, HistoryBuilder& builder) {
  Events events(source);
  Event event;
  while (events.next(event)) builder.add(event);
}

}  // namespace

ReadResult read_history(std::istream& stream, const ReadOptions& options) {
  ByteSource source(stream);
  if (source.look_ahead(byte_order_mark.size()).starts_with(byte_order_mark)) {
    source.skip(byte_order_mark.size());
  }
  refuse_packed(source);
  ReadResult result;
  result.format = options.format ? *options.format : format_of(source);
  HistoryBuilder builder(options);
  switch (result.format) {
    case InputFormat::json_lines:
      read_all<JsonEvents>(source, builder);
      break;
    case InputFormat::edn:
      read_all<EdnEvents>(source, builder);
      break;
    case InputFormat::jepsen_log:
      read_all<LogEvents>(source, builder);
      break;
    case InputFormat::trace:
      source.fail("a simulated run's trace is read elsewhere");
  }
  result.bytes = source.offset();
  result.passed_over = builder.passed_over();
  result.left_out = builder.left_out();
  result.history = builder.finish();
  const bool has_operations = !result.history.operations.empty() || result.left_out > 0;
  if (has_operations) return result;
  if (!options.format && result.format == InputFormat::jepsen_log) {
    throw ReadError({}, "no operation in it; expected JSON Lines, EDN, or lines of Jepsen's log");
  }
  source.fail("no operation in it");
}

}  // namespace lockstep::checker::recorded
