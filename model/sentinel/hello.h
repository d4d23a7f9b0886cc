// What sentinels tell each other through the nodes that they watch: `__sentinel__:hello`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::model {

inline constexpr std::string_view hello_channel = "__sentinel__:hello";
/// The master's name among sentinels, as in the examples of sentinel.conf.
inline constexpr std::string_view master_name = "mymaster";
inline constexpr std::int64_t node_port = 6379;
inline constexpr std::int64_t sentinel_port = 26379;

/// "s1,26379,s1,3,mymaster,n1,6379,0": host names serve as addresses and a sentinel's as its run
/// id.
struct Hello {
  std::string sentinel;
  std::int64_t current_epoch = 0;
  std::string master;
  std::int64_t config_epoch = 0;  ///< of the master's address
};

[[nodiscard]] std::string write_hello(const Hello& hello);
/// None if the text is not a hello.
[[nodiscard]] std::optional<Hello> read_hello(std::string_view text);

}  // namespace lockstep::model
