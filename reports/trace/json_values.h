// Values that JSON can't hold by itself, as the trace file and the JSON report write them.
//
// Numbers beyond ±2^53 would be rounded by many readers: they are written as decimal strings.
// Hashes are strings of 16 hexadecimal digits. Text that is not UTF-8 is an object {"hex": "…"}.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::reports {

/// Keeps the order in which members were added.
using Json = nlohmann::ordered_json;

[[nodiscard]] Json json_number(std::int64_t number);
[[nodiscard]] Json json_number(std::uint64_t number);
[[nodiscard]] std::string json_hash(std::uint64_t hash);
[[nodiscard]] Json json_text(std::string_view text);

// Each: none where the value is nothing of the kind.
[[nodiscard]] std::optional<std::int64_t> number_from(const Json& value);
[[nodiscard]] std::optional<std::uint64_t> unsigned_from(const Json& value);
[[nodiscard]] std::optional<std::uint64_t> hash_from(const Json& value);
[[nodiscard]] std::optional<std::string> text_from(const Json& value);

}  // namespace lockstep::reports
