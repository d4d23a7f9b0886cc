// Whatever its threads do and in whatever order: the scripts of scripts/readwrite reply, publish
// and leave behind what the specification says. A failure shrinks to the shortest list of commands.
#include "tests/scripts/readwrite_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/scripts/script_server.h"

namespace lockstep::test::readwrite_model {
namespace {

enum class Operation {
  read_acquire,
  write_acquire,
  read_release,
  write_release,
  read_renew,
  write_renew,
  force_release,
  send_again,  ///< the last release, with the same latch
  pass_time,
};
constexpr const char* operation_names[] = {"read_acquire",  "write_acquire", "read_release",
                                           "write_release", "read_renew",    "write_renew",
                                           "force_release", "send_again",    "pass_time"};

struct Command {
  Operation operation{};
  std::string owner;
  std::int64_t ms = 0;  ///< the lease, or how much time passes
};

std::ostream& operator<<(std::ostream& out, const Command& command) {
  return out << operation_names[static_cast<int>(command.operation)] << ' ' << command.owner << ' '
             << command.ms << "ms";
}

rc::Gen<Command> any_command() {
  using enum Operation;
  return rc::gen::build<Command>(
      rc::gen::set(&Command::operation, rc::gen::weightedElement<Operation>({{6, read_acquire},
                                                                             {4, write_acquire},
                                                                             {5, read_release},
                                                                             {4, write_release},
                                                                             {3, read_renew},
                                                                             {2, write_renew},
                                                                             {1, force_release},
                                                                             {2, send_again},
                                                                             {3, pass_time}})),
      rc::gen::set(&Command::owner, rc::gen::element<std::string>("a", "b", "c")),
      rc::gen::set(&Command::ms, rc::gen::element<std::int64_t>(1, 2, 499, 500, 501, 1000, 3000)));
}

/// The scripts of one generation, called as the model is.
class Scripts {
 public:
  explicit Scripts(ReadWriteModel::Generation generation)
      : is_current_(generation == ReadWriteModel::Generation::current) {}

  std::string read_acquire(const std::string& owner, std::int64_t lease_ms) {
    return server.run("read_acquire", {"L", timeouts_of(owner)},
                      {std::to_string(lease_ms), owner, owner + ":write"});
  }
  std::string write_acquire(const std::string& owner, std::int64_t lease_ms) {
    return server.run("write_acquire", {"L"}, {std::to_string(lease_ms), owner + ":write"});
  }
  std::string read_release(const std::string& owner, const std::string& latch) {
    std::vector<std::string> keys = {"L", "channel", timeouts_of(owner), "{L}"};
    if (!is_current_) return server.run("read_release-older", keys, {"free", owner});
    keys.push_back(latch);
    return server.run("read_release", keys,
                      {"free", owner, "publish", std::to_string(ReadWriteModel::latch_ms)});
  }
  std::string write_release(const std::string& owner, std::int64_t lease_ms,
                            const std::string& latch) {
    std::vector<std::string> arguments = {"free", std::to_string(lease_ms), owner + ":write"};
    if (!is_current_) return server.run("write_release-older", {"L", "channel"}, arguments);
    arguments.insert(arguments.end(), {"publish", std::to_string(ReadWriteModel::latch_ms)});
    return server.run("write_release", {"L", "channel", latch}, arguments);
  }
  std::string read_renew(const std::string& owner, std::int64_t lease_ms) {
    return server.run(is_current_ ? "read_renew" : "read_renew-everybody", {"L", "{L}"},
                      {std::to_string(lease_ms), owner});
  }
  std::string write_renew(const std::string& owner, std::int64_t lease_ms) {
    return server.run("../plain/renew", {"L"}, {std::to_string(lease_ms), owner + ":write"});
  }
  std::string force_release() {
    return server.run("../plain/force_release", {"L", "channel"}, {"free"});
  }

  ScriptServer server{"readwrite", "channel"};

 private:
  static std::string timeouts_of(const std::string& owner) {
    return "{L}:" + owner + ":rwlock_timeout";
  }

  bool is_current_;
};

/// What `lock`, the model or the scripts, replies.
template <class Lock>
std::string apply(Lock& lock, const Command& command, const std::string& latch) {
  switch (command.operation) {
    case Operation::read_acquire:
      return lock.read_acquire(command.owner, command.ms);
    case Operation::write_acquire:
      return lock.write_acquire(command.owner, command.ms);
    case Operation::read_release:
      return lock.read_release(command.owner, latch);
    case Operation::write_release:
      return lock.write_release(command.owner, command.ms, latch);
    case Operation::read_renew:
      return lock.read_renew(command.owner, command.ms);
    case Operation::write_renew:
      return lock.write_renew(command.owner, command.ms);
    case Operation::force_release:
      return lock.force_release();
    case Operation::send_again:
    case Operation::pass_time:
      break;
  }
  return "";
}

bool is_release(const Command& command) {
  return command.operation == Operation::read_release ||
         command.operation == Operation::write_release;
}

void check(ReadWriteModel::Generation generation) {
  const auto commands = *rc::gen::container<std::vector<Command>>(any_command());
  ReadWriteModel model(generation);
  Scripts scripts(generation);
  Command last_release{Operation::read_release, "a", 1};
  int requests = 0;
  for (const Command& each : commands) {
    if (each.operation == Operation::pass_time) {
      model.advance_ms(each.ms);
      scripts.server.advance_ms(each.ms);
      continue;
    }
    const Command& command = each.operation == Operation::send_again ? last_release : each;
    if (is_release(each)) {
      last_release = each;
      ++requests;
    }
    const std::string latch = "latch" + std::to_string(requests);
    RC_ASSERT(apply(scripts, command, latch) == apply(model, command, latch));
    RC_ASSERT(scripts.server.data() == model.data());
    RC_ASSERT(scripts.server.messages() == model.messages());
    RC_ASSERT(model.is_exclusive());
  }
}

RC_GTEST_PROP(ReadWriteModelTest, TheCurrentScriptsDoWhatTheSpecificationSays, ()) {
  check(ReadWriteModel::Generation::current);
}

RC_GTEST_PROP(ReadWriteModelTest, TheOlderScriptsDoWhatTheSpecificationSays, ()) {
  check(ReadWriteModel::Generation::older);
}

}  // namespace
}  // namespace lockstep::test::readwrite_model
