#include "app/scenarios/scenario_choice.h"

#include <algorithm>
#include <fstream>
#include <ostream>
#include <sstream>
#include <utility>

#include "app/output/output_file.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"

namespace lockstep::app {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

bool has_words(const std::string& text, std::string_view words) {
  std::istringstream stream(lower(words));
  bool is_negated = false;
  for (std::string word; stream >> word;) {
    if (word == "not" && !is_negated) {
      is_negated = true;
      continue;
    }
    if ((text.find(word) != std::string::npos) == is_negated) return false;
    is_negated = false;
  }
  return true;
}

}  // namespace

std::vector<ScenarioPath> with_words(std::vector<ScenarioPath> scenarios, std::string_view words) {
  std::erase_if(scenarios, [words](const ScenarioPath& each) {
    try {
      std::string text = each.path;
      for (const scenario::Scenario& row : scenario::load_scenarios(each.path)) {
        text += '\n' + row.title;
      }
      return !has_words(lower(text), words);
    } catch (const scenario::InputError&) {
      return false;
    }
  });
  return scenarios;
}

LastFailed::LastFailed(const std::filesystem::path& folder) : file_(folder / "last-failed.txt") {
  std::ifstream stream(file_);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) paths_.insert(line);
  }
}

void LastFailed::note(const std::string& path, bool is_as_expected) {
  const bool changes = is_as_expected ? paths_.erase(path) > 0 : paths_.insert(path).second;
  is_changed_ = is_changed_ || changes;
}

void LastFailed::save() const {
  if (!is_changed_) return;
  write_file(file_, [this](std::ostream& stream) {
    for (const std::string& each : paths_) stream << each << '\n';
  });
}

}  // namespace lockstep::app
