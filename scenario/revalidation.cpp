#include "scenario/revalidation.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"

namespace lockstep::scenario {
namespace {

/// What stands on a line of a text of write_scenario's.
struct Part {
  enum class Kind : std::uint8_t { head, link, fault, other };
  Kind kind = Kind::head;
  std::size_t number = 0;  ///< of the link or the fault
};

std::vector<Part> parts_by_line(std::string_view text) {
  std::vector<Part> parts;
  Part part;
  std::size_t links = 0;
  std::size_t faults = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line == "[[link]]") {
      part = {Part::Kind::link, links++};
    } else if (line == "[[fault]]") {
      part = {Part::Kind::fault, faults++};
    } else if (line.find_first_not_of(' ') != std::string_view::npos &&
               line[line.find_first_not_of(' ')] == '[') {
      part = {Part::Kind::other, 0};
    }
    parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

template <typename Item>
void erase_numbered(std::vector<Item>& items, const std::set<std::size_t>& numbers) {
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(*number));
  }
}

/// Whether any of them was refused.
bool drop_refused_moments(Scenario& scenario) {
  const std::vector<Sometimes> all = scenario.expect.sometimes;
  std::vector<Sometimes> kept;
  for (const Sometimes& each : all) {
    scenario.expect.sometimes = {each};
    if (revalidated(scenario)) kept.push_back(each);
  }
  scenario.expect.sometimes = kept;
  return kept.size() < all.size();
}

/// Whether something could go.
bool drop_refused(const InputError& error, std::string_view text, Scenario& scenario) {
  const std::vector<Part> parts = parts_by_line(text);
  std::set<std::size_t> links;
  std::set<std::size_t> faults;
  bool is_in_head = false;
  const auto note = [&](const InputError& mistake) {
    const std::size_t line = mistake.place().line;
    if (line == 0 || line > parts.size()) return;
    const Part& part = parts[line - 1];
    if (part.kind == Part::Kind::link) links.insert(part.number);
    if (part.kind == Part::Kind::fault) faults.insert(part.number);
    is_in_head = is_in_head || part.kind == Part::Kind::head;
  };
  note(error);
  for (const InputError& other : error.also()) note(other);
  erase_numbered(scenario.links, links);
  erase_numbered(scenario.faults, faults);
  if (!links.empty() || !faults.empty()) return true;
  return is_in_head && drop_refused_moments(scenario);
}

}  // namespace

std::optional<Scenario> revalidated(const Scenario& scenario) {
  try {
    return parse_scenario(scenario.path, write_scenario(scenario));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<Scenario> revalidated_without_impossible(Scenario scenario) {
  for (;;) {  // ends: each time round there is less
    const std::string text = write_scenario(scenario);
    try {
      return parse_scenario(scenario.path, text);
    } catch (const InputError& error) {
      if (!drop_refused(error, text, scenario)) return std::nullopt;
    }
  }
}

}  // namespace lockstep::scenario
