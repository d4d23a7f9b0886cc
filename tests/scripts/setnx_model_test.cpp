// SET NX PX and the server scripts of scripts/setnx against setnx_model.h: any calls with any
// tokens, while time goes by. After each the reply and the key with its TTL must be the same.
#include "tests/scripts/setnx_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/scripts/script_server.h"

namespace lockstep::test::setnx_model {
namespace {

enum class Call : std::uint8_t { acquire, release, extend };
constexpr const char* call_names[] = {"acquire", "release", "extend"};

/// One call; time goes by before it.
struct SetnxCall {
  std::int64_t after_ms = 0;
  Call call = Call::acquire;
  std::string token = "x";
  std::int64_t lease_ms = 0;

  friend void showValue(const SetnxCall& shown, std::ostream& out) {
    out << "after " << shown.after_ms << " ms: " << call_names[static_cast<std::size_t>(shown.call)]
        << " with " << shown.token << " lease=" << shown.lease_ms;
  }
};

rc::Gen<SetnxCall> any_call() {
  using rc::gen::elementOf;
  using rc::gen::set;
  return rc::gen::build<SetnxCall>(
      set(&SetnxCall::after_ms, elementOf(std::vector<std::int64_t>{0, 0, 1, 99, 100, 101, 300})),
      set(&SetnxCall::call,
          elementOf(std::vector<Call>{Call::acquire, Call::acquire, Call::release, Call::extend})),
      set(&SetnxCall::token, elementOf(std::vector<std::string>{"x", "y", "z"})),
      set(&SetnxCall::lease_ms, elementOf(std::vector<std::int64_t>{100, 200, 1000})));
}

bool in_model(SetnxModel& model, const SetnxCall& call) {
  if (call.call == Call::acquire) return model.acquire(call.token, call.lease_ms);
  if (call.call == Call::release) return model.release(call.token);
  return model.extend(call.token, call.lease_ms);
}

bool on_server(ScriptServer& server, const SetnxCall& call) {
  const std::string lease_ms = std::to_string(call.lease_ms);
  if (call.call == Call::acquire) {
    const std::string before = server.data();
    server.command("SET L " + call.token + " NX PX " + lease_ms);
    return before.empty();
  }
  const std::string reply = call.call == Call::release
                                ? server.run("release", {"L"}, {call.token})
                                : server.run("extend", {"L"}, {call.token, lease_ms});
  RC_ASSERT(reply == "(integer) 0" || reply == "(integer) 1");
  return reply == "(integer) 1";
}

RC_GTEST_PROP(SetnxModelTest, TheScriptsAreTheLockThatTheModelIs, ()) {
  ScriptServer server("setnx", "channel");
  SetnxModel model;
  for (const SetnxCall& call : *rc::gen::container<std::vector<SetnxCall>>(any_call())) {
    server.advance_ms(call.after_ms);
    model.advance_ms(call.after_ms);
    RC_ASSERT(on_server(server, call) == in_model(model, call));
    RC_ASSERT(server.data() == model.data());
  }
}

}  // namespace
}  // namespace lockstep::test::setnx_model
