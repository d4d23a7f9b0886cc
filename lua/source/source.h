// A Redis script's text, read before Lua 5.4 compiles it.
//
// Where Lua 5.4 would run it otherwise than Redis's Lua 5.1, it is rewritten (rewriter.h), refused
// or warned of, never left silently different. And the text tells what the script can't do, so that
// running it need not guard against that. Lines stay where they were.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lua/source/warning.h"

namespace lockstep::lua {

/// The text for the compiler and facts about it. Each `may` is false only if it certainly can't.
struct ScriptSource {
  std::string code;
  std::vector<ScriptWarning> warnings;
  /// Has loops or functions of its own; otherwise it ends after as many steps as it has words.
  bool may_run_long = false;
  /// Could write to the globals or the library tables, or list them.
  bool may_touch_globals = false;
  /// Could change KEYS or ARGV, or keep hold of them.
  bool may_touch_arguments = false;
  /// Calls methods, so perhaps those of strings.
  bool may_call_methods = false;
};

/// Reads a program without its `#!` line. Returns a complaint as the compiler words it if the
/// program is refused: `<chunk>:<line>: …`. A program with an unfinished string is left to the
/// compiler.
[[nodiscard]] std::variant<ScriptSource, std::string> read_script(std::string_view program,
                                                                  std::string_view chunk);

}  // namespace lockstep::lua
