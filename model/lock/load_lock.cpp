// How a package is put together: the options of every lock, then lock.toml of the base lock, then
// lock.toml, then the variant, then the scenario's overrides; each overlays those before it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "model/lock/key_pattern.h"
#include "model/lock/lock_manifest.h"
#include "model/lock/lock_package.h"
#include "model/lock/package_checks.h"
#include "scenario/options.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/suggest.h"
#include "scenario/text/text_file.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::model {
namespace {

namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;
using Choices = std::map<std::string, std::vector<std::string>>;

/// A longer chain of base locks is taken for a cycle.
constexpr int base_depth_max = 8;

/// An option that every lock has.
struct CommonOption {
  std::string_view name;
  scenario::OptionValue value;
  std::int64_t smallest = 0;              ///< of a number
  std::vector<std::string> choices = {};  ///< of a word
};

const std::vector<CommonOption>& common_options() {
  static const std::vector<CommonOption> options = {
      {"timeout_ms", std::int64_t{3000}, 1},
      {"retry_attempts", std::int64_t{3}},
      {"retry_interval_ms", std::int64_t{1500}},
      {"retry_jitter_ms", std::int64_t{0}},
      {"connection", std::string("pool"), 0, {"one", "pool"}},
      {"pool_size", std::int64_t{0}},
      {"pool_timeout_ms", std::int64_t{3000}},
      {"reconnect", std::string("resend"), 0, {"resend", "queue", "drop"}},
  };
  return options;
}

struct Draft {
  LockPackage package;
  Choices choices;
  std::optional<PlacedPath> client;
  std::map<std::string, PlacedPath> scripts;
  std::map<std::string, PlacedPath> libraries;
  ContractDeclaration contract;
  bool are_leases_named = false;  ///< [keys] leases is given, be it empty
  StatePlaces state_places;
  std::vector<scenario::SourceLocation> promise_places;
  std::map<std::string, PlacedOption> new_options;  // of the lock and its bases, as they name them
};

template <typename Map>
std::vector<std::string_view> names_of(const Map& map) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

[[noreturn]] void complain_unknown(const scenario::SourceLocation& place, std::string_view what,
                                   std::string_view word,
                                   const std::vector<std::string_view>& known) {
  throw scenario::InputError(place, "unknown " + std::string(what) + " " +
                                        scenario::in_quotes(word) +
                                        scenario::did_you_mean(word, known) + " (there are " +
                                        scenario::listed(known) + ")");
}

// -- finding the folder --

bool has_lock_file(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "lock.toml", error);
}

bool is_path(std::string_view lock) {
  return lock.starts_with("./") || lock.starts_with("../") || lock.starts_with("/");
}

struct FoundLock {
  fs::path folder;
  std::string variant;
};

std::vector<std::string> lock_folders_below(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (has_lock_file(entry.path())) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The lock's own title; empty if its file can't be read.
std::string title_of(const fs::path& folder) {
  try {
    const std::string path = (folder / "lock.toml").string();
    const std::string text = scenario::read_text_file(path);
    const scenario::TomlDocument document(path, text);
    const auto title = scenario::TableReader(document, "a lock").text("title");
    return title ? std::string(title->text) : std::string();
  } catch (const scenario::InputError&) {
    return {};
  }
}

/// "; did you mean …?" with that lock's title: its name alone may mislead.
std::string meant_lock(std::string_view name, const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) names.push_back(folder.filename().string());
  std::string_view meant =
      scenario::nearest(name, std::vector<std::string_view>(names.begin(), names.end()));
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (mentions_class(title_of(folders[i]), name)) meant = names[i];
  }
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (names[i] != meant) continue;
    return "; did you mean " + scenario::in_quotes(meant) + " (" + title_of(folders[i]) + ")?";
  }
  return {};
}

FoundLock find_by_path(const fs::path& path, const scenario::SourceLocation& place) {
  if (has_lock_file(path)) return {path, ""};
  if (has_lock_file(path.parent_path())) return {path.parent_path(), path.filename().string()};
  throw scenario::InputError(place, "there is no lock in " + scenario::in_quotes(path.string()) +
                                        ": expected a folder with a lock.toml");
}

