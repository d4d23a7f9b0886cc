// The server scripts of scripts/fenced against plain_model.h and a counter: it is the same lock,
// and each grant has the next token, whatever else happens.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/scripts/plain_model.h"
#include "tests/scripts/script_server.h"

namespace lockstep::test::fenced_model {
namespace {

/// The reentrant lock, and how often it was granted.
class FencedModel : public PlainModel {
 public:
  std::string acquire(const std::string& owner, std::int64_t lease_ms) {
    const Reply left_ms = PlainModel::acquire("L", owner, lease_ms);
    if (left_ms) return "[(integer) " + std::to_string(*left_ms) + ", (integer) -1]";
    return "[(integer) -1, (integer) " + std::to_string(++tokens_) + "]";
  }
  [[nodiscard]] std::string data() const {
    std::string text = PlainModel::data();
    if (tokens_ == 0) return text;
    text.append(text.empty() ? "" : ", ").append("tokens \"");
    return text.append(std::to_string(tokens_)).append("\" -");
  }

 private:
  std::int64_t tokens_ = 0;
};

enum class Call : std::uint8_t { acquire, release, force_release };
constexpr const char* call_names[] = {"acquire", "release", "force release"};

/// One call; time goes by before it.
struct FencedCall {
  std::int64_t after_ms = 0;
  Call call = Call::acquire;
  std::string owner = "a";
  std::int64_t lease_ms = 0;

  friend void showValue(const FencedCall& shown, std::ostream& out) {
    out << "after " << shown.after_ms << " ms: " << call_names[static_cast<std::size_t>(shown.call)]
        << " by " << shown.owner << " lease=" << shown.lease_ms;
  }
};

rc::Gen<FencedCall> any_call() {
  using rc::gen::elementOf;
  using rc::gen::set;
  const std::vector<Call> calls = {Call::acquire, Call::acquire, Call::acquire,
                                   Call::release, Call::release, Call::force_release};
  return rc::gen::build<FencedCall>(
      set(&FencedCall::after_ms, elementOf(std::vector<std::int64_t>{0, 0, 1, 99, 100, 101, 300})),
      set(&FencedCall::call, elementOf(calls)),
      set(&FencedCall::owner, elementOf(std::vector<std::string>{"a", "a", "b", "c"})),
      set(&FencedCall::lease_ms, elementOf(std::vector<std::int64_t>{100, 200, 1000})));
}

std::string described(const PlainModel::Reply& reply) {
  return reply ? "(integer) " + std::to_string(*reply) : "(nil)";
}

std::string in_model(FencedModel& model, const FencedCall& call) {
  if (call.call == Call::acquire) return model.acquire(call.owner, call.lease_ms);
  if (call.call == Call::force_release) return described(model.force_release("L"));
  return described(model.release(PlainRelease::unlatched, "L", call.owner, call.lease_ms, ""));
}

std::string on_server(ScriptServer& server, const FencedCall& call) {
  const std::string lease_ms = std::to_string(call.lease_ms);
  if (call.call == Call::acquire) {
    return server.run("acquire", {"L", "tokens"}, {lease_ms, call.owner});
  }
  if (call.call == Call::force_release) {
    return server.run("../plain/force_release", {"L", "channel"}, {"free"});
  }
  return server.run("../plain/release-unlatched", {"L", "channel"}, {"free", lease_ms, call.owner});
}

RC_GTEST_PROP(FencedModelTest, TheScriptsAreTheLockThatTheModelIs, ()) {
  ScriptServer server("fenced", "channel");
  FencedModel model;
  for (const FencedCall& call : *rc::gen::container<std::vector<FencedCall>>(any_call())) {
    server.advance_ms(call.after_ms);
    model.advance_ms(call.after_ms);
    RC_ASSERT(on_server(server, call) == in_model(model, call));
    RC_ASSERT(server.data() == model.data());
    RC_ASSERT(server.messages() == model.messages());
  }
}

}  // namespace
}  // namespace lockstep::test::fenced_model
