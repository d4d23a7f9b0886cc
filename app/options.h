// Options that commands share, and strict readers for the words behind options.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lockstep::app {

enum class OutputFormat : std::uint8_t { text, json };

/// Adds --format. The format must outlive the parsing, as all that the functions below fill in.
void add_format(CLI::App& command, OutputFormat& format);

/// Adds an option with one word, shown in the help as `type`. `take` reads the word; it may throw
/// CLI::ValidationError.
CLI::Option* add_word(CLI::App& command, const std::string& name, const std::string& type,
                      const std::function<void(const std::string& word)>& take,
                      const std::string& summary);

/// Adds an option with a whole number.
void add_number(CLI::App& command, const std::string& name, std::uint64_t& number,
                const std::string& summary);

/// Throws CLI::ValidationError: "ARGUMENT: 'WORD' is not EXPECTED; did you mean …?".
[[noreturn]] void refuse_word(std::string_view argument, std::string_view word,
                              std::string_view expected,
                              std::span<const std::string_view> words = {});

/// Reads a decimal whole number. CLI11 itself would read 010 as eight, -1 as 2^64 − 1, and cap a
/// number that is too large. Throws CLI::ValidationError, as do the readers below.
[[nodiscard]] std::uint64_t read_whole_number(std::string_view argument, std::string_view word);

[[nodiscard]] std::uint64_t read_number_between(std::string_view argument, std::string_view word,
                                                std::uint64_t least, std::uint64_t most);

/// The index of the word among the words.
[[nodiscard]] std::size_t read_choice(std::string_view argument, std::string_view word,
                                      std::span<const std::string_view> words);

/// "60s", "500ms", "2m", "1h".
[[nodiscard]] std::uint64_t read_milliseconds(std::string_view argument, std::string_view word);

/// "1GiB", "512MiB", "64KiB", "1000000".
[[nodiscard]] std::uint64_t read_bytes(std::string_view argument, std::string_view word);

}  // namespace lockstep::app
