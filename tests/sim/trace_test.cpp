#include "sim/trace.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <xxhash.h>

#include <string>
#include <vector>

#include "tests/sim/recording_sink.h"

namespace lockstep::sim {
namespace {

using testing::RecordingSink;

constexpr ActorId host{0};

std::uint64_t hash_of(TimeNs at, std::string_view kind, ActorId actor,
                      std::initializer_list<Field> fields) {
  Trace trace;
  trace.emit(at, kind, actor, fields);
  return trace.hash();
}

TEST(Trace, TheHashesAreTheseInEveryBuild) {
  Trace trace;
  EXPECT_EQ(trace.hash(), 0U);
  trace.emit(0, "start", no_actor, {});
  EXPECT_EQ(trace.hash(), 1297323812457366201U);
  trace.emit(1'000, "acquired", host, {{"token", 17}, {"key", "lock:a"}, {"below", -1}});
  EXPECT_EQ(trace.hash(), 6885156727496900333U);
  const std::string long_text(1'000, 'x');
  trace.emit(2'000, "script", ActorId{5}, {{"text", long_text}});
  EXPECT_EQ(trace.hash(), 8517344607008769568U);
}

TEST(Trace, AnyChangeChangesTheHash) {
  const std::vector<std::uint64_t> hashes = {
      hash_of(1, "kind", host, {{"name", 1}}),
      hash_of(2, "kind", host, {{"name", 1}}),
      hash_of(1, "kinds", host, {{"name", 1}}),
      hash_of(1, "kind", no_actor, {{"name", 1}}),
      hash_of(1, "kind", ActorId{1}, {{"name", 1}}),
      hash_of(1, "kind", host, {{"named", 1}}),
      hash_of(1, "kind", host, {{"name", 2}}),
      hash_of(1, "kind", host, {{"name", -1}}),
      hash_of(1, "kind", host, {{"name", 0}}),
      hash_of(1, "kind", host, {{"name", "1"}}),
      hash_of(1, "kind", host, {{"name", ""}}),
      hash_of(1, "kind", host, {}),
      hash_of(1, "kind", host, {{"name", 1}, {"name", 1}}),
      hash_of(1, "kind", host, {{"a", "bc"}}),
      hash_of(1, "kind", host, {{"ab", "c"}}),
      hash_of(1, "kind", host, {{"a", 1}, {"b", 2}}),
      hash_of(1, "kind", host, {{"b", 2}, {"a", 1}}),
  };
  for (std::size_t one = 0; one < hashes.size(); ++one) {
    for (std::size_t other = 0; other < one; ++other) {
      EXPECT_NE(hashes[one], hashes[other]) << one << " and " << other;
    }
  }
}

TEST(Trace, TheHashDependsOnTheOrderOfEvents) {
  Trace one;
  one.emit(1, "first", host, {});
  one.emit(1, "second", host, {});
  Trace other;
  other.emit(1, "second", host, {});
  other.emit(1, "first", host, {});
  EXPECT_NE(one.hash(), other.hash());
}

TEST(Trace, ASinkSeesEachEventAndChangesNoHash) {
  Trace silent;
  Trace watched;
  watched.add_actor({"n1", "redis", "shard 1"});
  RecordingSink sink(watched);
  watched.set_sink(&sink);
  EXPECT_TRUE(watched.has_sink());
  EXPECT_FALSE(silent.has_sink());
  const std::string text = "text";
  for (Trace* const trace : {&silent, &watched}) {
    trace->emit(5, "one", no_actor, {});
    trace->emit(6, "two", host, {{"number", std::uint32_t{7}}, {"text", text}, {"zero", 0}});
  }
  EXPECT_EQ(sink.lines(),
            (std::vector<std::string>{"5 - one", "6 n1 two number=7 text=text zero=0"}));
  EXPECT_EQ(silent.hash(), watched.hash());
  EXPECT_EQ(watched.event_count(), 2U);
}

TEST(Trace, SinksGetCountingNumbersAndTheRollingHash) {
  struct Sink final : TraceSink {
    void on_event(const EventView& event) override {
      sequences.push_back(event.sequence);
      hashes.push_back(event.hash);
    }
    std::vector<std::uint64_t> sequences;
    std::vector<std::uint64_t> hashes;
  } sink;
  Trace trace;
  trace.set_sink(&sink);
  std::vector<std::uint64_t> hashes;
  for (int run = 0; run < 2; ++run) {
    trace.reset();
    for (TimeNs at = 0; at < 3; ++at) {
      trace.emit(at, "kind", host, {});
      hashes.push_back(trace.hash());
    }
  }
  EXPECT_EQ(sink.sequences, (std::vector<std::uint64_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(sink.hashes, hashes);
  EXPECT_EQ(hashes[0], hashes[3]);
  EXPECT_EQ(hashes[2], hashes[5]);
}

TEST(Trace, AResetKeepsActorsAndSink) {
  Trace trace;
  RecordingSink sink(trace);
  trace.set_sink(&sink);
  const ActorId actor = trace.add_actor({"n1", "redis", "shard"});
  trace.reset();
  EXPECT_EQ(trace.actor(actor).name, "n1");
  EXPECT_TRUE(trace.has_sink());
  trace.clear_actors();
  EXPECT_TRUE(trace.actors().empty());
}

/// The chain that sim/trace.h documents, word by word.
class Chain {
 public:
  void take(std::uint64_t word) {
    hash_ ^= word;
    hash_ *= 0x9e3779b97f4a7c15U;
    hash_ ^= hash_ >> 32U;
  }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

std::uint64_t xxh3(const std::string& text) { return XXH3_64bits(text.data(), text.size()); }

std::uint64_t fnv1a(const std::string& text) {
  std::uint64_t code = 0xcbf29ce484222325U;
  for (const char each : text) code = (code ^ static_cast<std::uint8_t>(each)) * 0x100000001b3U;
  return code;
}

RC_GTEST_PROP(TraceProperty, TheHashIsTheDocumentedChain, ()) {
  Trace trace;
  Chain expected;
  const int events = *rc::gen::inRange(1, 6);
  for (int event = 0; event < events; ++event) {
    const auto at = *rc::gen::inRange<TimeNs>(0, never_ns);
    const auto actor = *rc::gen::element(ActorId{0}, ActorId{77}, no_actor);
    const auto kind = *rc::gen::arbitrary<std::string>();
    const auto number = *rc::gen::arbitrary<std::int64_t>();
    const auto text = std::string(*rc::gen::inRange<std::size_t>(0, 3) * 200, 'y') +
                      *rc::gen::arbitrary<std::string>();
    trace.emit(at, kind, actor, {{"number", number}, {"text", text}});
    expected.take(static_cast<std::uint64_t>(at));
    expected.take(2 * (std::uint64_t{1} << 32U) + static_cast<std::uint32_t>(actor));
    expected.take(xxh3(kind));
    expected.take(fnv1a("number") ^ static_cast<std::uint64_t>(number));
    expected.take(fnv1a("text") ^ xxh3(text));
    RC_ASSERT(trace.hash() == expected.hash());
  }
}

}  // namespace
}  // namespace lockstep::sim
