// The server scripts of scripts/fair against fair_model.h: any calls by any owners, while time goes
// by. After each the reply, the keys with their TTLs and what was published must be the same.
#include "tests/scripts/fair_model.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/scripts/fair_scripts.h"

namespace lockstep::test::fair_model {
namespace {

enum class Call : std::uint8_t { acquire, try_acquire, give_up, release, renew, force_release };

/// One call; the server's time goes by before it. Few different durations, so that one is often
/// over at the very millisecond at which another begins.
struct FairCall {
  std::int64_t after_ms = 0;
  Call call = Call::acquire;
  std::string owner = "a";
  std::int64_t lease_ms = 0;
  std::int64_t wait_ms = 0;
  std::int64_t clock_error_ms = 0;  ///< of the caller's clock
  std::string latch;

  friend void showValue(const FairCall& shown, std::ostream& out) {
    constexpr const char* names[] = {"acquire", "try",   "give up",
                                     "release", "renew", "force release"};
    out << "after " << shown.after_ms << " ms: " << names[static_cast<std::size_t>(shown.call)]
        << " by " << shown.owner << " lease=" << shown.lease_ms << " wait=" << shown.wait_ms
        << " clock error=" << shown.clock_error_ms << " latch=" << shown.latch;
  }
};

rc::Gen<FairCall> any_call() {
  using rc::gen::elementOf;
  using rc::gen::set;
  // Shrunk towards the beginning of each list.
  const std::vector<Call> calls = {Call::acquire, Call::acquire,     Call::acquire,
                                   Call::release, Call::release,     Call::give_up,
                                   Call::renew,   Call::try_acquire, Call::force_release};
  const std::vector<std::string> owners = {"a", "b", "c", "d"};
  const std::vector<std::string> latches = {"latch-1", "latch-2", "latch-3"};
  return rc::gen::build<FairCall>(
      set(&FairCall::after_ms, elementOf(std::vector<std::int64_t>{0, 0, 1, 99, 100, 101, 300})),
      set(&FairCall::call, elementOf(calls)), set(&FairCall::owner, elementOf(owners)),
      set(&FairCall::lease_ms, elementOf(std::vector<std::int64_t>{100, 200, 1000})),
      set(&FairCall::wait_ms, elementOf(std::vector<std::int64_t>{100, 200, 1000})),
      set(&FairCall::clock_error_ms, elementOf(std::vector<std::int64_t>{0, 0, 0, 1, 100, -100})),
      set(&FairCall::latch, elementOf(latches)));
}

/// Both, driven side by side.
class FairPair {
 public:
  explicit FairPair(FairGeneration generation) : generation_(generation), model_(generation) {}

  void run(const FairCall& call) {
    server_.advance_ms(call.after_ms);
    model_.advance_ms(call.after_ms);
    elapsed_ms_ += call.after_ms;
    const std::string replied = ask_server(call);
    RC_ASSERT(replied == described(ask_model(call)));
    RC_ASSERT(server_.data() == model_.data());
    RC_ASSERT(server_.published() == model_.published());
  }

 private:
  [[nodiscard]] bool is_old() const { return generation_ == FairGeneration::old; }
  [[nodiscard]] std::string script(std::string name) const {
    return is_old() ? name.append("-old") : name;
  }

  std::string ask_server(const FairCall& call) {
    const std::int64_t now_ms = elapsed_ms_ + call.clock_error_ms;
    switch (call.call) {
      case Call::acquire:
        return server_.acquire(script("acquire"), call.owner, call.lease_ms, call.wait_ms, now_ms);
      case Call::try_acquire:
        return server_.try_acquire(script("try"), call.owner, call.lease_ms, now_ms, call.wait_ms);
      case Call::give_up:
        return server_.give_up("acquire_failed", call.owner, call.wait_ms);
      case Call::release:
        return is_old() ? server_.release("release-old", call.owner, call.lease_ms, now_ms)
                        : server_.release_once(call.owner, call.lease_ms, now_ms, call.latch);
      case Call::renew:
        return server_.renew(call.owner, call.lease_ms);
      case Call::force_release:
        return server_.force_release(script("force_release"), now_ms);
    }
    return {};
  }

  FairModel::Reply ask_model(const FairCall& call) {
    const std::int64_t now_ms = elapsed_ms_ + call.clock_error_ms;
    switch (call.call) {
      case Call::acquire:
        return model_.acquire(call.owner, call.lease_ms, call.wait_ms, now_ms);
      case Call::try_acquire:
        return model_.try_acquire(call.owner, call.lease_ms, call.wait_ms, now_ms);
      case Call::give_up:
        model_.give_up(call.owner, call.wait_ms);
        return std::nullopt;
      case Call::release:
        return model_.release(call.owner, call.lease_ms, now_ms, is_old() ? "" : call.latch);
      case Call::renew:
        return model_.renew(call.owner, call.lease_ms);
      case Call::force_release:
        return model_.force_release(now_ms);
    }
    return std::nullopt;
  }

  static std::string described(const FairModel::Reply& reply) {
    return reply ? "(integer) " + std::to_string(*reply) : "(nil)";
  }

  FairGeneration generation_;
  FairServer server_;
  FairModel model_;
  std::int64_t elapsed_ms_ = 0;
};

void expect_same(FairGeneration generation) {
  EXPECT_TRUE(rc::check([generation] {
    FairPair pair(generation);
    for (const FairCall& call : *rc::gen::container<std::vector<FairCall>>(any_call())) {
      pair.run(call);
    }
  }));
}

TEST(FairModelTest, TheCurrentScriptsAreTheLockThatTheModelIs) {
  expect_same(FairGeneration::current);
}

TEST(FairModelTest, TheOldScriptsAreTheLockThatTheModelIs) { expect_same(FairGeneration::old); }

}  // namespace
}  // namespace lockstep::test::fair_model
