#include "app/scenarios/server_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string_view>
#include <variant>

#include "lua/interpreter/state.h"
#include "lua/source/warning.h"
#include "model/lock/lock_package.h"
#include "redis/scripting/script_engine.h"

namespace lockstep::app {
namespace {

/// Removes and returns the first line of a text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// The body without its `#!` line, but with that line's end.
std::string_view program_of(std::string_view body) {
  return body.starts_with("#!") ? body.substr(std::min(body.find('\n'), body.size())) : body;
}

void describe_rewriting(std::string_view original, std::string_view rewritten,
                        std::ostream& output) {
  for (int line = 1; !original.empty() || !rewritten.empty(); ++line) {
    const std::string_view before = take_line(original);
    const std::string_view after = take_line(rewritten);
    if (before == after) continue;
    output << fmt::format("  {:>4} - {}\n       + {}\n", line, before, after);
  }
}

void describe_script(const model::LockScript& script, redis::ScriptEngine& engine,
                     std::ostream& output) {
  const auto compiled = engine.compile(script.body);
  const auto* const id = std::get_if<redis::ScriptId>(&compiled);
  if (id == nullptr) return;  // the run reports why
  const std::string_view program = program_of(script.body);
  const std::string_view rewritten = engine.rewritten(*id);
  output << fmt::format("script {} ({}): {}\n", script.name, script.path,
                        program == rewritten ? "runs as it stands" : "rewritten for Lua 5.4");
  describe_rewriting(program, rewritten, output);
  for (const lua::ScriptWarning& warning : engine.warnings(*id)) {
    output << fmt::format("{}:{}: warning: {}: {}\n", script.path, warning.line, warning.construct,
                          warning.text);
  }
}

}  // namespace

void describe_server_scripts(const scenario::Scenario& scenario,
                             const std::vector<std::filesystem::path>& script_folders,
                             std::ostream& output) {
  lua::State state;
  redis::ScriptEngine engine(state);
  const model::LockPackage lock = model::load_lock(scenario, script_folders);
  for (const model::LockScript& script : lock.scripts) describe_script(script, engine, output);
}

}  // namespace lockstep::app
