// The words behind options: read strictly, refused with what was expected.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::app {

/// Throws CLI::ValidationError: "ARGUMENT: 'WORD' is not EXPECTED; did you mean …?".
[[noreturn]] void refuse_word(std::string_view argument, std::string_view word,
                              std::string_view expected,
                              std::span<const std::string_view> words = {});

/// A whole number, where CLI11 reads 010 as eight, -1 as 2^64 − 1, and more than fits as the most
/// that does.
[[nodiscard]] std::uint64_t read_whole_number(std::string_view argument, std::string_view word);

/// Which of the words it is.
[[nodiscard]] std::size_t read_choice(std::string_view argument, std::string_view word,
                                      std::span<const std::string_view> words);

/// "60s", "500ms", "2m", "1h".
[[nodiscard]] std::uint64_t read_milliseconds(std::string_view argument, std::string_view word);

/// "1GiB", "512MiB", "64KiB", "1000000".
[[nodiscard]] std::uint64_t read_bytes(std::string_view argument, std::string_view word);

}  // namespace lockstep::app
