#include "scenario/text/input_error.h"

#include <fmt/format.h>

namespace lockstep::scenario {

InputError::InputError(SourceLocation place, std::string message)
    : place_(std::move(place)), message_(std::move(message)) {
  if (!place_.file.empty()) {
    text_ = place_.file;
    if (place_.line > 0) text_ += fmt::format(":{}", place_.line);
    if (place_.line > 0 && place_.column > 0) text_ += fmt::format(":{}", place_.column);
    text_ += ": ";
  }
  text_ += "error: " + message_;
}

InputError::InputError(std::vector<InputError> mistakes) : InputError(std::move(mistakes.front())) {
  mistakes.erase(mistakes.begin());
  also_ = std::move(mistakes);
}

}  // namespace lockstep::scenario
