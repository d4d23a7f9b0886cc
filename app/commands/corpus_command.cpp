// lockstep corpus: reports what is in a corpus, takes over entries of others, and deletes entries
// that add nothing.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/exit_code.h"
#include "app/interruption.h"
#include "app/output/file_names.h"
#include "app/search/corpus_folder.h"
#include "app/search/fuzz_targets.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/text/input_error.h"
#include "search/fuzz/corpus.h"
#include "sim/versions.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

struct CorpusArguments {
  std::vector<std::string> targets;  ///< as given to lockstep fuzz
  std::string folder;                ///< as given to its --corpus
  std::vector<std::string> from;     ///< others, of which all entries are taken over
  enum class Entries : std::uint8_t { all, few };
  /// few: entries that others make superfluous are deleted.
  Entries entries = Entries::all;
  OutputFormat format = OutputFormat::text;
};

/// What the corpus of a target came to.
struct CorpusState {
  std::string target;
  fs::path folder;
  std::size_t entries = 0;
  std::size_t states = 0;
  std::size_t of_another_lock = 0;
  std::size_t passed_over = 0;
  std::size_t added = 0;
  std::size_t deleted = 0;
};

class CorpusCommand {
 public:
  CorpusCommand(const CorpusArguments& arguments, const Context& context)
      : arguments_(arguments),
        context_(context),
        engine_(context.script_folders, context.programs) {}

  ExitCode run() {
    for (const FuzzTarget& target : find_targets(arguments_.targets)) {
      if (is_interrupted()) break;
      process(target);
    }
    if (is_interrupted())
      print_error(context_, "interrupted: nothing more was looked at or deleted");
    if (arguments_.format == OutputFormat::json) {
      context_.output
          << reports::Json{{"schema", corpus_document_version}, {"corpora", reported_}}.dump(2)
          << '\n';
    }
    return is_interrupted() ? ExitCode::unknown : ExitCode::as_expected;
  }

 private:
  void process(const FuzzTarget& target) {
    if (target.is_lock) {
      static_cast<void>(model::load_lock(*target.scenario, context_.script_folders));
      throw scenario::InputError::about(
          target.name,
          "this is a lock; expected a scenario file, since each has a corpus of its own");
    }
    const std::string name = names_.take(target.file_name);
    const std::unique_ptr<model::Simulation> simulation = engine_.prepare(*target.scenario);
    const std::uint64_t digest = search::digest_of(*target.scenario);
    CorpusState state;
    state.target = target.name;
    state.folder = fs::path(arguments_.folder) / name;
    const CorpusFolder folder(state.folder, digest, context_);
    for (const std::string& other : arguments_.from) {
      take_over(fs::path(other) / name, digest, folder, state);
    }
    CorpusFolder::Contents contents = folder.read();
    state.passed_over += contents.passed_over;
    state.entries = contents.entries.size();
    std::vector<std::vector<search::ChoiceTrack>> entries;
    for (search::CorpusEntry& entry : contents.entries) {
      state.of_another_lock += entry.lock_digest != simulation->lock_digest() ? 1 : 0;
      entries.push_back(std::move(entry.tracks));
    }
    if (arguments_.entries == CorpusArguments::Entries::few) {
      keep_few(contents.files, entries, *simulation, state);
    }
    state.states =
        search::make_corpus(std::move(entries), *simulation, is_interrupted).states.size();
    if (!is_interrupted()) report(state);
  }

  void take_over(const fs::path& from, std::uint64_t digest, const CorpusFolder& folder,
                 CorpusState& state) {
    std::error_code error;
    if (!fs::is_directory(from, error)) {
      throw scenario::InputError::about(from.string(), "there is no such folder");
    }
    const CorpusFolder::Contents others = CorpusFolder(from, digest, context_).read();
    state.passed_over += others.passed_over;
    for (const search::CorpusEntry& entry : others.entries) {
      if (is_interrupted()) return;
      state.added += folder.add(entry) ? 1 : 0;
    }
  }

  /// Decides which entries are needed before it deletes the first.
  void keep_few(const std::vector<fs::path>& files,
                std::vector<std::vector<search::ChoiceTrack>>& entries,
                model::Simulation& simulation, CorpusState& state) {
    const std::vector<std::size_t> few =
        search::few_with_all_states(entries, simulation, is_interrupted);
    if (is_interrupted()) return;
    const std::set<std::size_t> needed(few.begin(), few.end());
    std::vector<std::vector<search::ChoiceTrack>> kept;
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (needed.contains(i)) {
        kept.push_back(std::move(entries[i]));
        continue;
      }
      std::error_code error;
      fs::remove(files[i], error);
      if (error) {
        throw scenario::InputError::about(files[i].string(),
                                          fmt::format("cannot delete it: {}", error.message()));
      }
      ++state.deleted;
    }
    state.entries = kept.size();
    entries = std::move(kept);
  }

  void report(const CorpusState& state) {
    if (arguments_.format == OutputFormat::json) {
      reported_.push_back(
          reports::Json::object({{"target", reports::sanitized(state.target)},
                                 {"folder", reports::sanitized(state.folder.string())},
                                 {"entries", state.entries},
                                 {"states", state.states},
                                 {"of_another_lock", state.of_another_lock},
                                 {"passed_over", state.passed_over},
                                 {"added", state.added},
                                 {"deleted", state.deleted}}));
      return;
    }
    context_.output << fmt::format(
        "{}: {} entries, {} abstract states; {} taken over, {} deleted, {} passed over  {}\n",
        reports::sanitized(state.target), state.entries, state.states, state.added, state.deleted,
        state.passed_over, reports::sanitized(state.folder.string()));
  }

  const CorpusArguments& arguments_;
  const Context& context_;
  model::Engine engine_;
  UniqueNames names_;
  reports::Json reported_ = reports::Json::array();
};

ExitCode run_corpus(const CorpusArguments& arguments, const Context& context) {
  return CorpusCommand(arguments, context).run();
}

void add_options(CLI::App& command, CorpusArguments& arguments) {
  command
      .add_option("TARGET", arguments.targets,
                  "What was searched: scenario files or folders of them, as fuzz is told them")
      ->required()
      ->type_name("");
  command.add_option("--corpus", arguments.folder, "The folder that fuzz is told")
      ->required()
      ->type_name("DIR");
  command
      .add_option("--from", arguments.from, "Take over what is in this folder, of another search")
      ->allow_extra_args(false)
      ->type_name("DIR");
  command.add_flag_callback(
      "--few", [&arguments] { arguments.entries = CorpusArguments::Entries::few; },
      "Delete entries without which the others reach the same abstract states");
  add_format(command, arguments.format);
}

}  // namespace

CommandDescription corpus_command() {
  return describe_command<CorpusArguments>(
      {.name = "corpus",
       .summary = "Look at what fuzz keeps, take over what others kept, and leave out what is "
                  "superfluous",
       .examples = "lockstep corpus my-scenario.toml --corpus corpus --from their-corpus --few"},
      {.add_options = add_options,
       .format = [](const CorpusArguments& arguments) { return arguments.format; },
       .run = run_corpus});
}

}  // namespace lockstep::app
