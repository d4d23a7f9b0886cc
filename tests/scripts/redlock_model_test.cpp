// Any sequence of operations and of time, on the scripts of scripts/redlock and on the
// specification: the same replies, and the same data after every step.
#include "tests/scripts/redlock_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/scripts/script_server.h"

namespace lockstep::test::redlock_model {
namespace {

struct Step {
  enum class Kind : std::uint8_t { take, release, extend, force_release, pass };
  Kind kind = Kind::take;
  std::string token;
  std::int64_t ms = 0;  ///< of the lease, or that pass
};

void showValue(const Step& step, std::ostream& out) {
  constexpr const char* names[] = {"take", "release", "extend", "force_release", "pass"};
  out << names[static_cast<std::size_t>(step.kind)] << ' ' << step.token << ' ' << step.ms << "ms";
}

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(
      rc::gen::set(&Step::kind,
                   rc::gen::element(Step::Kind::take, Step::Kind::release, Step::Kind::extend,
                                    Step::Kind::force_release, Step::Kind::pass)),
      rc::gen::set(&Step::token, rc::gen::element<std::string>("a", "b", "c")),
      rc::gen::set(&Step::ms, rc::gen::inRange<std::int64_t>(1, 40)));
}

std::string number(bool yes) { return yes ? "(integer) 1" : "(integer) 0"; }

/// What the step replies on the server, and what the specification says that it replies.
struct Replies {
  std::string server;
  std::string specified;
};

Replies play(const Step& step, ScriptServer& server, RedLockNode& node) {
  const std::string ms = std::to_string(step.ms);
  switch (step.kind) {
    case Step::Kind::take:
      server.command("SET L " + step.token + " NX PX " + ms);
      node.take(step.token, step.ms);
      return {};
    case Step::Kind::release:
      return {server.run("release", {"L"}, {step.token}), number(node.release(step.token))};
    case Step::Kind::extend:
      return {server.run("extend", {"L"}, {step.token, ms}),
              number(node.extend(step.token, step.ms))};
    case Step::Kind::force_release: {
      const std::string reply = server.run("force_release", {"L"}, {});
      const auto token = node.force_release();
      return {reply, token ? '"' + *token + '"' : "(nil)"};
    }
    case Step::Kind::pass:
      server.advance_ms(step.ms);
      node.pass_ms(step.ms);
      return {};
  }
  return {};
}

RC_GTEST_PROP(RedLockModel, ScriptsDoWhatTheSpecificationSays, ()) {
  const auto steps = *rc::gen::container<std::vector<Step>>(any_step());
  ScriptServer server("redlock", "channel");
  RedLockNode node;
  for (const Step& step : steps) {
    const Replies replies = play(step, server, node);
    RC_ASSERT(replies.server == replies.specified);
    RC_ASSERT(server.data() == node.data());
  }
}

}  // namespace
}  // namespace lockstep::test::redlock_model
