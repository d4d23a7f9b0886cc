// Writing a file whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace lockstep::app {

/// Has the content written beside the file and then put in its place at once: whoever looks finds
/// the old file or the new one, never half of it. Makes the folders above. Throws model::InputError
/// where it can't; nothing is left then. What `write` throws goes through.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace lockstep::app
