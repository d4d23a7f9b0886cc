#include "tests/fidelity/corpus.h"

#include <cstdio>
#include <string>
#include <variant>

#include "redis/scripting/script_engine.h"
#include "tests/fidelity/runner.h"
#include "tests/redis/comparison/lua_corpus.h"
#include "tests/redis/comparison/server_pair.h"

namespace lockstep::fidelity {
namespace {

using redis::test::CorpusProgram;

/// Its loading gives an error or warns.
bool is_reported_at_load(const std::string& text) {
  redis::ScriptEngine& engine = redis::test::shared_script_engine();
  const auto compiled = engine.compile(text);
  const auto* const script = std::get_if<redis::ScriptId>(&compiled);
  return script == nullptr || !engine.warnings(*script).empty();
}

void compare(const CorpusProgram& program, redis::test::StreamedServer& real, bool is_brief,
             CorpusCounts& counts) {
  real.connection.command({"SCRIPT", "FLUSH"});  // on 6.0 they may have changed the libraries
  real.connection.command({"FLUSHALL"});
  real.connection.command({"SET", "s", "x"});
  const std::string expected = describe(real.connection.command({"EVAL", program.text, "0"}));
  const std::string simulated =
      describe(redis::test::run_corpus_program(program.text, real.version));
  ++counts.programs;
  if (simulated == expected) {
    ++counts.equal;
  } else if (is_reported_at_load(program.text)) {
    ++counts.reported;
  } else if (program.known_reply == simulated) {
    ++counts.known;
  } else {
    ++counts.differences;
    if (is_brief) {
      std::printf("difference\tlua-corpus\t%s\t%s\t%s\n", one_line(program.text).c_str(),
                  one_line(expected).c_str(), one_line(simulated).c_str());
      return;
    }
    std::printf("\nDIFFERENCE in the Lua corpus\n%s\n  real:      %s\n  simulated: %s\n",
                program.text.c_str(), expected.c_str(), simulated.c_str());
  }
}

}  // namespace

CorpusCounts compare_corpus(const confirm::RealProgram& server, bool is_brief) {
  redis::test::StreamedServer real(server);
  CorpusCounts counts;
  for (const std::string& file : redis::test::corpus_files()) {
    for (const CorpusProgram& program : redis::test::corpus_programs(file)) {
      compare(program, real, is_brief, counts);
    }
  }
  return counts;
}

}  // namespace lockstep::fidelity
