// A user's text file: read whole, and refused where it is not text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep::scenario {

/// No text that a person writes comes near this; a file beyond it is something else.
inline constexpr std::size_t text_file_bytes_max = 4U << 20U;

/// The file's bytes. Throws InputError where it is missing, a folder, unreadable or too large.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

/// Throws InputError at the first byte that is not UTF-8 text (NUL is not).
void require_utf8(const std::string& path, std::string_view text);

}  // namespace lockstep::scenario
