#include "scenario/text/input_error.h"

#include <fmt/format.h>

#include <utility>

#include "scenario/text/source_location.h"

namespace lockstep::scenario {

struct InputError::Details {
  SourceLocation place;
  std::string message;
  std::vector<InputError> also;
  std::string text;
};

namespace {

std::string text_of(const SourceLocation& place, const std::string& message) {
  std::string text;
  if (!place.file.empty()) {
    text = place.file;
    if (place.line > 0) text += fmt::format(":{}", place.line);
    if (place.line > 0 && place.column > 0) text += fmt::format(":{}", place.column);
    text += ": ";
  }
  return text + "error: " + message;
}

}  // namespace

InputError::InputError(SourceLocation place, std::string message) {
  std::string text = text_of(place, message);
  details_ =
      std::make_shared<Details>(Details{std::move(place), std::move(message), {}, std::move(text)});
}

InputError InputError::about(std::string file, std::string message, std::uint32_t line) {
  return {SourceLocation{std::move(file), line, 0}, std::move(message)};
}

InputError::InputError(std::vector<InputError> mistakes) {
  Details details = *mistakes.front().details_;
  details.also.assign(mistakes.begin() + 1, mistakes.end());
  details_ = std::make_shared<Details>(std::move(details));
}

const SourceLocation& InputError::place() const { return details_->place; }

const std::string& InputError::message() const { return details_->message; }

const std::vector<InputError>& InputError::also() const { return details_->also; }

const char* InputError::what() const noexcept { return details_->text.c_str(); }

}  // namespace lockstep::scenario
