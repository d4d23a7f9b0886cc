#include "app/output/output_place.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <system_error>

#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string why_not_writable(const fs::path& path, OutputPlace place) {
  if (path.empty())
    return place == OutputPlace::file ? "expected a file's name" : "expected a name";
  std::error_code error;
  if (place == OutputPlace::file && (fs::is_directory(path, error) || !path.has_filename())) {
    return fmt::format("cannot write {}: it is a folder", scenario::in_quotes(path.string()));
  }
  fs::path above = place == OutputPlace::file ? path.parent_path() : path;
  while (!above.empty() && !fs::exists(above, error)) {
    if (error) {
      return fmt::format("cannot write {}: {}", scenario::in_quotes(path.string()),
                         error.message());
    }
    above = above.parent_path();
  }
  if (above.empty()) above = ".";
  const std::string word = scenario::in_quotes(path.string());
  if (!fs::is_directory(above, error)) {
    return above == path ? fmt::format("cannot write into {}: it is a file", word)
                         : fmt::format("cannot write {}: {} is a file", word,
                                       scenario::in_quotes(above.string()));
  }
  if (access(above.c_str(), W_OK | X_OK) == 0) return {};
  return fmt::format("cannot write {}: {}", word, std::system_category().message(errno));
}

CLI::Option* writes_to(CLI::Option* option, OutputPlace place) {
  return option->check([place](const std::string& word) { return why_not_writable(word, place); });
}

void require_writable_folder(const fs::path& folder) {
  const std::string why = why_not_writable(folder, OutputPlace::folder);
  if (!why.empty()) throw scenario::InputError::about({}, why);
}

}  // namespace lockstep::app
