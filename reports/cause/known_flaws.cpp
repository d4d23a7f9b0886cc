#include "reports/cause/known_flaws.h"

#include <algorithm>
#include <string>

#include "model/lock/contract.h"
#include "reports/cause/cause.h"

namespace lockstep::reports {
namespace {

bool has_all(const Cause& cause, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [&](const std::string& each) {
    return std::any_of(cause.says.begin(), cause.says.end(), [&](const std::string& sentence) {
      return sentence.find(each) != std::string::npos;
    });
  });
}

}  // namespace

const model::KnownFlaw* known_flaw_of(const model::Contract& contract, checker::Property broken,
                                      const std::vector<Cause>& causes) {
  for (const model::KnownFlaw& flaw : contract.known) {
    const bool is_it = flaw.property == broken &&
                       std::any_of(causes.begin(), causes.end(),
                                   [&](const Cause& cause) { return has_all(cause, flaw.cause); });
    if (is_it) return &flaw;
  }
  return nullptr;
}

}  // namespace lockstep::reports
