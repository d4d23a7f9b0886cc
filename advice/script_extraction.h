// Finds the Lua in the string literals of Java, JavaScript and TypeScript files.
//
// A script is often spelt in pieces: literals joined by `+`, a template, an array joined by
// `.join('\n')`, `String.join("\n", …)`. The pieces are put together, comments between them fall
// away. What is no literal between them leaves a mark, <<so>>, and is told. Whether a text is Lua
// is told by what it says: redis.call, redis.pcall, KEYS[ or ARGV[. A script that is built by
// statements (append, +=) is not put together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advice/host_tokens.h"

namespace lockstep::advice {

/// A part of a script that is no literal.
struct ScriptHole {
  Place place;
  std::string expression;  ///< as it is spelt
};

struct ExtractedScript {
  std::string name;  ///< of the method, constant or property around it; fit for a file's name
  Place place;       ///< where its first piece is
  std::string body;
  std::vector<ScriptHole> holes;
};

struct Extraction {
  std::vector<ExtractedScript> scripts;   ///< in order; names may come several times
  std::vector<HostComplaint> complaints;  ///< what could not be read; the rest was
};

[[nodiscard]] Extraction extract_scripts(std::string_view source, HostLanguage language);

/// Gives each script a name of its own: acquire, acquire-2, … in order.
void number_names(std::vector<ExtractedScript*>& scripts);

}  // namespace lockstep::advice
