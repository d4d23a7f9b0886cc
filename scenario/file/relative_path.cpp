#include "scenario/file/relative_path.h"

#include <system_error>

namespace lockstep::scenario {

namespace fs = std::filesystem;

namespace {

/// "srv" of "/srv/locks/a.toml"; empty for the root and what is relative.
fs::path below_root(const fs::path& path) {
  const fs::path rest = path.relative_path();
  return path.is_absolute() && !rest.empty() ? *rest.begin() : fs::path();
}

}  // namespace

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
  const fs::path from = folder.lexically_normal();
  const bool are_near = !below_root(from).empty() && below_root(from) == below_root(whole);
  return are_near ? whole.lexically_relative(from) : whole;
}

}  // namespace lockstep::scenario
