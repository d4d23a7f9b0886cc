#include "model/lock/lock_manifest.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/located_text.h"
#include "scenario/text/suggest.h"
#include "scenario/text/text_file.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::model {
namespace {

constexpr std::array<std::string_view, 14> lock_words = {
    "name",    "title",   "base",  "client", "promises", "libraries", "scripts",
    "options", "choices", "state", "keys",   "contract", "known",     "search"};
constexpr std::array<std::string_view, 8> variant_words = {
    "title", "flaw", "client", "promises", "scripts", "options", "state", "keys"};
constexpr std::string_view variants_word = "variants";

checker::Property property_of(const scenario::LocatedText& word) {
  if (const auto property = checker::property_from(word.text)) return *property;
  std::vector<std::string_view> names;
  for (const checker::Property property : checker::all_properties()) {
    names.push_back(checker::to_string(property));
  }
  word.complain("unknown property " + scenario::in_quotes(word.text) +
                scenario::nearest_or_listing(word.text, names, "properties"));
}

std::vector<std::string> strings_of(const std::vector<scenario::LocatedText>& texts) {
  std::vector<std::string> result;
  for (const scenario::LocatedText& text : texts) result.emplace_back(text.text);
  return result;
}

/// The meaning of the word at the same place. REQUIRES: as many meanings as words.
template <typename Meaning, std::size_t count>
Meaning meaning_of(const scenario::LocatedText& text, std::string_view what,
                   const std::array<std::string_view, count>& words,
                   const std::array<Meaning, count>& meanings) {
  const auto found = std::find(words.begin(), words.end(), text.text);
  if (found == words.end()) {
    text.complain("unknown " + std::string(what) + " " + scenario::in_quotes(text.text) +
                  scenario::did_you_mean(text.text, words) + " (there are " +
                  scenario::listed(words) + ")");
  }
  return meanings[static_cast<std::size_t>(found - words.begin())];
}

/// Refuses a placeholder that is none. A hash tag of the lock's own may be there: "{locks}:{name}".
std::string pattern_of(const scenario::LocatedText& text) {
  const std::string_view pattern = text.text;
  const bool has_name = pattern.find("{name}") != std::string_view::npos;
  constexpr std::array<std::string_view, 1> words = {"name"};
  for (std::size_t at = pattern.find_first_of("{}"); at != std::string_view::npos;
       at = pattern.find_first_of("{}", at)) {
    const std::size_t begin = pattern.find_first_not_of('{', at);
    const std::size_t end = std::min(pattern.find_first_of("{}", begin), pattern.size());
    const std::size_t braces = std::min(begin, pattern.size()) - at;
    const std::size_t behind = std::min(pattern.find_first_not_of('}', end), pattern.size());
    if (braces == 0 || behind - end != braces) {
      text.part(at).complain("a brace is open in " + scenario::in_quotes(pattern) +
                             "; expected {name}, or {{name}} for the name as a hash tag");
    }
    const std::string_view word = pattern.substr(begin, end - begin);
    const bool may_be_a_tag = has_name && at == pattern.find('{');
    const bool is_meant =
        !scenario::nearest(word, words).empty() || word == "key" || word == "lock";
    if (word != "name" && !may_be_a_tag && is_meant) {
      text.part(at).complain("unknown placeholder " +
                             scenario::in_quotes("{" + std::string(word) + "}") +
                             "; expected {name}, or {{name}} for the name as a hash tag");
    }
    at = behind;
  }
  return std::string(pattern);
}

std::vector<std::string> patterns_of(const std::vector<scenario::LocatedText>& texts) {
  std::vector<std::string> result;
  for (const scenario::LocatedText& text : texts) result.push_back(pattern_of(text));
  return result;
}

void read_state(const scenario::TableReader& above, StateOverlay& read) {
  const auto state = above.table("state");
  if (!state) return;
  read.places["[state]"] = state->place();
  for (const scenario::LocatedText& key : state->keys()) {
    read.places[std::string(key.text)] = state->value_place(key.text);
  }
  constexpr std::array<std::string_view, 15> words = {
      "key",   "shape",     "reentry", "nodes",   "owner",  "also",        "readers", "refusals",
      "queue", "deadlines", "count",   "permits", "scores", "permit_life", "serves"};
  state->allow_only(words);
  if (const auto key = state->text("key")) {
    read.key = pattern_of(*key);
    read.places["key"] = key->place;
  }
  if (const auto shape = state->text("shape")) {
    constexpr std::array<std::string_view, 6> shapes = {"holds-by-owner",     "owner-token",
                                                        "readers-and-writer", "permits",
                                                        "permits-in-use",     "count"};
    read.shape = meaning_of(*shape, "shape", shapes,
                            std::array{StateShape::holds_by_owner, StateShape::owner_token,
                                       StateShape::readers_and_writer, StateShape::permits,
                                       StateShape::permits_in_use, StateShape::count});
  }
  if (const auto reentry = state->text("reentry")) {
    constexpr std::array<std::string_view, 2> reentries = {"counted", "refused"};
    read.reentry = meaning_of(*reentry, "reentry", reentries,
                              std::array{checker::Reentry::counted, checker::Reentry::refused});
  }
  if (const auto nodes = state->text("nodes")) {
    constexpr std::array<std::string_view, 2> choices = {"one", "quorum"};
    read.nodes = meaning_of(*nodes, "choice of nodes", choices,
                            std::array{StateNodes::one, StateNodes::quorum});
  }
  if (const auto owner = state->text("owner")) {
    constexpr std::array<std::string_view, 2> owners = {"thread", "process"};
    read.owner =
        meaning_of(*owner, "owner", owners, std::array{StateOwner::thread, StateOwner::process});
  }
  if (const auto serves = state->text("serves")) {
    constexpr std::array<std::string_view, 3> services = {"anybody", "in-order", "writers-first"};
    read.service = meaning_of(*serves, "order of service", services,
                              std::array{checker::Service::anybody, checker::Service::in_order,
                                         checker::Service::writers_first});
    // Who is refused may have been refused for the sake of somebody who waits.
    read.refusals = read.service == checker::Service::anybody ? checker::Refusal::truthful
                                                              : checker::Refusal::spurious;
  }
  if (const auto refusals = state->text("refusals")) {
    constexpr std::array<std::string_view, 2> kinds = {"truthful", "spurious"};
    read.refusals = meaning_of(*refusals, "kind of refusals", kinds,
                               std::array{checker::Refusal::truthful, checker::Refusal::spurious});
  }
  if (const auto also = state->text("also")) read.also_key = pattern_of(*also);
  if (const auto readers = state->text("readers")) read.readers_key = pattern_of(*readers);
  if (const auto count = state->text("count")) read.count_key = pattern_of(*count);
  constexpr scenario::NumberRange permits_range = {1, 1'000'000};
  if (const auto permits = state->whole_number("permits", permits_range)) {
    read.permit_count = *permits;
  }
  if (const auto scores = state->text("scores")) {
    constexpr std::array<std::string_view, 3> meanings = {"order", "ends", "begins"};
    read.scores =
        meaning_of(*scores, "meaning of scores", meanings,
                   std::array{StateScores::order, StateScores::ends, StateScores::begins});
  }
  if (const auto life = state->duration("permit_life", scenario::DurationSign::positive)) {
    read.permit_life_ms = *life / sim::millisecond_ns;
  }
  if (const auto queue = state->text("queue")) read.queue_key = pattern_of(*queue);
  if (const auto deadlines = state->text("deadlines")) {
    read.deadlines_key = pattern_of(*deadlines);
  }
}

void read_keys(const scenario::TableReader& above, StateOverlay& read) {
  const auto keys = above.table("keys");
  if (!keys) return;
  constexpr std::array<std::string_view, 3> words = {"leases", "persistent", "channels"};
  keys->allow_only(words);
  if (keys->has("leases")) read.lease_keys = patterns_of(keys->texts("leases"));
  if (keys->has("channels")) read.kept_channels = patterns_of(keys->texts("channels"));
  if (keys->has("persistent")) read.persistent_keys = patterns_of(keys->texts("persistent"));
}

LockOverlay read_overlay(const scenario::TableReader& table, const std::filesystem::path& folder) {
  LockOverlay overlay;
  if (const auto title = table.text("title")) overlay.title = std::string(title->text);
  if (const auto flaw = table.text("flaw")) overlay.flaw = std::string(flaw->text);
  if (const auto client = table.text("client")) {
    overlay.client = PlacedPath{folder / client->text, client->place};
  }
  if (table.has("promises")) {
    overlay.promises.emplace();
    for (const scenario::LocatedText& word : table.texts("promises")) {
      overlay.promises->push_back(property_of(word));
      overlay.promise_places.push_back(word.place);
    }
  }
  if (const auto scripts = table.table("scripts")) {
    for (const scenario::LocatedText& key : scripts->keys()) {
      const scenario::LocatedText file = *scripts->text(key.text);
      overlay.scripts[std::string(key.text)] = {folder / file.text, file.place};
    }
  }
  if (const auto options = table.table("options")) {
    for (const scenario::LocatedText& key : options->keys()) {
      overlay.options.insert(read_option(*options, key.text));
    }
  }
  read_state(table, overlay.state);
  read_keys(table, overlay.state);
  return overlay;
}

void read_variants(const scenario::TableReader& root, LockManifest& file) {
  const auto variants = root.table(variants_word);
  if (!variants) return;
  for (const scenario::LocatedText& key : variants->keys()) {
    const scenario::TableReader variant = *variants->table(key.text);
    variant.allow_only(variant_words);
    file.variants[std::string(key.text)] = read_overlay(variant, file.folder);
  }
}

void read_search(const scenario::TableReader& root, LockManifest& file) {
  const auto search = root.table("search");
  if (!search) return;
  constexpr std::array<std::string_view, 2> words = {"weights", "options"};
  search->allow_only(words);
  if (const auto weights = search->table("weights")) {
    for (const scenario::LocatedText& key : weights->keys()) {
      constexpr scenario::NumberRange range = {0, 100};
      file.search_weights.push_back({std::string(key.text),
                                     static_cast<int>(*weights->whole_number(key.text, range)),
                                     key.place.file, key.place.line, key.place.column});
    }
  }
  for (const scenario::TableReader& table : search->tables("options")) {
    std::map<std::string, PlacedOption>& options = file.search_options.emplace_back();
    for (const scenario::LocatedText& key : table.keys()) {
      options.insert(read_option(table, key.text));
    }
  }
}

}  // namespace

