// Small Lua programs (lua_corpus/*.lua) that are compared with the real server's.
//
// A file is programs parted by lines `--%%`. What stands before the first of them below a line
// `--%% before each` begins every program of the file. A program's first line may be `--! reply`:
// there ours is known to differ and must be the one given, as describe() writes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server_version.h"

namespace lockstep::redis::test {

struct CorpusProgram {
  std::string text;
  std::optional<std::string> known_reply;
};

/// The names of the files, without `.lua`.
[[nodiscard]] std::vector<std::string> corpus_files();
[[nodiscard]] std::vector<CorpusProgram> corpus_programs(const std::string& file);

/// The reply of a simulated server of this version that holds the string "x" at key `s` and nothing
/// else.
[[nodiscard]] Reply run_corpus_program(const std::string& text,
                                       ServerVersion version = default_version);

}  // namespace lockstep::redis::test
