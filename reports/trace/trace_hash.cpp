#include "reports/trace/trace_hash.h"

#include <fmt/format.h>

#include <string>
#include <variant>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

std::uint64_t xxh3(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : text) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001b3U;
  }
  return hash;
}

void take_in(std::uint64_t& hash, std::uint64_t word) {
  hash ^= word;
  hash *= 0x9e3779b97f4a7c15U;
  hash ^= hash >> 32U;
}

}  // namespace

std::uint64_t hash_after(std::uint64_t previous, const model::RecordedEvent& event) {
  std::uint64_t hash = previous;
  take_in(hash, static_cast<std::uint64_t>(event.at));
  take_in(hash, static_cast<std::uint32_t>(event.actor) + (event.fields.size() << 32U));
  take_in(hash, xxh3(event.kind));
  for (const auto& [name, value] : event.fields) {
    const auto* const number = std::get_if<std::int64_t>(&value);
    take_in(hash, fnv1a(name) ^ (number != nullptr ? static_cast<std::uint64_t>(*number)
                                                   : xxh3(std::get<std::string>(value))));
  }
  return hash;
}

std::uint64_t file_checksum(std::uint64_t of_lines, const search::RunRecord& example) {
  return checksum_after(of_lines, fmt::format("{} {} {} {} {}", model::to_string(example.end),
                                              example.ended_at_ns, example.trace.events.size(),
                                              example.trace.choices.size(), example.trace.hash));
}

std::uint64_t checksum_after(std::uint64_t previous, std::string_view line) {
  return XXH3_64bits_withSeed(line.data(), line.size(), previous);
}

}  // namespace lockstep::reports
