#include "scenario/text/input_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
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

namespace {

/// What the file says itself comes before what its bases say. What a file lacks stands nowhere, and
/// comes last.
auto position(const InputError& error, const std::string& first_file) {
  const SourceLocation& place = error.place();
  const bool is_lacking = place.line <= 1 && place.column <= 1;
  return std::tuple(is_lacking, place.file != first_file, place.file, place.line, place.column);
}

}  // namespace

void ErrorCollector::raise() const {
  if (found_.empty()) return;
  std::vector<InputError> told;
  for (const InputError& error : found_) {
    told.push_back(error);
    told.insert(told.end(), error.also().begin(), error.also().end());
  }
  const std::string first_file = told.front().place().file;
  std::stable_sort(told.begin(), told.end(), [&](const InputError& one, const InputError& other) {
    return position(one, first_file) < position(other, first_file);
  });
  if (told.size() > reported_max) told.erase(told.begin() + reported_max, told.end());
  throw InputError(std::move(told));
}

InputError with_suffix(const InputError& error, const std::string& suffix) {
  std::vector<InputError> all = {InputError(error.place(), error.message() + suffix)};
  for (const InputError& other : error.also()) {
    all.emplace_back(other.place(), other.message() + suffix);
  }
  return InputError(std::move(all));
}

}  // namespace lockstep::scenario
