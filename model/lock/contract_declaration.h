// [contract] and [[known]] as a lock.toml has them, before they are laid over the standard
// contract.
//
// Words that only the whole lock can judge (a script's label, an option) keep their places.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/lock/contract.h"

namespace lockstep::scenario {
class TableReader;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct LockPackage;

struct PlacedWord {
  std::string text;
  std::string file;  ///< where it is written, for error messages
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct ContractDeclaration {
  bool is_there = false;
  std::optional<LockFamily> family;
  std::map<checker::Property, AssumptionSet> assumes;
  std::optional<std::vector<PlacedWord>> executed_once;
  std::optional<PlacedWord> remembers;
  std::optional<PlacedWord> own_lease;
  std::optional<PlacedWord> renews;
  std::optional<std::int64_t> drift_ppm;
  std::map<checker::Property, std::vector<Usage>> usage;
  std::map<Assumption, std::string> reasons;
  std::vector<KnownFlaw> known;

  /// Overlays another on this one.
  void lay_over(const ContractDeclaration& other);
  /// Forgets the flaws of the client model, which is replaced.
  void forget_flaws_of_client();
};

/// Reads them. Throws InputError where a word is unknown, or an assumption lacks its reason that a
/// lock may not make without one.
[[nodiscard]] ContractDeclaration read_contract(const scenario::TableReader& lock_toml);

/// The lock.toml's contract, laid over the standard one of its family.
[[nodiscard]] Contract contract_of(const ContractDeclaration& declared, const LockPackage& package);

}  // namespace lockstep::model
