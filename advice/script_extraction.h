// Finds the Lua in the string literals of a library's source, in any of the languages of
// host/host_syntax.h, and in calls that take a script.
//
// A script is often spelt in pieces: literals that are joined, formatted, kept in constants, built
// by statements. The pieces are put together; what of them is not known leaves a <<mark>> and is
// told. A text counts as Lua if it calls redis.call or redis.pcall, or is Lua and names KEYS[ or
// ARGV[, or is Lua and is given to a call that runs scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advice/host/host_syntax.h"
#include "advice/host/host_tokens.h"
#include "lua/source/ast.h"

namespace lockstep::advice {

/// A part of a script that is not known.
struct ScriptHole {
  lua::Place place;
  std::string expression;  ///< as it is spelt
};

struct ExtractedScript {
  std::string name;        ///< Class.method, or less where there is less; usable as a file name
  std::string short_name;  ///< without the class
  lua::Place place;        ///< of its first piece, or where pieces of elsewhere are put together
  std::string body;
  std::vector<ScriptHole> holes;
  std::string fault;  ///< why it is no whole script, in the words of Lua; empty: it is one
};

/// A call that takes a script which this file does not have.
struct UnresolvedScript {
  lua::Place place;
  std::string what;       ///< what is taken, as it is spelt
  std::string file;       ///< the file that it says the script is in; empty: it says none
  bool is_given = false;  ///< by whoever calls the function around it: its parameter
};

struct Extraction {
  std::vector<ExtractedScript> scripts;  ///< in order; names may repeat
  std::vector<UnresolvedScript> unresolved;
  std::vector<HostComplaint> complaints;  ///< parts that could not be read
};

/// `is_markup`: see read_host.
[[nodiscard]] Extraction extract_scripts(std::string_view source, HostLanguage language,
                                         bool is_markup = false);

/// A .lua file as it is: one script, without a byte order mark and a `#!` line that names a
/// program.
[[nodiscard]] Extraction extract_lua(std::string_view source, std::string_view name);

/// Makes the names unique: acquire, acquire-2, … in order.
void number_names(std::vector<ExtractedScript*>& scripts);

}  // namespace lockstep::advice
