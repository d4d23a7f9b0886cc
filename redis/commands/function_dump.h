// The payload of FUNCTION DUMP: the libraries' code in the format of Redis 7.0's RDB files.
//
// What is written is not compressed, unlike Redis's own; both are read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::redis {

[[nodiscard]] std::string dump_of_libraries(std::span<const std::string> codes);

/// Nothing where it is no such payload, or a damaged one.
[[nodiscard]] std::optional<std::vector<std::string>> libraries_of_dump(std::string_view payload);

}  // namespace lockstep::redis