FoundLock find_by_name(std::string_view lock, const scenario::SourceLocation& place,
                       const Folders& folders) {
  const std::size_t slash = std::min(lock.find('/'), lock.size());
  const std::string name(lock.substr(0, slash));
  const std::string variant(lock.substr(std::min(slash + 1, lock.size())));
  std::vector<fs::path> found_in;
  for (const fs::path& folder : folders) {
    if (!name.empty() && has_lock_file(folder / name)) return {folder / name, variant};
    for (const std::string& found : lock_folders_below(folder)) found_in.push_back(folder / found);
  }
  const std::string near = meant_lock(name, found_in);
  throw scenario::InputError(place, "unknown lock " + scenario::in_quotes(name) +
                                        (near.empty() ? "; 'lockstep list locks' has them" : near));
}

// -- laying one over the other --

void check_choice(const Draft& draft, const std::string& name, const scenario::OptionValue& value,
                  const scenario::SourceLocation& place) {
  const auto choices = draft.choices.find(name);
  const auto* word = std::get_if<std::string>(&value);
  if (choices == draft.choices.end() || word == nullptr) return;
  const std::vector<std::string>& allowed = choices->second;
  if (std::find(allowed.begin(), allowed.end(), *word) != allowed.end()) return;
  complain_unknown(place, "value of '" + name + "',", *word, {allowed.begin(), allowed.end()});
}

void check_common_option(const std::string& name, const scenario::OptionValue& value,
                         const scenario::SourceLocation& place) {
  const auto common = std::find_if(common_options().begin(), common_options().end(),
                                   [&](const CommonOption& each) { return each.name == name; });
  const auto* number = std::get_if<std::int64_t>(&value);
  if (common == common_options().end() || number == nullptr || *number >= common->smallest) return;
  throw scenario::InputError(place, "'" + name + "' is " + std::to_string(*number) +
                                        "; expected at least " + std::to_string(common->smallest));
}

/// The sort of connection ("one", "pool") to which alone the option applies.
std::string_view connection_meant_by(std::string_view option) {
  if (option == "pool_size" || option == "pool_timeout_ms") return "pool";
  if (option == "reconnect") return "one";
  return {};
}

/// Throws InputError if the options given apply to different sorts of connections.
template <typename Layer, typename PlaceOf>
void require_options_of_one_connection(const Draft& draft, const Layer& layer, PlaceOf place_of) {
  const std::string& connection = std::get<std::string>(draft.package.options->at("connection"));
  for (const auto& [name, value] : layer) {
    const std::string_view meant = connection_meant_by(name);
    if (meant.empty() || meant == connection) continue;
    throw scenario::InputError(
        place_of(name),
        fmt::format("'{}' says nothing where connection = \"{}\"; expected connection = "
                    "\"{}\" with it",
                    name, connection, meant));
  }
}

/// What an option may be called by whoever spells this one so: without "_ms" where its value is
/// written as a duration.
std::vector<std::string_view> spellings_of(const scenario::Options& options, std::string_view name,
                                           std::string_view spelling) {
  constexpr std::string_view ending = "_ms";
  std::vector<std::string_view> spellings = names_of(options);
  for (std::string_view& each : spellings) {
    if (name != spelling && each.ends_with(ending)) each.remove_suffix(ending.size());
  }
  return spellings;
}

/// `spelling` is the option's key in the file, which messages speak of.
void override_option(Draft& draft, const std::string& name, const scenario::OptionValue& value,
                     const scenario::SourceLocation& place, const std::string& spelling) {
  constexpr std::array<std::string_view, 3> types = {"a whole number", "a word in quotes",
                                                     "true or false"};
  const auto known = draft.package.options->find(name);
  if (known == draft.package.options->end()) {
    const auto meant = draft.package.options->find(spelling);
    if (meant != draft.package.options->end()) {
      throw scenario::InputError(place, "option '" + spelling + "' is a duration; expected " +
                                            std::string(types[meant->second.index()]));
    }
    complain_unknown(place, "option", spelling,
                     spellings_of(*draft.package.options, name, spelling));
  }
  if (known->second.index() != value.index()) {
    throw scenario::InputError(place, "option '" + spelling + "' is " +
                                          std::string(types[value.index()]) + "; expected " +
                                          std::string(types[known->second.index()]));
  }
  check_choice(draft, name, value, place);
  check_common_option(name, value, place);
  known->second = value;
}

