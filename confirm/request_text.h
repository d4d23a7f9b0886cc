// Requests as text for people: short, on one line.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lockstep::confirm {

/// The words of a request as one would type them to redis-cli; long ones are cut short.
[[nodiscard]] std::string describe_request(std::span<const std::string_view> words);
[[nodiscard]] std::string describe_request(std::span<const std::string> words);

}  // namespace lockstep::confirm
