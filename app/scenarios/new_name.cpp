#include "app/scenarios/new_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"

namespace lockstep::app {
namespace {

constexpr std::size_t name_characters_max = 64;

bool may_be_in_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
}

}  // namespace

void require_new_name(const std::string& name, std::string_view what, std::string_view example) {
  const bool is_right = !name.empty() && name.size() <= name_characters_max &&
                        name.front() != '-' &&
                        std::all_of(name.begin(), name.end(), may_be_in_name);
  if (is_right) return;
  throw scenario::InputError::about(
      {}, fmt::format("{} can't be {}'s name; expected up to {} small letters, digits and "
                      "hyphens, as in {}",
                      scenario::in_quotes(name), what, name_characters_max, example));
}

void require_nothing_at(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, error))) return;
  throw scenario::InputError::about(path.string(), "this is there already, and was left as it is");
}

}  // namespace lockstep::app
