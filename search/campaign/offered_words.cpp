#include "search/campaign/offered_words.h"

#include <algorithm>

#include "scenario/step_forms.h"

namespace lockstep::search {

bool OfferedWords::has(scenario::StepKind kind) const {
  return std::find(offered_.begin(), offered_.end(), kind) != offered_.end();
}

void OfferedWords::add(Mix& mix, scenario::StepKind kind, int weight,
                       std::string_view options) const {
  if (!has(kind)) return;
  std::string word(scenario::form_of(kind).word);
  if (!options.empty()) word.append(" ").append(options);
  mix.emplace_back(std::move(word), weight);
}

void OfferedWords::add_questions(Mix& mix, int weight) const {
  for (const scenario::StepKind kind : offered_) {
    if (scenario::form_of(kind).role == scenario::StepRole::asks) add(mix, kind, weight);
  }
}

}  // namespace lockstep::search
