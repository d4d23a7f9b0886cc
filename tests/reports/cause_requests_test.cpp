// The operation or the request that a cause names, or that nobody sent.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause.h"
#include "search/runs/run_record.h"
#include "sim/time.h"
#include "tests/reports/lost_lock.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using sim::Field;

/// Of a lease that ended 2 s after "lock", or another step, had taken it.
struct EndedLease : LostLock {
  explicit EndedLease(std::string_view step) {
    invoke(a1, step);
    lock_changes(n1, "a/1:1", "acquire", "a/1");
    builder.at_us(1'000'000);
  }
  std::string why_it_ended() {
    builder.at_us(2'000'000);
    lock_changes(n1, "", "expiry", "");
    return why();
  }
};

TEST(CauseRequests, OfALeaseThatNobodyWasToRenew) {
  EXPECT_TRUE(tells(EndedLease("lock").why_it_ended(),
                    "taken at 0 ms, it was never renewed, as a had sent no renew.\n"));
}

TEST(CauseRequests, OfALeaseThatItsCallerChoseSayNothing) {
  EXPECT_TRUE(
      tells(EndedLease("lock lease=2s").why_it_ended(), "taken at 0 ms, it was never renewed.\n"));
}

TEST(CauseRequests, OfALeaseNameWhatRenewedItLast) {
  EndedLease lease("lock");
  lease.execute("read_renew", "a/1");
  lease.lease_changes("lock", "a/1:1", 2 * sim::second_ns, "renewal", "a/1");
  const std::string why = lease.why_it_ended();
  EXPECT_TRUE(tells(why,
                    "nothing had renewed it since its read_renew at 1,000 ms, as a had sent no "
                    "renew.\n"))
      << why;
}

TEST(CauseRequests, NameARenewalOfReadersThatChangedNothing) {
  EndedLease lease("lock");
  lease.builder.tell(lease.n1, model_kind::command_executed, Field("label", "read_renew"),
                     Field("command", "EVALSHA"), Field("arguments", "lock"), Field("reply", "0"),
                     Field("on_behalf_of", "a/1"), Field("writes", 0));
  EXPECT_TRUE(tells(lease.why_it_ended(),
                    "a/1's read_renew, executed on n1 at 1,000 ms, changed nothing (the reply: 0)"));
}

std::string why_granted(LostLock& lost) {
  search::RunRecord example = lost.builder.example();
  checker::Verdict verdict{};
  verdict.property = checker::Property::valid_grant;
  verdict.kind = checker::VerdictKind::violated;
  verdict.evidence = {
      {"", example.judged->names.intern("a/1"), lost.builder.moment(), std::nullopt}};
  example.verdicts = {verdict};
  std::string sentences;
  for (const std::string& sentence : explain(example)) sentences += sentence + "\n";
  return sentences;
}

TEST(CauseRequests, OfAGrantForWhichNobodyWasAsked) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.builder.at_us(1'000);
  EXPECT_EQ(why_granted(lost),
            "a/1 took the lock for its own at 1 ms, but had had it at no time before; it had asked "
            "at 0 ms, but had sent no request to acquire it.\n");
}

TEST(CauseRequests, OfAGrantThatWasAskedForSayNothing) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.builder.send(lost.a, lost.n1, "acquire", lost.a1);
  lost.builder.at_us(1'000);
  EXPECT_FALSE(tells(why_granted(lost), "sent no request"));
}

TEST(CauseRequests, OfAHoldThatWasDeniedNameWhatTookIt) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.execute("read_acquire", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000).tell(lost.a1, model_kind::step_completed, Field("step", "lock"),
                                 Field("outcome", "fail"), Field("detail", ""));
  EXPECT_TRUE(tells(lost.why(checker::Property::hold_count, "a/1"),
                    "a/1's lock took the lock by its read_acquire on n1 at 0 ms"));
}

TEST(CauseRequests, OfAWaiterThatAskedAgainAndAgainNameItsOperation) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.invoke(lost.b1, "lock");
  lost.builder.tell(lost.b1, model_kind::service_invoked, Field("kind", "acquire"),
                    Field("lock", "lock"));
  lost.builder.at_us(1'000);
  lost.lock_changes(lost.n1, "", "release", "a/1");
  for (const int at_us : {2'000, 3'000, 4'000}) {
    lost.builder.at_us(at_us);
    lost.execute("set", "b/1");
  }
  lost.builder.at_us(9'000'000).tell(lost.b1, model_kind::client_logged, Field("text", "late"));
  EXPECT_TRUE(tells(lost.why(checker::Property::no_deadlock, "b/1"),
                    "but b/1 was refused each time that it asked by its acquire."));
}

TEST(CauseRequests, OfAnUntrueAnswerNameTheRequest) {
  LostLock lost;
  lost.builder.at_us(1'000);
  lost.execute("read_release", "a/1");
  search::RunRecord example = lost.builder.example();
  checker::Verdict verdict{};
  verdict.property = checker::Property::truthful_answers;
  verdict.kind = checker::VerdictKind::violated;
  verdict.summary = "a/1's release of \"lock\" answered yes, but it gave none back";
  verdict.evidence = {{"", example.judged->names.intern("a/1"), {}, lost.builder.moment()}};
  example.verdicts = {verdict};
  EXPECT_EQ(explain(example)[1],
            "It went by a/1's read_release, executed on n1 at 1 ms (the reply: 1).");
}

}  // namespace
}  // namespace lockstep::reports
