#include "advice/lock_advice.h"

#include <algorithm>
#include <lua.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "advice/client_model_advice.h"
#include "advice/key_roles.h"
#include "advice/script_advice.h"
#include "lua/interpreter/state.h"
#include "lua/source/parser.h"
#include "model/lock/interaction_check.h"
#include "model/lock/lock_manifest.h"
#include "model/lock/lock_package.h"
#include "model/lock/source_place.h"
#include "redis/scripting/script_engine.h"
#include "scenario/options.h"
#include "scenario/scenario.h"
#include "scenario/text/located_text.h"
#include "scenario/text/text_file.h"

namespace lockstep::advice {
namespace {

namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;

/// "… user_script:3: what" → line 3, what.
scenario::InputError compile_error(const std::string& path, std::string_view source,
                                   std::string_view chunk, std::string_view error) {
  const std::size_t at = error.find(std::string(chunk) + ":");
  return model::input_error_from(path, source, chunk,
                                 at == std::string_view::npos ? error : error.substr(at));
}

/// The script without the words of its `#!` line, whose line end stays.
std::string program_of(std::string_view body) {
  if (!body.starts_with("#!")) return std::string(body);
  return std::string(body.substr(std::min(body.find('\n'), body.size())));
}

/// A tree, where the text is a script of Redis's: what only Lua 5.4 would take is in its notes.
lua::Ast read_script(const std::string& path, const std::string& body) {
  const std::string program = program_of(body);
  auto read = lua::parse_either(program);
  auto* const tree = std::get_if<lua::Ast>(&read);
  lua::State state;
  redis::ScriptEngine engine(state);
  const auto compiled = engine.compile(body);
  const auto* const error = std::get_if<std::string>(&compiled);
  if (error != nullptr && (tree == nullptr || tree->newer.empty())) {
    throw compile_error(path, body, "user_script", *error);
  }
  if (tree != nullptr) return std::move(*tree);
  const lua::SyntaxError& wrong = std::get<lua::SyntaxError>(read);
  throw scenario::InputError({path, wrong.place.line, wrong.place.column}, wrong.what);
}

lua::Ast read_client_model(const std::string& path, const std::string& source) {
  const lua::State state;
  lua_State* const lua = state.raw();
  if (luaL_loadbufferx(lua, source.data(), source.size(), "=client", "t") != LUA_OK) {
    const char* const error = lua_tostring(lua, -1);
    throw compile_error(path, source, "client", error != nullptr ? error : "it does not compile");
  }
  auto read = lua::parse_either(source);
  if (auto* const tree = std::get_if<lua::Ast>(&read)) {
    model::check_interactions(path, source);
    return std::move(*tree);
  }
  const lua::SyntaxError& wrong = std::get<lua::SyntaxError>(read);
  throw scenario::InputError({path, wrong.place.line, wrong.place.column}, wrong.what);
}

void append(std::vector<LintFinding>& findings, std::vector<LintFinding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

std::vector<LintFinding> advise_on_source(const lua::Ast& tree, const std::string& path,
                                          const std::string& name,
                                          const std::vector<ScriptKeys>& uses,
                                          const KeyRoles& roles) {
  std::vector<LintFinding> findings = advise_on_text(tree, path);
  for (const ScriptKeys& keys : uses) {
    append(findings, advise_on_script(tree, {path, name, keys}, roles));
  }
  return findings;
}

/// A client model has a client and no redis.
bool is_client_model(const lua::Ast& tree) {
  bool has_client = false;
  for (const lua::Expression& each : tree.expressions) {
    if (each.kind != lua::Expression::Kind::name || each.variable) continue;
    if (each.text == "redis" || each.text == "KEYS") return false;
    has_client = has_client || each.text == "client";
  }
  return has_client;
}

std::string as_lock_path(const fs::path& path) {
  return path.is_absolute() ? path.string() : "./" + path.string();
}

model::LockPackage load(const std::string& lock, const Folders& folders) {
  scenario::Scenario scenario;
  scenario.lock = lock;
  scenario.lock_place = {lock, 0, 0};
  return model::load_lock(scenario, folders);
}

bool has_lock_file(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "lock.toml", error);
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code error;
  return fs::equivalent(one, other, error);
}

bool names_file(const model::LockPackage& lock, const fs::path& path) {
  if (is_same_file(lock.client_path, path)) return true;
  return std::any_of(lock.scripts.begin(), lock.scripts.end(),
                     [&](const auto& script) { return is_same_file(script.path, path); });
}

/// The lock beside the file, or the first of its variants, that uses it.
std::optional<model::LockPackage> lock_around(const fs::path& path, const Folders& folders) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!has_lock_file(folder)) return std::nullopt;
  std::vector<std::string> names = {as_lock_path(folder)};
  for (const auto& [variant, overlay] : model::read_lock_manifest(folder).variants) {
    names.push_back(as_lock_path(folder / variant));
  }
  for (const std::string& name : names) {
    model::LockPackage lock = load(name, folders);
    if (names_file(lock, path)) return lock;
  }
  return std::nullopt;
}

}  // namespace

