#include "live/loaded_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace lockstep::live {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t second_ns = 1'000'000'000;
/// By so much the times of files may be coarse.
constexpr std::int64_t coarse_ns = 2 * second_ns;
/// What is larger is no source that somebody edits.
constexpr std::int64_t compared_bytes_max = 1 << 20;

constexpr std::string_view compiled_folder = "__pycache__";

/// folder/__pycache__/name.cpython-311.opt-1.pyc is made of folder/name.py, where that is there.
fs::path source_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  if (path.extension() != ".pyc" || folder.filename() != compiled_folder) return path;
  const std::string name = path.filename().string();
  const fs::path source = folder.parent_path() / (name.substr(0, name.find('.')) + ".py");
  std::error_code error;
  return fs::exists(source, error) ? source : path;
}

std::int64_t in_ns(const timespec& time) { return time.tv_sec * second_ns + time.tv_nsec; }

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string content_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

bool LoadedFiles::look(const std::string& path, Version& version) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
  version = {found.st_dev, found.st_ino, in_ns(found.st_mtim), in_ns(found.st_ctim), found.st_size};
  return true;
}

/// Folders end with a slash.
std::set<std::string, std::less<>> LoadedFiles::names_in(const std::string& folder) {
  std::set<std::string, std::less<>> names;
  std::error_code error;
  for (fs::directory_iterator each(folder, error); !error && each != fs::directory_iterator();
       each.increment(error)) {
    const std::string name = each->path().filename().string();
    std::error_code unknown;
    if (name == compiled_folder || name.starts_with('.')) continue;
    names.insert(each->is_directory(unknown) ? name + "/" : name);
  }
  return names;
}

void LoadedFiles::add(int descriptor) {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
  if (error) return;
  const fs::path source = source_of(path);
  const std::string name = source.string();
  // What the kernel makes up changes all the time.
  if (name.starts_with("/proc/") || name.starts_with("/sys/")) return;
  File file{};
  if (!look(name, file.version)) return;
  const bool is_fresh = now_ns() - file.version.changed_ns < coarse_ns;
  if (is_fresh && file.version.bytes <= compared_bytes_max) file.content = content_of(name);
  files_.emplace(name, std::move(file));
  const std::string above = source.parent_path().string();
  const auto [folder, is_new] = folders_.try_emplace(above);
  if (is_new) folder->second.names = names_in(above);
  folder->second.endings.insert(source.extension().string());
  // Also what it has made itself, and then reads.
  folder->second.names.insert(source.filename().string());
}

bool LoadedFiles::are_on_disk() const {
  const bool are_same = std::ranges::all_of(files_, [](const auto& each) {
    const auto& [name, file] = each;
    Version now{};
    return look(name, now) && now == file.version &&
           (file.content.empty() || content_of(name) == file.content);
  });
  return are_same && std::ranges::all_of(folders_, [](const auto& each) {
           const Folder& folder = each.second;
           return std::ranges::all_of(names_in(each.first), [&](const std::string& name) {
             const bool counts = name.ends_with('/') ||
                                 folder.endings.contains(fs::path(name).extension().string());
             return !counts || folder.names.contains(name);
           });
         });
}

}  // namespace lockstep::live
