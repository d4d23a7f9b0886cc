#include "scenario/file/relative_path.h"

#include <system_error>

namespace lockstep::scenario {

namespace fs = std::filesystem;

fs::path seen_from(const fs::path& path, const fs::path& seat) {
  if (path.is_absolute()) return path;
  fs::path folder = seat.parent_path();
  if (folder.empty()) folder = ".";
  if (folder.is_relative()) {
    fs::path seen = path.lexically_normal().lexically_relative(folder.lexically_normal());
    if (!seen.empty()) return seen;
  }
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  if (error) return path;
  const fs::path seen =
      folder.is_absolute() ? whole.lexically_relative(folder.lexically_normal()) : fs::path();
  return seen.empty() ? whole : seen;
}

}  // namespace lockstep::scenario
