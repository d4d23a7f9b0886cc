// Numbers and names as a person reads them, for summaries and evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::checker {

class Names;
enum class HoldMode : std::uint8_t;
enum class NameId : std::uint32_t;

/// "5,000.3 ms": rounded to a tenth of a millisecond, with thousands separated; whole milliseconds
/// without a fraction; less than one rounded to a microsecond ("0.801 ms"), less than that exactly
/// ("0.000001 ms"). `never_ns` reads "never".
[[nodiscard]] std::string milliseconds(std::int64_t time_ns);

/// The name, or "nobody" for `no_name`.
[[nodiscard]] std::string_view name_of(const Names& names, NameId id);

/// "a/1", or "reader a/1" where it shares the lock.
[[nodiscard]] std::string holder_name(const Names& names, NameId owner, HoldMode mode);

/// "1 permit", "2 permits".
[[nodiscard]] std::string counted(std::int64_t count, std::string_view what);

/// "" for one, otherwise "; <count> <what> in all": the tail of a summary that reports the first.
[[nodiscard]] std::string in_all(std::size_t count, std::string_view what);

}  // namespace lockstep::checker
