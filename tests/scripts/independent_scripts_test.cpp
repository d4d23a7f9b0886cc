// Scripts that were written a second time, in another style, to the same KEYS and ARGV: after any
// calls they reply, publish and leave behind what the first ones do. (What clients make of them is
// compared in tests/search/swapped_scripts_test.cpp.)
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/scripts/script_server.h"
#include "tests/support/source_folder.h"

namespace lockstep::test::independent_scripts {
namespace {

/// One call; time goes by before it. Few different durations, so that one is often over at the very
/// millisecond at which another begins.
struct AnyCall {
  std::int64_t after_ms = 0;
  bool is_release = false;
  std::string owner = "a";
  std::int64_t lease_ms = 0;
  std::int64_t wait_ms = 0;
  std::string latch;

  friend void showValue(const AnyCall& shown, std::ostream& out) {
    out << "after " << shown.after_ms << " ms: " << (shown.is_release ? "release" : "acquire")
        << " by " << shown.owner << " lease=" << shown.lease_ms << " wait=" << shown.wait_ms
        << " latch=" << shown.latch;
  }
};

rc::Gen<AnyCall> any_call() {
  using rc::gen::elementOf;
  using rc::gen::set;
  return rc::gen::build<AnyCall>(
      set(&AnyCall::after_ms, elementOf(std::vector<std::int64_t>{0, 0, 1, 99, 100, 101, 300})),
      set(&AnyCall::is_release, elementOf(std::vector<bool>{false, false, true})),
      set(&AnyCall::owner, elementOf(std::vector<std::string>{"a", "b", "c", "d"})),
      set(&AnyCall::lease_ms, elementOf(std::vector<std::int64_t>{100, 200, 1000})),
      set(&AnyCall::wait_ms, elementOf(std::vector<std::int64_t>{100, 200, 1000})),
      set(&AnyCall::latch, elementOf(std::vector<std::string>{"latch-1", "latch-2", "latch-3"})));
}

using Arguments = std::vector<std::string>;

/// The script to run, its keys and its arguments.
struct ScriptCall {
  std::string script;
  Arguments keys;
  Arguments arguments;
};

/// The lock's own scripts and the independent ones, each on a server of its own.
class Twins {
 public:
  explicit Twins(const std::string& lock)
      : lock_(lock), servers_{ScriptServer(lock, channels), ScriptServer(lock, channels)} {}

  void advance_ms(std::int64_t ms) {
    for (ScriptServer& server : servers_) server.advance_ms(ms);
    now_ms_ += ms;
  }
  [[nodiscard]] std::string now_ms() const { return std::to_string(now_ms_); }
  void command(const std::string& line) {
    for (ScriptServer& server : servers_) server.command(line);
  }
  void expect_same(const ScriptCall& call) {
    auto& [ours, theirs] = servers_;
    const std::string path =
        source_folder() + "/tests/scripts/independent/" + lock_ + "-" + call.script;
    RC_ASSERT(ours.run(call.script, call.keys, call.arguments) ==
              theirs.run(path, call.keys, call.arguments));
    RC_ASSERT(ours.data() == theirs.data());
    RC_ASSERT(ours.published() == theirs.published());
  }

 private:
  static constexpr const char* channels = "channel channel:a channel:b channel:c channel:d";
  std::string lock_;
  std::array<ScriptServer, 2> servers_;
  std::int64_t now_ms_ = 0;
};

RC_GTEST_PROP(IndependentScripts, OfThePlainLockHaveTheSameEffects, ()) {
  Twins twins("plain");
  for (const AnyCall& call : *rc::gen::container<std::vector<AnyCall>>(any_call())) {
    const std::string lease_ms = std::to_string(call.lease_ms);
    twins.advance_ms(call.after_ms);
    twins.expect_same(call.is_release ? ScriptCall{"release",
                                                   {"L", "channel", call.latch},
                                                   {"free", lease_ms, call.owner, "publish", "500"}}
                                      : ScriptCall{"acquire", {"L"}, {lease_ms, call.owner}});
  }
}

RC_GTEST_PROP(IndependentScripts, OfTheFairLockHaveTheSameEffects, ()) {
  Twins twins("fair");
  for (const AnyCall& call : *rc::gen::container<std::vector<AnyCall>>(any_call())) {
    const std::string lease_ms = std::to_string(call.lease_ms);
    const std::string wait_ms = std::to_string(call.wait_ms);
    twins.advance_ms(call.after_ms);
    twins.expect_same(
        call.is_release
            ? ScriptCall{"release",
                         {"L", "Q", "T", "channel", call.latch},
                         {"free", lease_ms, call.owner, twins.now_ms(), "publish", "500"}}
            : ScriptCall{
                  "acquire", {"L", "Q", "T"}, {lease_ms, call.owner, wait_ms, twins.now_ms()}});
  }
}

RC_GTEST_PROP(IndependentScripts, OfRedlockHaveTheSameEffects, ()) {
  Twins twins("redlock");
  for (const AnyCall& call : *rc::gen::container<std::vector<AnyCall>>(any_call())) {
    twins.advance_ms(call.after_ms);
    if (call.is_release) {
      twins.expect_same({"release", {"L"}, {call.owner}});
    } else {
      twins.command("SET L " + call.owner + " NX PX " + std::to_string(call.lease_ms));
    }
  }
}

}  // namespace
}  // namespace lockstep::test::independent_scripts
