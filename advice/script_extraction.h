// Finds the Lua in the string literals of Java, JavaScript and TypeScript files.
//
// A script is often spelt in pieces: literals joined by `+`, a template, an array joined by
// `.join('\n')`, `String.join("\n", …)`. The pieces are joined; comments between them are dropped.
// Expressions between the literals leave a <<mark>> and are reported. A text counts as Lua if it
// contains redis.call, redis.pcall, KEYS[ or ARGV[. Scripts built by statements (append, +=) are
// not joined.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/host_tokens.h"

namespace lockstep::advice {

/// A part of a script that is not a literal.
struct ScriptHole {
  lua::Place place;
  std::string expression;  ///< as it is spelt
};

struct ExtractedScript {
  std::string name;  ///< of the method, constant or property around it; usable as a file name
  lua::Place place;  ///< of its first piece
  std::string body;
  std::vector<ScriptHole> holes;
};

struct Extraction {
  std::vector<ExtractedScript> scripts;   ///< in order; names may repeat
  std::vector<HostComplaint> complaints;  ///< parts that could not be read
};

/// By how the file's name ends; none: neither language's.
[[nodiscard]] std::optional<HostLanguage> language_of_file(const std::filesystem::path& path);

[[nodiscard]] Extraction extract_scripts(std::string_view source, HostLanguage language);

/// Makes the names unique: acquire, acquire-2, … in order.
void number_names(std::vector<ExtractedScript*>& scripts);

}  // namespace lockstep::advice
