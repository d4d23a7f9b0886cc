// Why serving can't begin: a port in use, a clock that is no clock. Its text is for the user.
#pragma once

#include <stdexcept>
#include <string>

namespace lockstep::serve {

class StartError final : public std::runtime_error {
 public:
  explicit StartError(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace lockstep::serve
