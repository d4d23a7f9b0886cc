// The parameters of a Config: their names, what they accept, and where their values are kept.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "redis/server/config.h"

namespace lockstep::redis {

/// Where CONFIG SET may change a parameter.
enum class ConfigAccess : std::uint8_t { modifiable, immutable, is_protected };

/// What values a parameter takes.
enum class ConfigKind : std::uint8_t {
  yes_no,
  integer,
  memory,             ///< "1mb" and the like
  memory_or_percent,  ///< or "50%"
  word,               ///< one of a list
  text,
  save_points,
  keyspace_events,
  buffer_limits,
};

using ConfigField =
    std::variant<std::monostate, bool Config::*, std::int64_t Config::*, std::uint64_t Config::*,
                 std::string Config::*, AppendFsync Config::*, EvictionPolicy Config::*>;

struct ConfigParameter {
  std::string_view name;
  std::string_view alias;  ///< an older name, or none
  ConfigKind kind;
  ConfigAccess access;
  std::int64_t least;  ///< of an integer or memory
  std::uint64_t most;
  std::span<const std::string_view> words;
  ConfigField field;              ///< none: kept in Config::others, or special by its kind
  std::string_view initial_text;  ///< of what is kept in Config::others

  /// Whether a parameter is kept as a text only.
  [[nodiscard]] bool has_no_effect() const;
};

[[nodiscard]] std::span<const ConfigParameter> config_parameters();

/// Finds a parameter by name or alias, ignoring case; nullptr if there is none.
[[nodiscard]] const ConfigParameter* find_config_parameter(std::string_view name);

/// The value as CONFIG GET writes it.
[[nodiscard]] std::string config_text(const Config& config, const ConfigParameter& parameter);

/// Sets a value. Returns the error's text, empty on success. Ignores ConfigAccess.
[[nodiscard]] std::string set_config(Config& config, const ConfigParameter& parameter,
                                     std::string_view text);

}  // namespace lockstep::redis
