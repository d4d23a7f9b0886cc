// lockstep list: what there is to run and to write in a scenario.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/folders.h"
#include "app/scenarios/property_description.h"
#include "app/scenarios/scenario_paths.h"
#include "checker/property.h"
#include "checker/recorded/model.h"
#include "model/lock/lock_package.h"
#include "redis/commands/unsupported_commands.h"
#include "redis/server/command_table.h"
#include "reports/formats/contract_json.h"
#include "reports/formats/contract_words.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/suggest.h"

namespace lockstep::app {
namespace {

enum class Listing : std::uint8_t { locks, scenarios, faults, properties, models, commands };

constexpr std::array<std::string_view, 6> listing_words = {"locks",      "scenarios", "faults",
                                                           "properties", "models",    "commands"};

struct ListArguments {
  std::vector<std::string> words;  ///< of listings, and of locks
  bool is_verbose = false;         ///< also what locks promise, and as long as what
  OutputFormat format = OutputFormat::text;
};

/// An entry of a list: a name, a summary, and how to write or call it.
struct Entry {
  std::string name;
  std::string summary;
  std::string example;
  std::optional<std::vector<std::string>> promises = std::nullopt;  ///< a lock's
  std::string flaw = {};                                            ///< a lock's, if known
  std::optional<model::Contract> contract = std::nullopt;           ///< a lock's
};

struct Section {
  std::string_view title;
  std::vector<Entry> entries;
};

std::vector<std::string> promises_of(const model::LockPackage& package) {
  std::vector<std::string> names;
  for (const checker::Property property : package.promises) {
    names.emplace_back(checker::to_string(property));
  }
  return names;
}

std::string in_words(const std::vector<std::string>& promises) {
  const std::vector<std::string_view> names(promises.begin(), promises.end());
  return "promises " + (names.empty() ? std::string("nothing") : scenario::listed(names));
}

/// Of a variant, that it is judged as what it varies; else what any of its promises assumes.
std::string kept_as_long_as(const Entry& lock) {
  const std::size_t slash = lock.name.find('/');
  if (slash != std::string::npos) {
    return fmt::format("judged by the contract of {}", lock.name.substr(0, slash));
  }
  return fmt::format("keeps all of that as long as {}",
                     reports::clauses_of(lock.contract->all_assumed(), *lock.contract));
}

std::vector<Entry> properties() {
  std::vector<Entry> entries;
  for (const checker::Property property : checker::all_properties()) {
    const std::string name(checker::to_string(property));
    entries.push_back({name, std::string(describe_property(property)),
                       fmt::format("expect = {{ holds = [\"{}\"] }}", name)});
  }
  return entries;
}

std::vector<Entry> faults() {
  std::vector<Entry> entries;
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    entries.push_back(
        {std::string(form.word), std::string(form.summary), std::string(form.example)});
  }
  return entries;
}

Entry command_entry(const redis::CommandSpec& spec) {
  if (spec.missing.empty()) return {std::string(spec.name), "same", {}};
  return {std::string(spec.name), fmt::format("partial: {}", spec.missing), {}};
}

bool is_offered(std::string_view name) {
  const std::size_t bar = name.find('|');
  const redis::CommandSpec* const spec = redis::find_command(name.substr(0, bar));
  if (spec == nullptr || bar == std::string_view::npos) return spec != nullptr;
  return redis::find_subcommand(*spec, name.substr(bar + 1)) != nullptr;
}

void add_refused(const redis::UnsupportedCommands& refused, std::vector<Entry>& entries) {
  std::string_view names = refused.names;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    if (is_offered(name)) continue;
    entries.push_back({std::string(name), fmt::format("refused: {}", refused.reason), {}});
  }
}

/// The models of lockstep check.
std::vector<Entry> models() {
  std::vector<Entry> entries;
  for (const checker::recorded::Model model : checker::recorded::all_models()) {
    const std::string name(checker::recorded::to_string(model));
    entries.push_back({name, std::string(checker::recorded::summary_of(model)),
                       fmt::format("lockstep check HISTORY --model {}", name)});
  }
  return entries;
}

/// Redis 7.0's commands: same, partial or refused.
std::vector<Entry> commands() {
  std::vector<Entry> entries;
  for (const redis::CommandSpec& spec : redis::command_table()) {
    if (!spec.versions.contains(redis::default_version)) continue;
    if (spec.code != nullptr) entries.push_back(command_entry(spec));
    for (const redis::CommandSpec& sub : spec.subcommands) entries.push_back(command_entry(sub));
  }
  for (const redis::UnsupportedCommands& each : redis::unsupported_commands())
    add_refused(each, entries);
  return entries;
}

/// Lists a scenario that can't be read with its error; bad input then.
class ListCommand {
 public:
  ListCommand(const ListArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context) {}

  ExitCode run() {
    std::vector<Section> sections;
    for (const std::string& word : arguments_.words) {
      const auto* const listing = std::ranges::find(listing_words, word);
      if (listing == listing_words.end()) {
        add_lock(word, sections);
      } else {
        sections.push_back(section(static_cast<Listing>(listing - listing_words.begin())));
      }
    }
    if (exit_code_ == ExitCode::bad_input && sections.empty()) return exit_code_;
    if (arguments_.format == OutputFormat::json) {
      print_json(sections);
    } else {
      print_text(sections);
    }
    return exit_code_;
  }

