// Describes each property on one line, for people.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::app {

[[nodiscard]] std::string_view describe_property(checker::Property property);

}  // namespace lockstep::app
