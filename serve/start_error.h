// Serving cannot start: a port is in use, a clock file is invalid. The text is for the user.
#pragma once

#include <stdexcept>
#include <string>

namespace lockstep::serve {

class StartError final : public std::runtime_error {
 public:
  explicit StartError(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace lockstep::serve
