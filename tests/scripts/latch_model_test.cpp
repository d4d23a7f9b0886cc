// Whatever its threads do and in whatever order: the scripts of scripts/latch reply, publish and
// leave behind what the specification says. A failure shrinks to the shortest list of commands.
#include "tests/scripts/latch_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/scripts/script_server.h"

namespace lockstep::test::latch_model {
namespace {

struct Command {
  std::int64_t count = 0;  ///< that the latch is set to; 0 counts it down
};

std::ostream& operator<<(std::ostream& out, const Command& command) {
  if (command.count == 0) return out << "count_down";
  return out << "try_set_count " << command.count;
}

rc::Gen<Command> any_command() {
  return rc::gen::build<Command>(rc::gen::set(
      &Command::count,
      rc::gen::weightedOneOf<std::int64_t>(
          {{4, rc::gen::just<std::int64_t>(0)}, {1, rc::gen::inRange<std::int64_t>(1, 5)}})));
}

RC_GTEST_PROP(LatchModelTest, TheScriptsDoWhatTheSpecificationSays, ()) {
  const auto commands = *rc::gen::container<std::vector<Command>>(any_command());
  LatchModel model;
  ScriptServer server("latch", "channel");
  for (const Command& command : commands) {
    if (command.count == 0) {
      RC_ASSERT(server.run("count_down", {"C", "channel"}, {"open"}) == model.count_down());
    } else {
      RC_ASSERT(server.run("try_set_count", {"C", "channel"},
                           {"closed", std::to_string(command.count)}) ==
                model.try_set_count(command.count));
    }
    RC_ASSERT(server.data() == model.data());
    RC_ASSERT(server.messages() == model.messages());
  }
}

}  // namespace
}  // namespace lockstep::test::latch_model
