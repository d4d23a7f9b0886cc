// Reads a user's text file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep::scenario {

/// Far more than a person writes; a larger file is something else.
inline constexpr std::size_t text_file_bytes_max = 4U << 20U;

/// The file's bytes. Throws InputError if it is missing, a folder, unreadable or too large.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

/// Throws InputError at the first byte that is not UTF-8, or is NUL.
void require_utf8(const std::string& path, std::string_view text);

}  // namespace lockstep::scenario