/// A [search] table replaces the one below it as a whole.
void lay_search_over(Draft& draft, const LockManifest& file) {
  if (file.search_weights.empty() && file.search_options.empty()) return;
  SearchPlan& plan = draft.package.search_plan;
  plan = {file.search_weights, {}};
  for (const auto& options : file.search_options) {
    Draft with = draft;
    scenario::Options& values = plan.options.emplace_back();
    for (const auto& [name, option] : options) {
      override_option(with, name, option.value, option.place, option.spelling);
      values[name] = option.value;
    }
  }
}

enum class NewNames : std::uint8_t { allowed, refused };

void lay_over(LockPackage& package, const StateOverlay& overlay) {
  if (overlay.shape) {
    package.state_shape = *overlay.shape;
    package.reentry = *overlay.shape == StateShape::owner_token ? checker::Reentry::refused
                                                                : checker::Reentry::counted;
  }
  const auto lay = [](auto& value, const auto& other) {
    if (other) value = *other;
  };
  // Who keeps a count counts.
  if (overlay.count_key) package.reentry = checker::Reentry::counted;
  lay(package.reentry, overlay.reentry);
  lay(package.refusals, overlay.refusals);
  lay(package.service, overlay.service);
  lay(package.state_nodes, overlay.nodes);
  lay(package.state_owner, overlay.owner);
  lay(package.also_key, overlay.also_key);
  lay(package.readers_key, overlay.readers_key);
  lay(package.count_key, overlay.count_key);
  lay(package.permit_count, overlay.permit_count);
  lay(package.scores, overlay.scores);
  lay(package.permit_life_ms, overlay.permit_life_ms);
  lay(package.queue_key, overlay.queue_key);
  lay(package.deadlines_key, overlay.deadlines_key);
  lay(package.state_key, overlay.key);
  if (const auto place = overlay.places.find("key"); place != overlay.places.end()) {
    package.state_file = place->second.file;
    package.state_line = place->second.line;
    package.state_column = place->second.column;
  }
  lay(package.lease_keys, overlay.lease_keys);
  lay(package.persistent_keys, overlay.persistent_keys);
  lay(package.kept_channels, overlay.kept_channels);
}

/// As "5 sec": a number, and a unit that durations are not written with.
bool is_nearly_duration(std::string_view word) {
  constexpr std::array<std::string_view, 18> units = {
      "ms",    "s",      "m",   "h",    "sec",    "secs",    "second", "seconds", "msec",
      "msecs", "millis", "min", "mins", "minute", "minutes", "hour",   "hours",   "milliseconds"};
  const std::size_t unit = word.find_first_not_of("0123456789. ");
  return word.find_first_of("0123456789") == 0 && unit != std::string_view::npos &&
         std::find(units.begin(), units.end(), word.substr(unit)) != units.end();
}

/// An option that neither every lock nor a base has.
void add_option(Draft& draft, const std::string& name, const PlacedOption& option) {
  constexpr std::string_view ending = "_ms";
  const bool is_duration = name != option.spelling;
  const std::string other = is_duration ? option.spelling : name + std::string(ending);
  if (draft.package.options->contains(other)) {
    throw scenario::InputError(option.place,
                               "option '" + option.spelling + "' is " +
                                   (is_duration ? "a duration" : "no duration") +
                                   (is_duration ? "; expected a whole number or a word"
                                                : "; expected one in quotes, as \"1500ms\""));
  }
  const auto* word = std::get_if<std::string>(&option.value);
  if (word != nullptr && is_nearly_duration(*word) && !draft.choices.contains(name)) {
    throw scenario::InputError(option.place, scenario::in_quotes(*word) +
                                                 " is neither a duration, as \"1500ms\", "
                                                 "nor one of the words that [choices] has for '" +
                                                 name + "'");
  }
  draft.package.options->insert({name, option.value});
  draft.new_options.insert({name, option});
}

void lay_over(Draft& draft, const LockOverlay& overlay, NewNames new_names) {
  if (overlay.title) draft.package.title = *overlay.title;
  if (overlay.flaw) draft.package.flaw = *overlay.flaw;
  if (overlay.client) draft.client = overlay.client;
  if (overlay.promises) {
    draft.package.promises = *overlay.promises;
    draft.promise_places = overlay.promise_places;
  }
  for (const auto& [name, script] : overlay.scripts) {
    if (new_names == NewNames::refused && !draft.scripts.contains(name)) {
      complain_unknown(script.place, "script", name, names_of(draft.scripts));
    }
    draft.scripts[name] = script;
  }
  for (const auto& [name, option] : overlay.options) {
    if (new_names == NewNames::allowed && !draft.package.options->contains(name)) {
      add_option(draft, name, option);
    }
    override_option(draft, name, option.value, option.place, option.spelling);
  }
  lay_over(draft.package, overlay.state);
  draft.are_leases_named = draft.are_leases_named || overlay.state.lease_keys.has_value();
  for (const auto& [key, place] : overlay.state.places) draft.state_places[key] = place;
  require_options_of_one_connection(draft, overlay.options, [&](const std::string& name) {
    return overlay.options.at(name).place;
  });
}

