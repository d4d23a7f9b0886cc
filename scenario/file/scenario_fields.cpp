#include "scenario/file/scenario_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <system_error>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/faults.h"
#include "scenario/faults/open_faults.h"
#include "scenario/file/client_fields.h"
#include "scenario/file/expect_fields.h"
#include "scenario/file/option_table.h"
#include "scenario/file/redis_fields.h"
#include "scenario/file/relative_path.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"

namespace lockstep::scenario {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t faults_max = 1'000;

std::string read_required_text(const TableReader& table, const Field<Scenario>& self) {
  const auto text = table.text(self.form.key);
  if (!text) table.complain_missing(self.form.key, self.example);
  if (text->words().empty()) text->complain(fmt::format("'{}' is empty", self.form.key));
  return std::string(text->text);
}

void read_title(const TableReader& file, const Field<Scenario>& self, const ReadContext&,
                Scenario& scenario) {
  scenario.title = read_required_text(file, self);
}

/// "." and ".." with the folder's own name at the end, which is the lock's: with a folder that is
/// copied go its stories.
std::string with_name_of_folder(const std::string& lock, const std::string& named_in) {
  const fs::path seen = fs::path(lock).lexically_normal();
  const bool is_unnamed = lock.starts_with('.') && (seen == "." || seen.filename() == "..");
  if (!is_unnamed) return lock;
  std::error_code error;
  const fs::path whole = fs::absolute(fs::path(named_in).parent_path() / seen / ".", error);
  const fs::path name = whole.lexically_normal().parent_path().filename();
  return error || name.empty() ? lock : (seen / ".." / name).lexically_normal().string();
}

/// A folder that a base names stands beside the base: the same folder, seen from the scenario.
std::string beside_the_scenario(const std::string& lock, const std::string& named_in,
                                const std::string& scenario_path) {
  namespace fs = std::filesystem;
  const bool is_folder = lock.starts_with("./") || lock.starts_with("../");
  if (!is_folder || named_in == scenario_path) return lock;
  const fs::path folder = (fs::path(named_in).parent_path() / lock).lexically_normal();
  const fs::path from = fs::path(scenario_path).parent_path().lexically_normal();
  const fs::path seen = folder.lexically_relative(from.empty() ? fs::path(".") : from);
  return seen.empty() ? folder.string() : (fs::path(".") / seen).string();
}

void read_lock(const TableReader& file, const Field<Scenario>& self, const ReadContext&,
               Scenario& scenario) {
  scenario.lock = read_required_text(file, self);
  scenario.lock_place = file.text(self.form.key)->place;
  const std::string& named_in = scenario.lock_place.file;
  scenario.lock =
      beside_the_scenario(with_name_of_folder(scenario.lock, named_in), named_in, scenario.path);
}

/// A lock of the house by its name, one's own by its folder.
std::string lock_as_seen_from(const Scenario& scenario, const fs::path& path) {
  const bool is_folder = scenario.lock.starts_with("./") || scenario.lock.starts_with("../");
  if (!is_folder) return scenario.lock;
  const fs::path folder = fs::path(scenario.path).parent_path() / scenario.lock;
  if (fs::path(scenario.path).parent_path() == path.parent_path()) return scenario.lock;
  const std::string seen = seen_from(folder, path).string();
  return seen.starts_with("../") || seen.starts_with('/') ? seen : std::string("./").append(seen);
}

void write_lock(const Field<Scenario>& self, const Scenario& scenario, const WriteContext& context,
                TableText& text) {
  text.keys.add_text(self.form.key, lock_as_seen_from(scenario, context.path));
}

void check_lock_name(const TableReader& file, const Field<Scenario>& self, const Scenario&) {
  if (const auto name = file.text(self.form.key)) require_lock_name(*name);
}

void read_options(const TableReader& file, const Field<Scenario>& self, const ReadContext&,
                  Scenario& scenario) {
  read_option_table(file, self.form.key, scenario.options, scenario.option_places);
}

void write_options(const Field<Scenario>& self, const Scenario& scenario, const WriteContext&,
                   TableText& text) {
  write_option_table(self.form.key, scenario.options, text);
}

void read_scripts(const TableReader& file, const Field<Scenario>& self, const ReadContext&,
                  Scenario& scenario) {
  const auto table = file.table(self.form.key);
  if (!table) return;
  for (const LocatedText& key : table->keys()) {
    const LocatedText path = *table->text(key.text);
    if (path.text.empty()) path.complain("the path is empty; expected as in \"acquire.lua\"");
    const std::string name(key.text);
    const std::filesystem::path folder = std::filesystem::path(path.place.file).parent_path();
    scenario.scripts[name] = (folder / std::filesystem::path(path.text)).string();
    scenario.script_places[name] = path.place;
  }
}

void write_scripts(const Field<Scenario>& self, const Scenario& scenario,
                   const WriteContext& context, TableText& text) {
  TableText table = text.below_key(self.form.key);
  for (const auto& [name, script] : scenario.scripts) {
    table.keys.add_text(name, seen_from(script, context.path).string());
  }
  text.add(self.form.key, table);
}

void compare_scripts(const Field<Scenario>& self, const Scenario& one, const Scenario& other,
                     Differences& differences) {
  const auto is_same = [](const auto& script, const auto& other_script) {
    return script.first == other_script.first &&
           fs::path(script.second).lexically_normal() ==
               fs::path(other_script.second).lexically_normal();
  };
  if (!std::equal(one.scripts.begin(), one.scripts.end(), other.scripts.begin(),
                  other.scripts.end(), is_same)) {
    differences.add(self.form.key);
  }
}

void require_bound_on_drift(const TableReader& table, const Field<Scenario>& self,
                            const Scenario& scenario) {
  if (scenario.declared_drift_ppm >= 0) return;
  table.text(self.form.key)->complain("a bound on drift is zero or more");
}

void require_healing_within_run(const TableReader& table, const Field<Scenario>& self,
                                const ReadContext&, Scenario& scenario) {
  if (*scenario.heal_at_ns < scenario.horizon_ns) return;
  table.text(self.form.key)
      ->complain(fmt::format("the run ends at {}, before this; expected less, or a larger [limits] "
                             "horizon",
                             format_duration(scenario.horizon_ns)));
}

/// Whether it is what read_open_faults sets where the file says nothing.
bool heals_by_default(const Scenario& scenario) {
  return scenario.open_faults && scenario.heal_at_ns == open_faults_heal_ns &&
         open_faults_heal_ns < scenario.horizon_ns;
}

void write_healing(const Field<Scenario>& self, const Scenario& scenario, const WriteContext&,
                   TableText& text) {
  if (!scenario.heal_at_ns || heals_by_default(scenario)) return;
  text.keys.add_text(self.form.key, format_duration(*scenario.heal_at_ns));
}

void read_all_faults(const TableReader& file, const Field<Scenario>& self,
                     const ReadContext& context, Scenario& scenario) {
  const std::vector<TableReader> faults = file.tables(self.form.key);
  if (faults.size() > faults_max) {
    throw InputError(faults[faults_max].place(),
                     fmt::format("there are more than {} faults", faults_max));
  }
  read_faults(faults, *context.participants, scenario);
}

void write_faults(const Field<Scenario>&, const Scenario& scenario, const WriteContext&,
                  TableText& text) {
  for (const FaultSpec& fault : scenario.faults) text.below += "\n" + write_fault(fault);
}

/// `faults` and [budget].
void read_drawn_faults(const TableReader& file, const Field<Scenario>&, const ReadContext&,
                       Scenario& scenario) {
  read_open_faults(file, scenario);
}

std::string write_open_kinds(const OpenFaults& open) {
  std::vector<std::string> words;
  if (open.any) words.emplace_back("any");
  for (const FaultKind kind : open.kinds) {
    const bool is_among_any = form_of(kind).search.by_default == SearchDefault::allowed;
    if (!open.any || !is_among_any) words.emplace_back(to_string(kind));
  }
  return toml_text_or_list(words);
}

void write_drawn_faults(const Field<Scenario>& self, const Scenario& scenario, const WriteContext&,
                        TableText& text) {
  if (scenario.open_faults) text.keys.add(self.form.key, write_open_kinds(*scenario.open_faults));
}

void write_budget(const Field<Scenario>& self, const Scenario& scenario, const WriteContext&,
                  TableText& text) {
  if (!scenario.open_faults) return;
  const OpenFaults& open = *scenario.open_faults;
  TableText table = text.below_key(self.form.key);
  if (open.at_most != OpenFaults::default_at_most) table.keys.add_number("faults", open.at_most);
  for (const FaultKind kind : open.kinds) {
    const std::uint32_t most = open.at_most_of[static_cast<std::size_t>(kind)];
    if (most != UINT32_MAX) table.keys.add_number(to_string(kind), most);
  }
  text.add(self.form.key, table);
}

constexpr std::array resource_fields = {
    field<Boolean, &ResourceSpec::fencing>("fencing", "Whether it refuses a stale token")
        .says("{} fencing"),
};
static_assert(members_of(resource_fields) == member_count<ResourceSpec>());

constexpr std::array clocks_fields = {
    field<Ppm, &Scenario::declared_drift_ppm>(
        "declared_drift", "How far clocks may drift without being the service's fault")
        .checks(require_bound_on_drift)
        .says("declared drift {}"),
};

constexpr std::array limits_fields = {
    field<Duration, &Scenario::horizon_ns>("horizon", "When a run ends at the latest",
                                           {.sign = DurationSign::positive})
        .says("horizon {}"),
    field<WholeNumber, &Scenario::events_max>("events",
                                              "After how many events a run ends at the latest",
                                              {.numbers = {1, 1'000'000'000'000}})
        .shows([](const Scenario& scenario) { return counted(scenario.events_max, "event"); }),
};

constexpr std::array liveness_fields = {
    field<Duration, &checker::LivenessBounds::progress_ns>(
        "progress", "How long there may be waiters and no grant", {.sign = DurationSign::positive})
        .says("progress {}"),
    field<Duration, &checker::LivenessBounds::wakeup_ns>(
        "wakeup", "How long a waiter may sleep on while the lock is free",
        {.sign = DurationSign::positive})
        .says("wakeup {}"),
    field<WholeNumber, &checker::LivenessBounds::overtakings>(
        "overtakings", "How many grants others may have during a wait", {.numbers = {0, 1'000'000}})
        .shows([](const checker::LivenessBounds& bounds) {
          return counted(static_cast<std::uint64_t>(bounds.overtakings), "overtaking");
        }),
};
static_assert(members_of(liveness_fields) == member_count<checker::LivenessBounds>());

constexpr std::array heal_fields = {
    field<Duration, &Scenario::heal_at_ns>("at", "When every fault ends that does not stay",
                                           {.sign = DurationSign::positive})
        .requires_as_in("at = \"60s\"")
        .finishes(require_healing_within_run)
        .writes(write_healing),
};

constexpr std::array case_fields = {
    row<Scenario>("expect", KeyType::table, "What is expected of these rows").with_keys([] {
      return forms_of(expect_fields);
    }),
    row<Scenario>("title", KeyType::text, "What these rows are called"),
};

/// Each part of a file is read once what it depends on is right.
namespace phase {
constexpr int limits = 0;
constexpr int parts = 1;
constexpr int healing = 2;  ///< depends on the limits
constexpr int actors = 3;
constexpr int story = 4;  ///< names actors
}  // namespace phase

constexpr std::array file_fields = {
    row<Scenario>("title", KeyType::text, "What the story is called")
        .requires_as_in("title = \"A pause longer than the lease\"")
        .covers<&Scenario::title>()
        .reads(read_title, phase::parts)
        .writes(field<Text, &Scenario::title>("", "").write),
    row<Scenario>("base", KeyType::text, "A file that this one is laid over"),
    row<Scenario>("parameters", KeyType::settings_or_lists_by_name,
                  "Values over which the file is run: \"$name\""),
    row<Scenario>("case", KeyType::cases, "Rows of parameters with expectations of their own")
        .with_keys([] { return forms_of(case_fields); }),
    row<Scenario>("lock", KeyType::text,
                  "\"plain\", a variant \"plain/unlatched\", or a folder \"./mine\"")
        .requires_as_in("lock = \"plain\"")
        .covers<&Scenario::lock>()
        .covers_members(2)  // and its place
        .reads(read_lock, phase::parts)
        .writes(write_lock),
    field<Text, &Scenario::lock_name>("lock_name",
                                      "The name of the lock that steps mean when they name none")
        .checks(check_lock_name)
        .reads_at(phase::parts)
        .in_part_of_previous(),
    row<Scenario>("expect", KeyType::table, "What is expected of every run")
        .with_keys([] { return forms_of(expect_fields); })
        .requires_as_in(R"(expect = { holds = ["mutual-exclusion"] })")
        .compares(
            [](const Field<Scenario>& self, const Scenario& one, const Scenario& other,
               Differences& differences) {
              differences.within(self.form.key, [&] {
                compare_fields(expect_fields, one.expect, other.expect, differences);
              });
            },
            1)
        .reads(read_expectation, phase::parts)
        .finishes(finish_expectation)
        .writes(write_expectation),
    table<redis_fields>("redis", "The Redis nodes")
        .covers_members(2)  // and Scenario::latency
        .reads_at(phase::parts),
    row<Scenario>("options", KeyType::settings_by_name,
                  "Options of the lock, over those of its lock.toml")
        .covers<&Scenario::options>()
        .covers_members(2)  // and their places
        .reads(read_options, phase::parts)
        .writes(write_options),
    row<Scenario>("scripts", KeyType::texts_by_name,
                  "Scripts in place of the lock's own, beside the file")
        .compares(compare_scripts, 2)  // and their places
        .reads(read_scripts, phase::parts)
        .writes(write_scripts),
    table<resource_fields, &Scenario::resource>("resource", "The protected resource")
        .reads_at(phase::parts),
    table<clocks_fields>("clocks", "What clocks may do").reads_at(phase::parts),
    table<limits_fields>("limits", "When a run ends at the latest")
        .reads_at(phase::limits)
        .writes_at(1),
    table<liveness_fields, &Scenario::liveness>("liveness", "What waiters may be asked to bear")
        .reads_at(phase::parts),
    row<Scenario>("client", KeyType::tables, "A process that uses the lock")
        .with_keys([] { return forms_of(client_fields); })
        .requires_as_in("[[client]]")
        .compares(compare_clients, 1)
        .reads(read_clients, phase::actors)
        .writes(write_clients, 3),
    row<Scenario>("link", KeyType::tables, "The latency from one host to another")
        .with_keys([] { return forms_of(link_fields); })
        .compares(compare_links, 1)
        .reads(read_links, phase::story)
        .writes(write_links, 3),
    row<Scenario>("fault", KeyType::faults, "What goes wrong, and when")
        .covers<&Scenario::faults>()
        .covers_members(2)  // and fault_places
        .reads(read_all_faults, phase::story)
        .writes(write_faults, 3),
    row<Scenario>("faults", KeyType::text_or_texts,
                  "Kinds of fault that may strike besides, drawn in each run: \"any\", or some")
        .covers<&Scenario::open_faults>()
        .reads(read_drawn_faults, phase::actors)
        .writes(write_drawn_faults),
    row<Scenario>("budget", KeyType::settings_by_name,
                  "How many faults a run draws at most, in all and of a kind")
        .writes(write_budget, -1),
    table<heal_fields>("heal", "When the faults end").reads_at(phase::healing).writes_at(2),
};
constexpr std::size_t about_the_file = 5;  // path, text, bases, parameters, row
static_assert(members_of(file_fields) + about_the_file == member_count<Scenario>());

/// Reads the rows of a phase; a row's own mistake does not keep the others from being read.
void read_phase(int phase, const TableReader& file, const ReadContext& context, Scenario& scenario,
                ErrorCollector& mistakes) {
  for (std::size_t i = 0; i < file_fields.size();) {
    std::size_t end = i + 1;
    while (end < file_fields.size() && file_fields[end].is_in_part_of_previous) ++end;
    if (file_fields[i].read_rank == phase) {
      mistakes.note([&] {
        for (std::size_t k = i; k < end; ++k) read_field(file_fields[k], file, context, scenario);
      });
    }
    i = end;
  }
}

}  // namespace

