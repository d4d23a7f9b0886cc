#include "scenario/text/error_collector.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "scenario/text/source_location.h"

namespace lockstep::scenario {
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