void lay_over(Draft& draft, const LockManifest& file) {
  for (const auto& [name, words] : file.choices) draft.choices[name] = words;
  lay_over(draft, file.lock, NewNames::allowed);
  for (const auto& [name, place] : file.choice_places) {
    const auto option = draft.package.options->find(name);
    if (option != draft.package.options->end() &&
        std::holds_alternative<std::string>(option->second)) {
      continue;
    }
    std::vector<std::string_view> words;
    for (const auto& [known, value] : *draft.package.options) {
      if (std::holds_alternative<std::string>(value)) words.push_back(known);
    }
    throw scenario::InputError(place, "[options] has no word called " + scenario::in_quotes(name) +
                                          scenario::did_you_mean(name, words) + " (there are " +
                                          scenario::listed(words) + ")");
  }
  for (const auto& [name, library] : file.libraries) draft.libraries[name] = library;
  if (file.lock.client) draft.contract.forget_flaws_of_client();
  draft.contract.lay_over(file.contract);
  lay_search_over(draft, file);
}

const LockOverlay* find_variant(const LockManifest& file, const std::string& variant,
                                const scenario::SourceLocation& place) {
  if (variant.empty()) return nullptr;
  const auto found = file.variants.find(variant);
  if (found != file.variants.end()) return &found->second;
  complain_unknown(place, "variant of this lock,", variant, names_of(file.variants));
}

/// By its name a lock beside this one comes first: locks that are copied together stay together.
FoundLock find_base(const LockManifest& file, const Folders& folders) {
  const std::string& base = *file.base;
  if (is_path(base)) {
    return find_by_path((file.folder / base).lexically_normal(), file.base_place);
  }
  const fs::path around = (file.folder / "..").lexically_normal();
  const bool is_beside = has_lock_file(around / base.substr(0, base.find('/')));
  return find_by_name(base, file.base_place, is_beside ? Folders{around} : folders);
}

void lay_over_base(Draft& draft, const LockManifest& file, const Folders& folders, int depth) {
  if (!file.base) return;
  if (depth == base_depth_max)
    throw scenario::InputError(file.base_place, "these locks build on each other");
  const FoundLock found = find_base(file, folders);
  const LockManifest base = read_lock_manifest(found.folder);
  lay_over_base(draft, base, folders, depth + 1);
  lay_over(draft, base);
  if (const LockOverlay* variant = find_variant(base, found.variant, file.base_place)) {
    lay_over(draft, *variant, NewNames::refused);
  }
}

// -- the scenario's part, and the files --

template <typename Places>
scenario::SourceLocation place_of(const Places& places, const std::string& name,
                                  const scenario::Scenario& scenario) {
  const auto found = places.find(name);
  return found == places.end() ? scenario::SourceLocation{scenario.path} : found->second;
}

/// The option's key in the file: `places` has a duration by both of its names.
template <typename Places>
std::string spelling_of(const Places& places, const std::string& name) {
  constexpr std::string_view ending = "_ms";
  if (!name.ends_with(ending)) return name;
  const std::string without = name.substr(0, name.size() - ending.size());
  const auto own = places.find(name);
  const auto other = places.find(without);
  const bool is_one_key = own != places.end() && other != places.end() &&
                          own->second.line == other->second.line &&
                          own->second.column == other->second.column;
  return is_one_key ? without : name;
}

template <typename Places>
void lay_options_over(Draft& draft, const scenario::Options& options, const Places& places,
                      const scenario::Scenario& scenario) {
  for (const auto& [name, value] : options) {
    override_option(draft, name, value, place_of(places, name, scenario),
                    spelling_of(places, name));
  }
  require_options_of_one_connection(
      draft, options, [&](const std::string& name) { return place_of(places, name, scenario); });
}

