#include "app/folders.h"

#include <fstream>
#include <string>
#include <system_error>

#include "sim/companion_file.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

/// A build's program has the file beside it, an installed one has not.
fs::path source_folder() {
  const auto file = sim::companion_file("source_folder.txt");
  std::string folder;
  if (file) std::getline(std::ifstream(*file), folder);
  return folder;
}

/// An installation's own folder where this program is installed; otherwise that of the source.
fs::path folder(const char* name, const char* in_source) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path() / LOCKSTEP_SHARE_FROM_BIN / name;
  if (!error && fs::is_directory(installed, error)) return installed.lexically_normal();
  return source_folder() / in_source;
}

}  // namespace

fs::path shipped_locks() { return folder("scripts", "scripts"); }

fs::path shipped_scenarios() { return folder("scenarios", "scenarios"); }

fs::path templates() { return folder("templates", "app/templates"); }

}  // namespace lockstep::app
