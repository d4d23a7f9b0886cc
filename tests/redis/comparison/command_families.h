// The families of commands whose random sequences are compared with the real server's: one table.
//
// A family is lines of words, one line a command. A word that begins with '$' is replaced by one of
// its kind; request_generator.cpp says which there are. A key is, more often than not, one that
// holds what the command works on, and a field or member is often one that is there.
//
// To add a family: a file NAME_templates.cpp, its declaration here, its row in
// command_families.cpp. The tests (differential_test.cpp) and tools/fidelity run all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lockstep::redis::test {

/// Where else a family's templates are drawn from.
enum class Mixing : std::uint8_t {
  alone,    ///< only in the family's own sequences
  mixed,    ///< also among commands of all other families
  in_calls  ///< there, and as redis.call of generated scripts
};

struct CommandFamily {
  std::string_view name;
  std::span<const std::string_view> templates;
  std::size_t sessions;  ///< connections that take turns
  Mixing mixing;
};

[[nodiscard]] std::span<const CommandFamily> command_families();

std::span<const std::string_view> string_templates();
std::span<const std::string_view> key_templates();
std::span<const std::string_view> hash_templates();
std::span<const std::string_view> list_templates();
/// Of some versions only: no row of the table.
std::span<const std::string_view> hash_expiry_templates();
/// The same. Where nothing is logged, or each write is synced at once.
std::span<const std::string_view> disk_wait_templates();
std::span<const std::string_view> blocking_templates();
std::span<const std::string_view> set_templates();
std::span<const std::string_view> random_set_templates();
std::span<const std::string_view> sorted_set_templates();
std::span<const std::string_view> lexical_templates();
std::span<const std::string_view> blocking_sorted_set_templates();
std::span<const std::string_view> memory_templates();
std::span<const std::string_view> server_templates();
std::span<const std::string_view> connection_templates();
std::span<const std::string_view> silence_templates();
std::span<const std::string_view> transaction_templates();
std::span<const std::string_view> pubsub_templates();
std::span<const std::string_view> script_templates();
std::span<const std::string_view> function_templates();
std::span<const std::string_view> notification_templates();

}  // namespace lockstep::redis::test
