// lockstep new: makes a lock from a template or as a copy of another, or a scenario of a lock.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/folders.h"
#include "app/output/output_file.h"
#include "app/scenarios/new_name.h"
#include "app/scenarios/new_scenario.h"
#include "model/lock/lock_package.h"
#include "scenario/scenario.h"
#include "scenario/text/text_file.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

enum class NewThing : std::uint8_t { lock, scenario };

struct NewArguments {
  std::string what_word;
  NewThing what = NewThing::lock;
  std::string name;            ///< of a lock and its folder, or of a scenario's file without .toml
  std::string from;            ///< a lock of scripts/, perhaps with a variant; empty: the template
  std::string lock = "plain";  ///< of a scenario
  std::optional<NewTopology> topology;
};

/// The template's name in its own files.
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
  const fs::path folder = templates() / "lock";
  Files files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    files[entry.path().filename().string()] =
        replaced(scenario::read_text_file(entry.path()), template_name, name);
  }
  if (error) throw scenario::InputError::about(folder.string(), error.message());
  return files;
}

/// Replaces the scenario's line `lock = "…"`.
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

  /// Adds the file under its name, or under another if a different file has that one.
  std::string add(const fs::path& path, const std::string& text) {
    std::string file = path.filename().string();
    for (int number = 2; files_.contains(file) && files_[file] != text; ++number) {
      file = fmt::format("{}-{}.lua", path.stem().string(), number);
    }
    files_[file] = text;
    return file;
  }

  /// Copies a scenario of the lock in which nothing goes wrong.
  void add_scenario() {
    const fs::path folder = shipped_scenarios() / lock_.name;
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
      files_[scenario_] = with_lock(text, ".");
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
    throw scenario::InputError::about("--from", "expected the name of a lock: lockstep list locks");
  }
  const model::LockPackage lock = model::load_lock(scenario, context.script_folders);
  return CopyOfLock(arguments.name, lock).make();
}

/// Writes a temporary folder beside the place, and renames it.
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
  throw scenario::InputError::about(folder.string(), "cannot make this folder: " + why);
}

/// Makes the folder whole or not at all.
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

/// Writes NAME.toml into the current folder.
ExitCode create_scenario(const NewScenario& wanted, const Context& context) {
  require_new_name(wanted.name, "a scenario", "long-pause");
  const fs::path path(wanted.name + ".toml");
  require_nothing_at(path);
  const std::string text = new_scenario_text(wanted, context);
  write_file(path, [&text](std::ostream& stream) { stream << text; });
  context.output << fmt::format("{0}\ntry it: {1} run {0} --seeds 200\n", path.string(),
                                context.program);
  return ExitCode::as_expected;
}

ExitCode run_new(const NewArguments& arguments, const Context& context) {
  switch (arguments.what) {
    case NewThing::lock:
      return create_lock(arguments, context);
    case NewThing::scenario:
      return create_scenario({arguments.name, arguments.lock, arguments.topology}, context);
  }
  return ExitCode::unknown;
}

void add_options(CLI::App& command, NewArguments& arguments) {
  command.add_option("WHAT", arguments.what_word, "lock or scenario")->required()->type_name("");
  command
      .add_option("NAME", arguments.name, "What it is called: small letters, digits and hyphens")
      ->required()
      ->type_name("");
  command
      .add_option("--from", arguments.from,
                  "Begin with a copy of this lock: plain, setnx/fixed-value")
      ->type_name("LOCK");
  command.add_option("--lock", arguments.lock, "The lock of the scenario: plain (the default), …")
      ->type_name("LOCK");
  add_word(
      command, "--topology", "WORD",
      [&arguments](const std::string& word) {
        constexpr std::array<std::string_view, 5> words = {"standalone", "replicated",
                                                           "independent", "sentinel", "cluster"};
        arguments.topology = static_cast<NewTopology>(read_choice("--topology", word, words));
      },
      "standalone (the default; independent for votes), replicated, sentinel or cluster");
}

void read_what(const CLI::App& command, NewArguments& arguments) {
  constexpr std::array<std::string_view, 2> words = {"lock", "scenario"};
  arguments.what = static_cast<NewThing>(read_choice("WHAT", arguments.what_word, words));
  const bool is_scenario = arguments.what == NewThing::scenario;
  const auto is_given = [&command](const char* option) { return command.count(option) > 0; };
  if (is_scenario && is_given("--from")) {
    throw CLI::ValidationError("--from is for a lock; a scenario has --lock and --topology");
  }
  if (!is_scenario && (is_given("--lock") || is_given("--topology"))) {
    throw CLI::ValidationError("--lock and --topology are for a scenario; a lock has --from");
  }
}

}  // namespace

CommandDescription new_command() {
  return describe_command<NewArguments>(
      {.name = "new",
       .summary = "Make a lock or a scenario of your own that runs at once",
       .examples = "lockstep new lock my-lock\n"
                   "  lockstep new scenario failover --lock plain --topology replicated"},
      {.add_options = add_options, .complete = read_what, .run = run_new});
}

}  // namespace lockstep::app
