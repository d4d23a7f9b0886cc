// What a key is to a lock, as its lock.toml declares it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::model {
struct LockPackage;
}

namespace lockstep::advice {

enum class KeyRole : std::uint8_t {
  unknown,     ///< nothing is declared, or the key can't be told
  lock,        ///< shows who has the lock
  lease,       ///< another key that must have a TTL
  persistent,  ///< stays: a counter, a queue, permits
};

/// What advice is given on: a lock with what its lock.toml says, or a lone script.
class KeyRoles {
 public:
  /// Of a lone script: every key is unknown.
  KeyRoles() = default;
  explicit KeyRoles(const model::LockPackage& lock);

  /// Of a key's name, with `?` for each part that is unknown.
  [[nodiscard]] KeyRole role_of(std::string_view name) const;
  /// Who takes the lock writes a token that is to be its own.
  [[nodiscard]] bool has_owner_token() const { return has_owner_token_; }
  [[nodiscard]] bool is_declared() const { return !lock_key_.empty(); }

  /// What stands for the lock's name.
  static constexpr std::string_view lock_name = "lock";

 private:
  std::string lock_key_;
  bool has_owner_token_ = false;
  bool is_lock_persistent_ = false;
  std::vector<std::string> leases_;
  std::vector<std::string> persistent_;
};

/// The part of a key's name that a cluster hashes; empty where an unknown part is in it.
[[nodiscard]] std::string hashed_part(std::string_view name);

}  // namespace lockstep::advice
