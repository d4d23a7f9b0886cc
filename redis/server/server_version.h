// The versions of Redis and Valkey that are simulated.
//
// Others are refused, with the nearest of these named. How they differ: version_traits.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::redis {

/// In the order of their release; Valkey began as Redis 7.2.
enum class ServerVersion : std::uint8_t {
  redis_6_0,
  redis_7_0,
  redis_8_0,
  valkey_8_0,
  valkey_8_1,
  valkey_9_1,
};

inline constexpr std::size_t version_count = 6;
inline constexpr ServerVersion default_version = ServerVersion::redis_7_0;

/// A set of versions.
class VersionSet {
 public:
  constexpr VersionSet() = default;
  constexpr VersionSet(std::initializer_list<ServerVersion> versions) {
    for (const ServerVersion version : versions) bits_ |= bit(version);
  }
  [[nodiscard]] static constexpr VersionSet all() {
    VersionSet set;
    set.bits_ = (1U << version_count) - 1;
    return set;
  }
  [[nodiscard]] constexpr bool contains(ServerVersion version) const {
    return (bits_ & bit(version)) != 0;
  }
  [[nodiscard]] constexpr VersionSet without(ServerVersion version) const {
    VersionSet set = *this;
    set.bits_ &= static_cast<std::uint8_t>(~bit(version));
    return set;
  }
  friend constexpr bool operator==(const VersionSet&, const VersionSet&) = default;

 private:
  [[nodiscard]] static constexpr std::uint8_t bit(ServerVersion version) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(version));
  }
  std::uint8_t bits_ = 0;
};

[[nodiscard]] std::string_view to_string(ServerVersion version);

/// The version of this name: "valkey-8.1"; "7.0" is Redis's.
[[nodiscard]] std::optional<ServerVersion> find_version(std::string_view name);
/// The version to which a release belongs: "redis-8.0.6" is redis-8.0.
[[nodiscard]] std::optional<ServerVersion> version_of_release(std::string_view release);
/// What to say of a version that is not simulated: "the nearest are redis-7.0 and redis-8.0", and
/// all there are.
[[nodiscard]] std::string versions_near(std::string_view name);

}  // namespace lockstep::redis
