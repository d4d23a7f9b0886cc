// Mistakes in a Lua source, of which Lua tells the line alone, with their columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::scenario {
class InputError;
}  // namespace lockstep::scenario

namespace lockstep::model {

/// The column is that of what the message names ("near 'x'", "there is no 'x'") in the line; of the
/// line's first character where it names nothing that is there. Line 0: the place is unknown.
[[nodiscard]] scenario::InputError error_in_source(const std::string& path, std::string_view source,
                                                   std::uint32_t line, const std::string& message);

/// The same, of the name in that line.
[[nodiscard]] scenario::InputError error_at_name(const std::string& path, std::string_view source,
                                                 std::uint32_t line, std::string_view name,
                                                 const std::string& message);

/// Where the source returns at its end, else at its last word.
[[nodiscard]] scenario::InputError error_at_return(const std::string& path, std::string_view source,
                                                   const std::string& message);

/// Where the source sets a field or variable of that name for the last time; else as above.
[[nodiscard]] scenario::InputError error_at_assignment(const std::string& path,
                                                       std::string_view source,
                                                       std::string_view name,
                                                       const std::string& message);

/// The InputError that a Lua error text stands for: "plain/client.lua:12: what" names line 12.
[[nodiscard]] scenario::InputError input_error_from(const std::string& path,
                                                    std::string_view source,
                                                    std::string_view chunk_name,
                                                    std::string_view lua_error);

}  // namespace lockstep::model