std::pair<std::string, PlacedOption> read_option(const scenario::TableReader& table,
                                                 std::string_view key) {
  std::string name(key);
  const scenario::SourceLocation place = table.value_place(key);
  const toml::node& node = *table.node(key);
  if (node.is_integer())
    return {name, {*table.whole_number(key, {INT64_MIN, INT64_MAX}), place, name}};
  if (node.is_boolean()) return {name, {*table.boolean(key), place, name}};
  if (!node.is_string()) {
    throw scenario::InputError(
        place, "'" + name + "' is " + std::string(scenario::type_in_words(node)) +
                   "; expected a whole number, true or false, a duration in quotes, "
                   "or a word in quotes");
  }
  const scenario::LocatedText text = *table.text(key);
  const scenario::ParsedNumber duration = scenario::parse_duration(text.text);
  if (!duration.ok()) return {name, {std::string(text.text), place, name}};
  if (duration.value % sim::millisecond_ns != 0) {
    text.complain("a client model counts milliseconds; " + scenario::in_quotes(text.text) +
                  " is not a whole number of them");
  }
  return {name + "_ms", {duration.value / sim::millisecond_ns, place, name}};
}

LockManifest read_lock_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "lock.toml";
  const std::string text = scenario::read_text_file(path);
  scenario::require_utf8(path.string(), text);
  const scenario::TomlDocument document(path.string(), text);
  const scenario::TableReader root(document, "lock.toml");
  std::vector<std::string_view> words(lock_words.begin(), lock_words.end());
  words.push_back(variants_word);
  root.allow_only(words);

  LockManifest file;
  file.folder = folder;
  if (const auto base = root.text("base")) {
    file.base = std::string(base->text);
    file.base_place = base->place;
  } else {
    if (!root.has("title")) root.complain_missing("title", "title = \"The reentrant lock\"");
    if (!root.has("client")) root.complain_missing("client", "client = \"client.lua\"");
  }
  file.lock = read_overlay(root, folder);
  if (const auto libraries = root.table("libraries")) {
    for (const scenario::LocatedText& key : libraries->keys()) {
      const scenario::LocatedText file_name = *libraries->text(key.text);
      file.libraries[std::string(key.text)] = {folder / file_name.text, file_name.place};
    }
  }
  file.contract = read_contract(root);
  read_search(root, file);
  read_variants(root, file);
  if (const auto choices = root.table("choices")) {
    for (const scenario::LocatedText& key : choices->keys()) {
      const std::vector<scenario::LocatedText> words_of_option = choices->texts(key.text);
      if (words_of_option.empty()) {
        throw scenario::InputError(choices->value_place(key.text),
                                   scenario::in_quotes(key.text) +
                                       " is empty; expected the words that this option may be");
      }
      file.choices[std::string(key.text)] = strings_of(words_of_option);
      file.choice_places[std::string(key.text)] = key.place;
    }
  }
  return file;
}

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view compiled_mark = "\x1BLua";

std::string read_named_file(const PlacedPath& file) {
  require_named_file(file);
  std::string text = scenario::read_text_file(file.path);
  if (text.starts_with(compiled_mark)) {
    throw scenario::InputError({file.path.string(), 1, 1},
                               "this is compiled Lua; expected its source");
  }
  scenario::require_utf8(file.path.string(), text);
  return text;
}

}  // namespace

void require_named_file(const PlacedPath& file) {
  std::error_code error;
  if (std::filesystem::is_regular_file(file.path, error)) return;
  const std::string path = scenario::in_quotes(file.path.string());
  throw scenario::InputError(file.place, std::filesystem::is_directory(file.path, error)
                                             ? path + " is a folder; expected a file"
                                             : "there is no file " + path);
}

std::string read_client_source(const PlacedPath& file) {
  std::string text = read_named_file(file);
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

std::string read_server_script(const PlacedPath& file) {
  std::string text = read_named_file(file);
  if (text.starts_with(byte_order_mark)) {
    throw scenario::InputError({file.path.string(), 1, 1},
                               "it begins with a byte order mark, which Redis would refuse; "
                               "expected UTF-8 without one");
  }
  return text;
}

}  // namespace lockstep::model
