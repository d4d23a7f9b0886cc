#include "app/lock/new_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/lock/new_name.h"
#include "app/output_file.h"
#include "model/lock/lock_package.h"
#include "scenario/text/text_file.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

/// What the template is called in its own files.
constexpr std::string_view template_name = "my-lock";

/// The files of a folder, by their names.
using Files = std::map<std::string, std::string>;

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  for (std::size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + by.size())) {
    text.replace(at, old.size(), by);
  }
  return text;
}

Files from_template(const std::string& name) {
  const fs::path folder = fs::path(LOCKSTEP_TEMPLATES_FOLDER) / "lock";
  Files files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    files[entry.path().filename().string()] =
        replaced(scenario::read_text_file(entry.path()), template_name, name);
  }
  if (error) throw scenario::InputError({folder.string(), 0, 0}, error.message());
  return files;
}

/// The scenario with another lock: its line `lock = "…"`.
std::string with_lock(const std::string& text, const std::string& lock) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const bool is_it = line.starts_with("lock ") || line.starts_with("lock=");
    if (is_it) return text.substr(0, begin) + "lock   = \"" + lock + "\"" + text.substr(end);
    begin = end + 1;
  }
  return text;
}

/// A copy of a lock's files that overlays the lock that they come from.
class CopyOfLock {
 public:
  CopyOfLock(const std::string& name, const model::LockPackage& lock) : name_(name), lock_(lock) {}

  Files make() {
    settings_ = fmt::format(
        "# A copy of {0}: what is not said here is as it is there (options, keys, promises).\n"
        "title = \"{1}: a copy of {0}\"\nbase = \"{0}\"\nclient = \"{2}\"\n",
        lock_.full_name(), name_, add(lock_.client_path, lock_.client_source));
    list("scripts", lock_.scripts, [](const model::LockScript& each) { return each.body; });
    list("libraries", lock_.libraries, [](const model::LockLibrary& each) { return each.source; });
    files_["lock.toml"] = settings_;
    add_scenario();
    add_readme();
    return std::move(files_);
  }

 private:
  template <typename List, typename Source>
  void list(std::string_view title, const List& entries, Source source) {
    if (entries.empty()) return;
    settings_ += fmt::format("\n[{}]\n", title);
    for (const auto& each : entries) {
      settings_ += fmt::format("{} = \"{}\"\n", each.name, add(each.path, source(each)));
    }
  }

  /// The file under its name, or under another where that one is taken by another file.
  std::string add(const fs::path& path, const std::string& text) {
    std::string file = path.filename().string();
    for (int number = 2; files_.contains(file) && files_[file] != text; ++number) {
      file = fmt::format("{}-{}.lua", path.stem().string(), number);
    }
    files_[file] = text;
    return file;
  }

  /// A story of the lock in which nothing goes wrong.
  void add_scenario() {
    const fs::path folder = fs::path(LOCKSTEP_SCENARIOS_FOLDER) / lock_.name;
    std::vector<fs::path> paths;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    paths.insert(paths.begin(), folder / "contention.toml");
    for (const fs::path& path : paths) {
      if (!fs::is_regular_file(path, error)) continue;
      const std::string text = scenario::read_text_file(path);
      const bool is_about_it = text.find("\"" + lock_.name + "\"") != std::string::npos;
      if (!is_about_it || text.find("[[fault]]") != std::string::npos) continue;
      scenario_ = path.filename().string();
      files_[scenario_] = with_lock(text, "../" + name_);
      return;
    }
  }

  void add_readme() {
    std::string text = fmt::format(
        "# {0}\n\nA copy of Lockstep's lock `{1}` to change. Its `lock.toml` overlays that one.\n\n"
        "    lockstep lint {0}\n",
        name_, lock_.full_name());
    if (!scenario_.empty()) {
      text += fmt::format("    lockstep run {}/{} --seeds 200\n", name_, scenario_);
    }
    files_["README.md"] = text;
  }

  const std::string& name_;
  const model::LockPackage& lock_;
  std::string settings_;
  std::string scenario_;
  Files files_;
};

Files from_lock(const NewArguments& arguments, const Context& context) {
  scenario::Scenario scenario;
  scenario.lock = arguments.from;
  scenario.lock_place = {"--from", 0, 0};
  const bool is_named = arguments.from.find_first_of("./") != 0;
  if (!is_named) {
    throw scenario::InputError({"--from", 0, 0},
                               "expected the name of a lock: lockstep list locks");
  }
  const model::LockPackage lock = model::load_lock(scenario, context.script_folders);
  return CopyOfLock(arguments.name, lock).make();
}

/// Writes beside the folder's place, and moves there at once.
void write_folder(const fs::path& folder, const Files& files) {
  const fs::path temporary = fmt::format(".{}.{}", folder.string(), getpid());
  std::error_code error;
  try {
    for (const auto& file : files) {
      write_file(temporary / file.first, [&](std::ostream& stream) { stream << file.second; });
    }
    fs::rename(temporary, folder, error);
  } catch (...) {
    fs::remove_all(temporary, error);
    throw;
  }
  if (!error) return;
  const std::string why = error.message();
  fs::remove_all(temporary, error);
  throw scenario::InputError({folder.string(), 0, 0}, "cannot make this folder: " + why);
}

}  // namespace

ExitCode create_lock(const NewArguments& arguments, const Context& context) {
  require_new_name(arguments.name, "a lock", "my-lock");
  const fs::path folder(arguments.name);
  require_nothing_at(folder);
  const Files files =
      arguments.from.empty() ? from_template(arguments.name) : from_lock(arguments, context);
  write_folder(folder, files);
  for (const auto& [name, text] : files) context.output << (folder / name).string() << '\n';
  for (const auto& [name, text] : files) {
    if (!name.ends_with(".toml") || name == "lock.toml") continue;
    context.output << fmt::format("try it: {} run {}/{} --seeds 200\n", context.program,
                                  arguments.name, name);
    break;
  }
  return ExitCode::as_expected;
}

}  // namespace lockstep::app
