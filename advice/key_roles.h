// The roles of a lock's keys, as its lock.toml declares them.
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
  unknown,     ///< nothing is declared, or the key is unknown
  lock,        ///< shows who has the lock
  lease,       ///< another key that must have a TTL
  persistent,  ///< needs no TTL: a counter, a queue, permits
};

/// The roles of a lock's keys, or of a lone script's, which are all unknown.
class KeyRoles {
 public:
  KeyRoles() = default;
  explicit KeyRoles(const model::LockPackage& lock);

  /// `name` has `?` for each unknown part.
  [[nodiscard]] KeyRole role_of(std::string_view name) const;
  /// True if each holder writes its own token.
  [[nodiscard]] bool has_owner_token() const { return has_owner_token_; }
  [[nodiscard]] bool is_declared() const { return !lock_key_.empty(); }

  /// Stands for the lock's name.
  static constexpr std::string_view lock_name = "lock";

 private:
  std::string lock_key_;
  bool has_owner_token_ = false;
  bool is_lock_persistent_ = false;
  std::vector<std::string> leases_;
  std::vector<std::string> persistent_;
};

/// The part of a key's name that a cluster hashes; empty if it has an unknown part.
[[nodiscard]] std::string hashed_part(std::string_view name);

}  // namespace lockstep::advice