std::vector<LintFinding> advise_on_lock(const model::LockPackage& lock) {
  const KeyRoles roles(lock);
  lua::Ast client_model = read_client_model(lock.client_path, lock.client_source);
  ClientModelUse use{{lock.client_path}, {}, *lock.options};
  for (const model::LockLibrary& library : lock.libraries) {
    const auto file = static_cast<std::uint32_t>(use.paths.size());
    use.libraries[library.name] =
        client_model.append(read_client_model(library.path, library.source), file);
    use.paths.push_back(library.path);
  }
  ClientModelAdvice advice = advise_on_client_model(client_model, use, roles);
  std::vector<LintFinding> findings = std::move(advice.findings);
  for (const model::LockScript& script : lock.scripts) {
    const lua::Ast tree = read_script(script.path, script.body);
    std::vector<ScriptKeys> uses = std::move(advice.script_keys[script.name]);
    if (uses.empty()) uses.emplace_back();
    append(findings, advise_on_source(tree, script.path, script.name, uses, roles));
  }
  sort_findings(findings);
  return findings;
}

std::vector<LintFinding> advise_on_file(const fs::path& path, const Folders& script_folders) {
  if (const std::optional<model::LockPackage> lock = lock_around(path, script_folders)) {
    std::vector<LintFinding> findings = advise_on_lock(*lock);
    std::erase_if(findings,
                  [&](const LintFinding& each) { return !is_same_file(each.path, path); });
    for (LintFinding& each : findings) each.path = path.string();
    return findings;
  }
  const std::string text = scenario::read_text_file(path);
  scenario::require_utf8(path.string(), text);
  const auto read = lua::parse_either(program_of(text));
  const auto* const tree = std::get_if<lua::Ast>(&read);
  std::vector<LintFinding> findings;
  if (tree != nullptr && is_client_model(*tree)) {
    findings = advise_on_client_model(read_client_model(path.string(), text),
                                      {{path.string()}, {}, {}}, {})
                   .findings;
  } else {
    const lua::Ast script = read_script(path.string(), text);
    findings = advise_on_source(script, path.string(), path.stem().string(), {{}}, {});
  }
  sort_findings(findings);
  return findings;
}

std::vector<LintFinding> advise_on(const std::string& name, const Folders& script_folders) {
  const fs::path path(name);
  std::error_code error;
  if (path.filename() == "lock.toml" && fs::exists(path, error)) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    return advise_on_lock(load(as_lock_path(folder), script_folders));
  }
  if (has_lock_file(path)) return advise_on_lock(load(as_lock_path(path), script_folders));
  if (fs::is_directory(path, error)) {
    throw scenario::InputError({name}, "this folder has no lock.toml");
  }
  if (fs::exists(path, error)) return advise_on_file(path, script_folders);
  if (path.has_parent_path() && has_lock_file(path.parent_path())) {
    return advise_on_lock(load(as_lock_path(path), script_folders));
  }
  for (const fs::path& folder : script_folders) {
    if (has_lock_file(folder / *path.begin())) return advise_on_lock(load(name, script_folders));
  }
  throw scenario::InputError({name}, "there is no such file, folder or lock");
}

}  // namespace lockstep::advice
