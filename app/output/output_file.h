// Writes a file whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace lockstep::app {

/// Writes a temporary file and renames it, so that a reader sees the old file or the new one, never
/// half of it. Makes the folders above. Throws scenario::InputError if it can't, and leaves nothing
/// behind; lets through what `write` throws.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace lockstep::app
