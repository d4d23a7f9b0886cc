// The same fault to another, who is an equal: of the same role, or at the other end of the same
// links.
#include <algorithm>

#include "model/faults/fault_generator.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"

namespace lockstep::model {
namespace {

bool is_one_of_them(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool strikes_the_same(const scenario::FaultSpec& one, const scenario::FaultSpec& other) {
  return one.kind == other.kind && one.target == other.target && one.other == other.other &&
         one.message_label == other.message_label && one.message_from == other.message_from &&
         one.message_to == other.message_to;
}

}  // namespace

bool FaultGenerator::draw_same_on_peer(FaultChoices& place,
                                       const std::vector<scenario::FaultSpec>& faults,
                                       scenario::FaultSpec& fault) const {
  std::vector<scenario::FaultSpec> equals = peer_variants_of(fault);
  std::erase_if(equals, [&faults](const scenario::FaultSpec& equal) {
    return std::any_of(faults.begin(), faults.end(), [&equal](const scenario::FaultSpec& each) {
      return strikes_the_same(each, equal);
    });
  });
  if (equals.empty()) return false;
  fault = place.one_of(equals);
  return true;
}

std::vector<scenario::FaultSpec> FaultGenerator::peer_variants_of(
    const scenario::FaultSpec& fault) const {
  std::vector<scenario::FaultSpec> equals;
  switch (scenario::form_of(fault.kind).target.kind) {
    case scenario::TargetKind::process:
    case scenario::TargetKind::server:
    case scenario::TargetKind::listener:
    case scenario::TargetKind::node:
    case scenario::TargetKind::master:
    case scenario::TargetKind::lock_key:
    case scenario::TargetKind::host:
    case scenario::TargetKind::replica:
    case scenario::TargetKind::thread:
      add_peer_targets(fault, equals);
      break;
    case scenario::TargetKind::message:
      add_peer_messages(fault, equals);
      break;
    case scenario::TargetKind::pair:
    case scenario::TargetKind::directed_pair:
      add_peer_pairs(fault, equals);
      break;
    case scenario::TargetKind::callback:
    case scenario::TargetKind::groups:
    case scenario::TargetKind::ring:
    case scenario::TargetKind::sequence:
      break;
  }
  return equals;
}

void FaultGenerator::add_peer_targets(const scenario::FaultSpec& fault,
                                      std::vector<scenario::FaultSpec>& equals) const {
  const std::vector<std::string>* names = targets_of(fault.kind);
  for (const auto* role : {&names_.clients, &names_.masters, &names_.replicas}) {
    if (is_one_of_them(*role, fault.target) && role->size() > 1) names = role;
  }
  for (const std::string& name : *names) {
    equals.push_back(fault);
    equals.back().target = name;
  }
}

/// The same message between one of the two and another: "set" from a to n2 for that to n1.
void FaultGenerator::add_peer_messages(const scenario::FaultSpec& fault,
                                       std::vector<scenario::FaultSpec>& equals) const {
  for (const SentMessage& message : run_profile_.messages()) {
    const bool is_same_end = message.from == fault.message_from || message.to == fault.message_to;
    if (message.label != fault.message_label || !is_same_end) continue;
    equals.push_back(fault);
    equals.back().message_from = message.from;
    equals.back().message_to = message.to;
  }
}

/// The way between one of the two and another.
void FaultGenerator::add_peer_pairs(const scenario::FaultSpec& fault,
                                    std::vector<scenario::FaultSpec>& equals) const {
  for (const auto& [one, other] : run_profile_.pairs()) {
    for (const bool is_turned : {false, true}) {
      const std::string& target = is_turned ? other : one;
      const std::string& peer = is_turned ? one : other;
      if (target != fault.target && peer != fault.other) continue;
      equals.push_back(fault);
      equals.back().target = target;
      equals.back().other = peer;
    }
  }
}

}  // namespace lockstep::model
