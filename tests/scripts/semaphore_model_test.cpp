// Whatever its threads do and in whatever order: the scripts of scripts/semaphore reply, publish
// and leave behind what the specification says. A failure shrinks to the shortest list of commands.
#include "tests/scripts/semaphore_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/scripts/script_server.h"

namespace lockstep::test::semaphore_model {
namespace {

enum class Operation { acquire, release, try_set_permits };
constexpr const char* operation_names[] = {"acquire", "release", "try_set_permits"};

struct Command {
  Operation operation{};
  std::int64_t permits = 0;
};

std::ostream& operator<<(std::ostream& out, const Command& command) {
  return out << operation_names[static_cast<int>(command.operation)] << ' ' << command.permits;
}

rc::Gen<Command> any_command() {
  using enum Operation;
  return rc::gen::build<Command>(
      rc::gen::set(&Command::operation, rc::gen::weightedElement<Operation>(
                                            {{6, acquire}, {4, release}, {1, try_set_permits}})),
      rc::gen::set(&Command::permits, rc::gen::inRange<std::int64_t>(1, 13)));
}

std::string in_model(SemaphoreModel& model, const Command& command) {
  if (command.operation == Operation::acquire) return model.acquire(command.permits);
  if (command.operation == Operation::release) return model.release(command.permits);
  return model.try_set_permits(command.permits);
}

std::string on_server(ScriptServer& server, const Command& command) {
  const char* script = operation_names[static_cast<int>(command.operation)];
  const std::string permits = std::to_string(command.permits);
  if (command.operation == Operation::acquire) return server.run(script, {"S"}, {permits});
  return server.run(script, {"S", "channel"}, {permits});
}

RC_GTEST_PROP(SemaphoreModelTest, TheScriptsDoWhatTheSpecificationSays, ()) {
  const auto commands = *rc::gen::container<std::vector<Command>>(any_command());
  SemaphoreModel model;
  ScriptServer server("semaphore", "channel");
  for (const Command& command : commands) {
    RC_ASSERT(on_server(server, command) == in_model(model, command));
    RC_ASSERT(server.data() == model.data());
    RC_ASSERT(server.messages() == model.messages());
  }
}

}  // namespace
}  // namespace lockstep::test::semaphore_model
