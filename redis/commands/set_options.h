// The options that SET and GETEX share, and writing a string over whatever a key holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "redis/protocol/expire_option.h"
#include "redis/server/command_call.h"

namespace lockstep::redis {

struct SetOptions {
  bool only_if_absent = false;                    // NX
  bool only_if_present = false;                   // XX
  bool give_old = false;                          // GET
  bool keep_expiry = false;                       // KEEPTTL
  bool persist = false;                           // PERSIST
  std::optional<std::string_view> only_if_equal;  // IFEQ
  std::optional<ExpireForm> form;
  std::string_view amount;  ///< where there is a form
};

enum class OptionsOf : std::uint8_t { set, getex, msetex };

/// The options from a word on; where they make no sense, replies so and returns nothing.
[[nodiscard]] std::optional<SetOptions> read_set_options(Call& call, OptionsOf command,
                                                         std::size_t first);

/// The moment, in Unix ms, that an amount of a form stands for: must be positive and fit. Replies
/// and returns nothing where it is not.
[[nodiscard]] std::optional<std::int64_t> read_expire_moment_ms(Call& call, ExpireForm form,
                                                                std::string_view amount);

/// Stores a string at a key, whatever was there; an expiry stays. Deletes an expired key first.
Entry& overwrite(Call& call, std::string_view key, std::string_view text);
/// The same, where the caller has looked the key up already (null: it is not there).
Entry& overwrite(Call& call, Entry* present, std::string_view key, std::string_view text);

}  // namespace lockstep::redis
