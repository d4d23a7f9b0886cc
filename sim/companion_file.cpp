#include "sim/companion_file.h"

#include <array>
#include <system_error>

namespace lockstep::sim {

namespace fs = std::filesystem;

std::optional<fs::path> companion_file(std::string_view name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  constexpr std::array<std::string_view, 3> folders = {".", "../app", LOCKSTEP_LIBRARIES_FROM_BIN};
  for (const std::string_view folder : folders) {
    fs::path file = (program.parent_path() / folder / name).lexically_normal();
    if (fs::exists(file, error)) return file;
  }
  return std::nullopt;
}

}  // namespace lockstep::sim