 private:
  Section section(Listing listing) {
    switch (listing) {
      case Listing::locks:
        return {"locks", locks()};
      case Listing::scenarios:
        return {"scenarios", scenarios()};
      case Listing::faults:
        return {"faults", faults()};
      case Listing::properties:
        return {"properties", properties()};
      case Listing::models:
        return {"models", models()};
      case Listing::commands:
        return {"commands", commands()};
    }
    return {};
  }

  /// The lock that has this name, or that is this class elsewhere, with its variants.
  void add_lock(const std::string& word, std::vector<Section>& sections) {
    std::vector<Entry> meant;
    for (Entry& each : locks()) {
      const std::string_view name = each.name;
      const bool is_variant_of_last = !meant.empty() && name.starts_with(meant.front().name + "/");
      if (name == word || is_variant_of_last || model::mentions_class(each.summary, word))
        meant.push_back(std::move(each));
    }
    if (!meant.empty()) return sections.push_back({"locks", std::move(meant)});
    print_error(context_, fmt::format("WHAT: {} is not {}, nor a lock{}", scenario::in_quotes(word),
                                      scenario::listed(listing_words, "or"),
                                      scenario::did_you_mean(word, listing_words)));
    context_.errors << "lockstep list --help says more\n";
    exit_code_ = ExitCode::bad_input;
  }

  std::vector<Entry> locks() const {
    std::vector<Entry> entries;
    for (const std::string& name : model::list_locks(context_.script_folders)) {
      scenario::Scenario scenario;
      scenario.lock = name;
      const model::LockPackage package = model::load_lock(scenario, context_.script_folders);
      entries.push_back({name, package.title, fmt::format("lock = \"{}\"", name),
                         promises_of(package), package.flaw, package.contract});
    }
    return entries;
  }

  std::vector<Entry> scenarios() {
    std::error_code error;
    const bool is_here = std::filesystem::is_directory("scenarios", error);
    std::vector<Entry> entries;
    for (const ScenarioPath& path :
         find_scenarios({is_here ? "scenarios" : shipped_scenarios().string()})) {
      try {
        entries.push_back({path.path, scenario::load_scenario(path.path).title,
                           fmt::format("{} run {}", context_.program, shell_quoted(path.path))});
      } catch (const scenario::InputError& wrong) {
        print_error(context_, wrong);
        exit_code_ = ExitCode::bad_input;
      }
    }
    return entries;
  }

  void print_text(const std::vector<Section>& sections) const {
    for (const Section& each : sections) {
      if (&each != &sections.front()) context_.output << '\n';
      if (sections.size() > 1) context_.output << each.title << '\n';
      std::size_t width = 0;
      for (const Entry& entry : each.entries) width = std::max(width, entry.name.size());
      const std::string_view indent = sections.size() > 1 ? "  " : "";
      for (const Entry& entry : each.entries) {
        context_.output << fmt::format("{}{:<{}}  {}\n", indent, reports::sanitized(entry.name),
                                       width, reports::sanitized(entry.summary));
        const auto print_more = [&](const std::string& text) {
          context_.output << fmt::format("{}{:<{}}  {}\n", indent, "", width,
                                         reports::sanitized(text));
        };
        const bool is_whole = arguments_.is_verbose;
        if (is_whole && entry.promises) print_more(in_words(*entry.promises));
        if (is_whole && entry.contract) print_more(kept_as_long_as(entry));
        if (is_whole && !entry.flaw.empty()) print_more(fmt::format("known bad: {}", entry.flaw));
        // For a path or a lock the example says nothing new.
        const bool has_syntax = each.title == "faults";
        if (has_syntax) print_more(entry.example);
      }
    }
  }

  void print_json(const std::vector<Section>& sections) const {
    reports::Json document = reports::Json::object();
    for (const Section& each : sections) {
      // Locks that were asked for one by one are one list.
      reports::Json& entries = document.emplace(each.title, reports::Json::array()).first.value();
      for (const Entry& entry : each.entries) {
        reports::Json object = {{"name", reports::json_text(entry.name)},
                                {"title", reports::json_text(entry.summary)},
                                {"example", reports::json_text(entry.example)}};
        if (entry.promises) object["promises"] = *entry.promises;
        if (!entry.flaw.empty()) object["flaw"] = reports::json_text(entry.flaw);
        if (entry.contract) object["contract"] = reports::contract_json(*entry.contract);
        entries.push_back(std::move(object));
      }
    }
    context_.output << document.dump(2) << '\n';
  }

  const ListArguments& arguments_;
  const Context& context_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_list(const ListArguments& arguments, const Context& context) {
  return ListCommand(arguments, context).run();
}

void add_options(CLI::App& command, ListArguments& arguments) {
  command
      .add_option(
          "WHAT", arguments.words,
          "locks, scenarios, faults, properties, models (of histories), or Redis's commands;\n"
          "without it all but the last two. Or one lock: plain, or its class in Redisson, RLock")
      ->type_name("");
  command.add_flag("-v,--verbose", arguments.is_verbose,
                   "Also what each lock promises, as long as what, and what is wrong with it");
  add_format(command, arguments.format);
}

void add_usual_listings(const CLI::App& /*command*/, ListArguments& arguments) {
  if (arguments.words.empty()) arguments.words = {"locks", "scenarios", "faults", "properties"};
}

}  // namespace

CommandDescription list_command() {
  return describe_command<ListArguments>(
      {.name = "list",
       .summary = "List locks, scenarios, faults, properties, models and commands",
       .examples = "lockstep list faults"},
      {.add_options = add_options,
       .complete = add_usual_listings,
       .format = [](const ListArguments& arguments) { return arguments.format; },
       .run = run_list});
}

}  // namespace lockstep::app
