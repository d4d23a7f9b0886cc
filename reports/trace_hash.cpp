#include "reports/trace_hash.h"

#include <fmt/format.h>

#include <string>
#include <variant>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lockstep::reports {
namespace {

template <typename Number>
void append_number(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    bytes += static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
  }
}

void append_text(std::string& bytes, std::string_view text) {
  append_number(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

}  // namespace

std::uint64_t hash_after(std::uint64_t previous, const model::RecordedEvent& event) {
  std::string bytes;
  append_number(bytes, static_cast<std::uint64_t>(event.at));
  append_number(bytes, static_cast<std::uint32_t>(event.actor));
  append_text(bytes, event.kind);
  append_number(bytes, static_cast<std::uint32_t>(event.fields.size()));
  for (const auto& [name, value] : event.fields) {
    append_text(bytes, name);
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      bytes += '\0';
      append_number(bytes, static_cast<std::uint64_t>(*number));
    } else {
      bytes += '\1';
      append_text(bytes, std::get<std::string>(value));
    }
  }
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), previous);
}

std::uint64_t file_checksum(std::uint64_t of_lines, const search::Example& example) {
  return checksum_after(of_lines, fmt::format("{} {} {} {} {}", model::to_string(example.end),
                                              example.ended_at_ns, example.trace.events.size(),
                                              example.trace.choices.size(), example.trace.hash));
}

std::uint64_t checksum_after(std::uint64_t previous, std::string_view line) {
  return XXH3_64bits_withSeed(line.data(), line.size(), previous);
}

}  // namespace lockstep::reports