/// Lays the options of single clients over those of all clients.
void set_options_of_clients(Draft& draft, const scenario::Scenario& scenario) {
  const scenario::Options of_all = *draft.package.options;
  for (const scenario::ClientSpec& client : scenario.clients) {
    if (client.options.empty()) continue;
    lay_options_over(draft, client.options, client.option_places, scenario);
    (*draft.package.options_of_clients)[client.name] =
        std::exchange(*draft.package.options, of_all);
  }
}

void lay_over(Draft& draft, const scenario::Scenario& scenario) {
  lay_options_over(draft, scenario.options, scenario.option_places, scenario);
  set_options_of_clients(draft, scenario);
  for (const auto& [name, path] : scenario.scripts) {
    const scenario::SourceLocation place = place_of(scenario.script_places, name, scenario);
    if (!draft.scripts.contains(name)) {
      complain_unknown(place, "script", name, names_of(draft.scripts));
    }
    draft.scripts[name] = {path, place};
  }
}

LockPackage finish(Draft draft, const LockManifest& file) {
  LockPackage& package = draft.package;
  const scenario::SourceLocation place{(file.folder / "lock.toml").string(), 1, 1};
  if (!draft.client)
    throw scenario::InputError(place, "no client model is named, as in client = \"client.lua\"");
  if (package.state_key.empty()) {
    const auto table = draft.state_places.find("[state]");
    throw scenario::InputError(table == draft.state_places.end() ? place : table->second,
                               "it is not said which key shows who holds the lock, as in [state] "
                               "key = \"{name}\", shape = \"holds-by-owner\"");
  }
  require_state_that_fits(package, draft.state_places);
  if (!draft.are_leases_named) package.lease_keys = leases_of_state(package);
  package.client_path = draft.client->path.lexically_normal().string();
  package.client_source = read_client_source(*draft.client);
  for (const auto& [name, library] : draft.libraries) {
    package.libraries.push_back(
        {name, library.path.lexically_normal().string(), read_client_source(library)});
  }
  for (const auto& [name, script] : draft.scripts) {
    package.scripts.push_back(
        {name, script.path.lexically_normal().string(), read_server_script(script)});
  }
  require_judgeable_promises(package, draft.promise_places);
  require_options_as_read(package, draft.new_options);
  require_known_words(draft.contract, package);
  package.contract = contract_of(draft.contract, package);
  return std::move(package);
}

}  // namespace

LockPackage load_lock(const scenario::Scenario& scenario, const Folders& script_folders) {
  const FoundLock found =
      is_path(scenario.lock)
          ? find_by_path((fs::path(scenario.path).parent_path() / scenario.lock).lexically_normal(),
                         scenario.lock_place)
          : find_by_name(scenario.lock, scenario.lock_place, script_folders);
  const LockManifest file = read_lock_manifest(found.folder);
  Draft draft;
  draft.package.name = found.folder.filename().string();
  draft.package.variant = found.variant;
  draft.package.folder = found.folder;
  for (const CommonOption& option : common_options()) {
    draft.package.options->emplace(option.name, option.value);
    if (!option.choices.empty()) draft.choices.emplace(option.name, option.choices);
  }
  lay_over_base(draft, file, script_folders, 0);
  lay_over(draft, file);
  for (const auto& [name, variant] :
       file.variants) {  // a wrong one is found before it is asked for
    Draft with_variant = draft;
    lay_over(with_variant, variant, NewNames::refused);
    if (variant.client) require_named_file(*variant.client);
    for (const auto& [script, path] : variant.scripts) require_named_file(path);
  }
  if (const LockOverlay* variant = find_variant(file, found.variant, scenario.lock_place)) {
    lay_over(draft, *variant, NewNames::refused);
  }
  lay_over(draft, scenario);
  return finish(std::move(draft), file);
}

bool mentions_class(std::string_view title, std::string_view word) {
  const std::size_t at = title.find(word);
  const bool is_class = word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos;
  if (!is_class || at == std::string_view::npos) return false;
  const std::size_t end = at + word.size();
  return (at == 0 || title[at - 1] == ' ') &&
         (end == title.size() || title.substr(end).find_first_of(" ,:") == 0);
}

std::vector<std::string> list_locks(const Folders& script_folders) {
  std::vector<std::string> result;
  for (const fs::path& folder : script_folders) {
    for (const std::string& name : lock_folders_below(folder)) {
      result.push_back(name);
      for (const auto& [variant, overlay] : read_lock_manifest(folder / name).variants) {
        result.push_back(fmt::format("{}/{}", name, variant));
      }
    }
  }
  return result;
}

}  // namespace lockstep::model
