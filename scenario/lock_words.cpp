#include "scenario/lock_words.h"

#include <filesystem>

namespace lockstep::scenario {

std::string lock_in_words(const std::string& lock) {
  const std::filesystem::path path(lock);
  if (path.is_absolute()) return path.filename().string();
  std::filesystem::path name;
  for (const std::filesystem::path& part : path) {
    if (part != "." && part != "..") name /= part;
  }
  return name.empty() ? lock : name.generic_string();
}

}  // namespace lockstep::scenario
