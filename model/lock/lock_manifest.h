// lock.toml as written: a lock's settings, and what each variant changes.
//
// Every value is optional and keeps its position in the file, so that load_lock.cpp can lay one
// table over another and still point at the wrong word.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/property.h"
#include "model/lock/contract_declaration.h"
#include "model/lock/lock_package.h"
#include "model/lock/placed_option.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"

namespace lockstep::model {

struct PlacedPath {
  std::filesystem::path path;
  scenario::SourceLocation place;
};

/// [state] and [keys]: what the keys mean, and which may remain.
struct StateOverlay {
  /// Of the values, by key; the table's own by its name, "[state]".
  std::map<std::string, scenario::SourceLocation, std::less<>> places;
  std::optional<std::string> key;
  std::optional<StateShape> shape;
  std::optional<StateNodes> nodes;
  std::optional<StateOwner> owner;
  std::optional<checker::Reentry> reentry;
  std::optional<checker::Refusal> refusals;
  std::optional<checker::Service> service;
  std::optional<std::string> also_key;
  std::optional<std::string> readers_key;
  std::optional<std::string> count_key;
  std::optional<std::int64_t> permit_count;
  std::optional<StateScores> scores;
  std::optional<std::int64_t> permit_life_ms;
  std::optional<std::string> queue_key;
  std::optional<std::string> deadlines_key;
  std::optional<std::vector<std::string>> lease_keys;
  std::optional<std::vector<std::string>> persistent_keys;
  std::optional<std::vector<std::string>> kept_channels;
};

/// One table of lock.toml. Values that it leaves out stay as they are.
struct LockOverlay {
  std::optional<std::string> title;
  std::optional<std::string> flaw;  ///< variants only: what is wrong with it
  std::optional<PlacedPath> client;
  std::optional<std::vector<checker::Property>> promises;
  std::vector<scenario::SourceLocation> promise_places;  ///< one for each of them
  std::map<std::string, PlacedPath> scripts;
  std::map<std::string, PlacedOption> options;
  StateOverlay state;
};

struct LockManifest {
  std::filesystem::path folder;
  std::optional<std::string> base;  ///< another lock that this one overlays
  scenario::SourceLocation base_place;
  LockOverlay lock;
  ContractDeclaration contract;  ///< of the lock and all its variants
  std::vector<SearchPlan::Weight> search_weights;
  std::vector<std::map<std::string, PlacedOption>> search_options;
  std::map<std::string, LockOverlay> variants;
  std::map<std::string, std::vector<std::string>> choices;  ///< the words an option allows
  std::map<std::string, scenario::SourceLocation> choice_places;
  std::map<std::string, PlacedPath> libraries;
};

/// Reads `folder`/lock.toml. Throws InputError. Files it names are not opened.
[[nodiscard]] LockManifest read_lock_manifest(const std::filesystem::path& folder);

/// Throws InputError where there is no such file.
void require_named_file(const PlacedPath& file);

/// The text of a client model's file, without a byte order mark: it is for Lua alone, which takes
/// one. Throws InputError where there is no such file, or it is not UTF-8.
[[nodiscard]] std::string read_client_source(const PlacedPath& file);

/// The text of a server script. Throws InputError as above, and where it begins with a byte order
/// mark: it is sent as it is, and Redis's Lua takes none.
[[nodiscard]] std::string read_server_script(const PlacedPath& file);

}  // namespace lockstep::model