std::vector<KeyForm> scenario_keys() { return forms_of(file_fields); }

void allow_only_scenario_keys(const TableReader& file) { allow_only_keys_of(file_fields, file); }

void read_scenario(const TableReader& file, Scenario& scenario) {
  allow_only_scenario_keys(file);
  ErrorCollector mistakes;
  const ReadContext without_actors{scenario};
  read_phase(phase::limits, file, without_actors, scenario, mistakes);
  const bool is_horizon_known = mistakes.none();
  read_phase(phase::parts, file, without_actors, scenario, mistakes);
  if (!is_horizon_known) mistakes.raise();
  read_phase(phase::healing, file, without_actors, scenario, mistakes);
  read_phase(phase::actors, file, without_actors, scenario, mistakes);
  mistakes.raise();
  const Participants participants(scenario.redis, scenario.clients);
  const ReadContext context{scenario, &participants};
  read_phase(phase::story, file, context, scenario, mistakes);
  mistakes.raise();
  finish_fields(file_fields, file, context, scenario);
}

std::vector<std::string> differences(const Scenario& one, const Scenario& other) {
  Differences differences;
  compare_fields(file_fields, one, other, differences);
  return differences.found();
}

std::string explain_table(std::string_view key, const Scenario& scenario) {
  const auto* const found = std::find_if(file_fields.begin(), file_fields.end(),
                                         [key](const auto& each) { return each.form.key == key; });
  return fmt::format("{}: {}\n", key, found->show(scenario));
}

std::string write_scenario(const Scenario& scenario, const fs::path& path) {
  TableText text;
  write_fields(file_fields, scenario, {scenario, path}, text);
  return text.keys.lines() + text.below;
}

std::string write_scenario(const Scenario& scenario) {
  return write_scenario(scenario, scenario.path);
}

}  // namespace lockstep::scenario
