#include "live/loaded_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace lockstep::live {
namespace {

/// folder/__pycache__/name.cpython-311.opt-1.pyc is made of folder/name.py, where that is there.
std::filesystem::path source_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  if (path.extension() != ".pyc" || folder.filename() != "__pycache__") return path;
  const std::string name = path.filename().string();
  const std::filesystem::path source =
      folder.parent_path() / (name.substr(0, name.find('.')) + ".py");
  std::error_code error;
  return std::filesystem::exists(source, error) ? source : path;
}

}  // namespace

bool LoadedFiles::look(const std::string& path, Version& version) {
  constexpr std::int64_t second_ns = 1'000'000'000;
  struct stat found {};
  if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
  version = {found.st_mtim.tv_sec * second_ns + found.st_mtim.tv_nsec, found.st_size};
  return true;
}

void LoadedFiles::add(int descriptor) {
  std::error_code error;
  const std::filesystem::path path =
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
  if (error) return;
  const std::string name = source_of(path).string();
  // What the kernel makes up changes all the time.
  if (name.starts_with("/proc/") || name.starts_with("/sys/")) return;
  Version version{};
  if (look(name, version)) versions_.emplace(name, version);
}

bool LoadedFiles::are_on_disk() const {
  return std::ranges::all_of(versions_, [](const auto& each) {
    Version now{};
    return look(each.first, now) && now == each.second;
  });
}

}  // namespace lockstep::live
