#include "advice/key_roles.h"

#include <algorithm>
#include <cstddef>

#include "model/lock/lock_package.h"

namespace lockstep::advice {
namespace {

bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return model::key_matches(pattern, KeyRoles::lock_name, name);
  });
}

}  // namespace

KeyRoles::KeyRoles(const model::LockPackage& lock)
    : lock_key_(lock.state_key),
      has_owner_token_(lock.state_shape == model::StateShape::owner_token),
      leases_(lock.lease_keys),
      persistent_(lock.persistent_keys) {
  is_lock_persistent_ =
      matches_any(persistent_, model::expand_pattern(lock_key_, KeyRoles::lock_name));
}

KeyRole KeyRoles::role_of(std::string_view name) const {
  if (!is_declared() || name.empty() || name == "?") return KeyRole::unknown;
  if (matches_any(persistent_, name)) return KeyRole::persistent;
  if (model::key_matches(lock_key_, lock_name, name)) return KeyRole::lock;
  if (matches_any(leases_, name)) return KeyRole::lease;
  // Declared locks name all their keys: what is none of them is no key to advise on.
  return KeyRole::persistent;
}

std::string hashed_part(std::string_view name) {
  const std::size_t open = name.find('{');
  const std::size_t close = open == std::string_view::npos ? open : name.find('}', open + 1);
  const bool has_tag = close != std::string_view::npos && close > open + 1;
  const std::string_view part = has_tag ? name.substr(open + 1, close - open - 1) : name;
  const std::string_view before = has_tag ? name.substr(0, open) : std::string_view();
  const bool is_known =
      part.find('?') == std::string_view::npos && before.find('?') == std::string_view::npos;
  return is_known ? std::string(part) : std::string();
}

}  // namespace lockstep::advice
