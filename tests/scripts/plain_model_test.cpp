// The server scripts of scripts/plain against plain_model.h: any calls by any owners of two locks,
// while time goes by. After each the reply, the keys with their TTLs and what was published must be
// the same.
#include "tests/scripts/plain_model.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/scripts/script_server.h"

namespace lockstep::test::plain_model {
namespace {

enum class Call : std::uint8_t { acquire, release, renew, renew_both, force_release };
constexpr const char* call_names[] = {"acquire", "release", "renew", "renew both", "force release"};

/// One call; time goes by before it. Few different durations, so that one is often over at the very
/// millisecond at which another begins.
struct PlainCall {
  std::int64_t after_ms = 0;
  Call call = Call::acquire;
  std::string lock = "L";
  std::string owner = "a";
  std::int64_t lease_ms = 0;
  std::string latch;

  friend void showValue(const PlainCall& shown, std::ostream& out) {
    out << "after " << shown.after_ms << " ms: " << call_names[static_cast<std::size_t>(shown.call)]
        << ' ' << shown.lock << " by " << shown.owner << " lease=" << shown.lease_ms
        << " latch=" << shown.latch;
  }
};

rc::Gen<PlainCall> any_call() {
  using rc::gen::elementOf;
  using rc::gen::set;
  // Shrunk towards the beginning of each list.
  const std::vector<Call> calls = {Call::acquire, Call::acquire,      Call::release,
                                   Call::release, Call::renew,        Call::renew_both,
                                   Call::acquire, Call::force_release};
  return rc::gen::build<PlainCall>(
      set(&PlainCall::after_ms, elementOf(std::vector<std::int64_t>{0, 0, 1, 99, 100, 101, 300})),
      set(&PlainCall::call, elementOf(calls)),
      set(&PlainCall::lock, elementOf(std::vector<std::string>{"L", "L", "M"})),
      set(&PlainCall::owner, elementOf(std::vector<std::string>{"a", "a", "b", "c"})),
      set(&PlainCall::lease_ms, elementOf(std::vector<std::int64_t>{100, 200, 1000})),
      set(&PlainCall::latch, elementOf(std::vector<std::string>{"latch-1", "latch-2", "latch-3"})));
}

std::string described(const PlainModel::Reply& reply) {
  return reply ? "(integer) " + std::to_string(*reply) : "(nil)";
}

/// The scripts of one generation.
struct Generation {
  const char* acquire;
  const char* release;
  PlainRelease kind;
};

std::string on_server(ScriptServer& server, const PlainCall& call, const Generation& scripts) {
  const std::string lease_ms = std::to_string(call.lease_ms);
  switch (call.call) {
    case Call::acquire:
      return server.run(scripts.acquire, {call.lock}, {lease_ms, call.owner});
    case Call::release:
      if (scripts.kind == PlainRelease::latched) {
        return server.run(
            scripts.release, {call.lock, "channel", call.latch},
            {"free", lease_ms, call.owner, "publish", std::to_string(PlainModel::latch_ms)});
      }
      return server.run(scripts.release, {call.lock, "channel"}, {"free", lease_ms, call.owner});
    case Call::renew:
      return server.run("renew", {call.lock}, {lease_ms, call.owner});
    case Call::renew_both:
      return server.run("renew_batch", {"L", "M"}, {lease_ms, call.owner, "a"});
    case Call::force_release:
      return server.run("force_release", {call.lock, "channel"}, {"free"});
  }
  return {};
}

std::string in_model(PlainModel& model, const PlainCall& call, const Generation& scripts) {
  switch (call.call) {
    case Call::acquire:
      return described(model.acquire(call.lock, call.owner, call.lease_ms));
    case Call::release:
      return described(
          model.release(scripts.kind, call.lock, call.owner, call.lease_ms, call.latch));
    case Call::renew:
      return described(model.renew(call.lock, call.owner, call.lease_ms));
    case Call::renew_both: {
      const std::string first = described(model.renew("L", call.owner, call.lease_ms));
      return "[" + first + ", " + described(model.renew("M", "a", call.lease_ms)) + "]";
    }
    case Call::force_release:
      return described(model.force_release(call.lock));
  }
  return {};
}

void expect_same(const Generation& scripts) {
  EXPECT_TRUE(rc::check([&scripts] {
    ScriptServer server("plain", "channel");
    PlainModel model;
    for (const PlainCall& call : *rc::gen::container<std::vector<PlainCall>>(any_call())) {
      server.advance_ms(call.after_ms);
      model.advance_ms(call.after_ms);
      RC_ASSERT(on_server(server, call, scripts) == in_model(model, call, scripts));
      RC_ASSERT(server.data() == model.data());
      RC_ASSERT(server.messages() == model.messages());
    }
  }));
}

TEST(PlainModelTest, TheLatchedScriptsAreTheLockThatTheModelIs) {
  expect_same({"acquire", "release", PlainRelease::latched});
}

TEST(PlainModelTest, TheUnlatchedScriptsAreTheLockThatTheModelIs) {
  expect_same({"acquire", "release-unlatched", PlainRelease::unlatched});
}

TEST(PlainModelTest, TheOldestScriptsAreTheLockThatTheModelIs) {
  expect_same({"acquire-oldest", "release-oldest", PlainRelease::oldest});
}

}  // namespace
}  // namespace lockstep::test::plain_model
