#include "app/shrink/shrink_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <string_view>
#include <system_error>

#include "app/interruption.h"
#include "app/run/file_names.h"
#include "app/shrink/failing_run.h"
#include "app/shrink/shrunk_files.h"
#include "reports/formats/shrink_report.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

/// "gc-pause" of "out/gc-pause.found.trace.jsonl", and of "scenarios/gc-pause.toml".
std::string base_name(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  for (const std::string_view ending : {".toml", ".jsonl", ".trace", ".found"}) {
    if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
  }
  return name;
}

class ShrinkCommand {
 public:
  ShrinkCommand(const ShrinkArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context), engine_(context.script_folders) {}

  ExitCode run() {
    make_output_folder();
    for (const std::string& target : arguments_.targets) {
      if (is_interrupted()) break;
      try_to_shrink(target);
    }
    if (is_interrupted()) {
      print_error(context_, "interrupted: this is how small it was made until then");
      exit_code_ = worse(exit_code_, ExitCode::unknown);
    }
    if (arguments_.format == OutputFormat::json) context_.output << reports::shrink_json(all_);
    return exit_code_;
  }

 private:
  void make_output_folder() const {
    std::error_code error;
    fs::create_directories(arguments_.output_folder, error);
    if (error) {
      throw scenario::InputError({arguments_.output_folder, 0, 0},
                                 fmt::format("cannot make this folder: {}", error.message()));
    }
  }

  /// A target that is wrong does not take the others with it.
  void try_to_shrink(const std::string& target) {
    try {
      const FailingRunQuery wanted{arguments_.property, arguments_.runs, arguments_.seed};
      const std::string name = base_name(target) + ".small";
      if (is_trace_file(target)) {
        return shrink_one(failing_run_of_trace(target, wanted, engine_), target, name);
      }
      for (const scenario::Scenario& row : scenario::load_scenarios(target)) {
        if (is_interrupted()) return;
        shrink_one(find_failing_run(row, wanted, engine_), row.name(),
                   file_name_of_row(name, row.row));
      }
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  void shrink_one(const FailingRunResult& found, const std::string& target,
                  const std::string& name) {
    if (!found.run) {
      if (is_interrupted()) return;
      print_error(context_, fmt::format("{}: {}", reports::sanitized(target),
                                        reports::sanitized(found.why_not)));
      exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
      return;
    }
    all_.push_back(
        save_shrunk(*found.run, arguments_.output_folder, names_.take(name), context_, engine_));
    if (arguments_.format == OutputFormat::json) return;
    const reports::SavedShrunk& saved = all_.back();
    if (all_.size() > 1) context_.output << '\n';
    context_.output << fmt::format("{}\n  {} is violated\n", reports::sanitized(target),
                                   checker::to_string(saved.property))
                    << reports::shrunk_in_words(saved, context_.style);
    context_.output.flush();
  }

  const ShrinkArguments& arguments_;
  const Context& context_;
  model::Engine engine_;
  UniqueNames names_;
  std::vector<reports::SavedShrunk> all_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

}  // namespace

ExitCode shrink(const ShrinkArguments& arguments, const Context& context) {
  return ShrinkCommand(arguments, context).run();
}

}  // namespace lockstep::app
