// Files that are no histories, by accident or on purpose: each is refused at its place, in bounded
// memory, whatever its bytes.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <istream>
#include <random>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "checker/recorded/formats/read_history.h"
#include "tests/support/sanitized.h"

namespace lockstep::checker::recorded {
namespace {

/// "line:column: message", or how many operations there are.
std::string verdict_on(const std::string& text, const ReadOptions& options = {}) {
  std::istringstream stream(text);
  try {
    return std::to_string(read_history(stream, options).history.operations.size()) + " operations";
  } catch (const ReadError& error) {
    return std::to_string(error.place().line) + ":" + std::to_string(error.place().column) + ": " +
           error.what();
  }
}

const std::string begin_json = "{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}\n";
const std::string begin_edn = "{:process 0 :type :invoke :f :read}\n";

struct Refused {
  std::string text;
  std::string_view where_and_why;
};

void expect_refused(const std::vector<Refused>& cases) {
  for (const Refused& each : cases) EXPECT_EQ(verdict_on(each.text), each.where_and_why);
}

TEST(HostileHistory, WhatIsNoHistoryIsRefusedAtItsPlace) {
  expect_refused({
      {"", "1:1: no operation in it; expected JSON Lines, EDN, or lines of Jepsen's log"},
      {"\n  \n", "1:1: no operation in it; expected JSON Lines, EDN, or lines of Jepsen's log"},
      {std::string(3, '\0'),
       "1:1: no operation in it; expected JSON Lines, EDN, or lines of Jepsen's log"},
      {"[]", "1:3: no operation in it"},
      {"{\"format\":\"lockstep-history\",\"version\":1}", "1:42: no operation in it"},
      {"{\"format\":\"lockstep-history\",\"version\":2}", "1:40: expected version 1"},
      {"\x1F\x8B\x08\x01", "1:1: it is packed by gzip; unpack it first"},
      {"\x28\xB5\x2F\xFD\x24", "1:1: it is packed by zstd; unpack it first"},
      {"\xFD"
       "7zXZ",
       "1:1: it is packed by xz; unpack it first"},
      {"BZh91AY", "1:1: it is packed by bzip2; unpack it first"},
      {"PK\x03\x04", "1:1: it is packed by zip; unpack it first"},
      {"{\"format\":\"lockstep-trace\"}",
       "1:11: expected the format lockstep-history, not lockstep-trace"},
  });
}

TEST(HostileHistory, JsonThatEndsOrGoesWrongIsRefusedAtItsPlace) {
  expect_refused({
      {begin_json + "{\"process\":0,\"ty",
       "2:17: expected the string's closing quote (it began at column 14), not the end of the "
       "file"},
      {begin_json + "{\"process\":0,\n\"type\":1}",
       "2:14: expected a field's name in quotes, not the end of the line"},
      {begin_json + "{\"process\":0",
       "2:13: expected a comma or the event's closing brace, not the end of the file"},
      {begin_json + "{\"process\":NaN}",
       "2:12: expected a value: an object, array, string, number, true, false or null, not 'N'"},
      {begin_json + "{\"process\":nul}",
       "2:15: expected a value: an object, array, string, number, true, false or null, not '}'"},
      {begin_json + "{\"x\":[1,]}",
       "2:9: expected a value: an object, array, string, number, true, false or null, not ']'"},
      {begin_json + "{\"x\":01}", "2:7: expected a comma or the event's closing brace, not '1'"},
      {begin_json + "{\"x\":1.}", "2:8: expected a digit, not '}'"},
      {begin_json + "{} {}", "2:4: expected the end of the line, not '{'"},
      {begin_json + "[1]", "2:1: expected an object that is an event, {\"process\": …}, not '['"},
      {begin_json + "{\"process\":\"a\x01\"}",
       "2:14: expected the string's closing quote (it began at column 12), not the byte 0x01"},
      {begin_json + "{\"process\":\"a\xff\"}", "2:14: expected UTF-8, not the byte 0xff"},
      {begin_json + "{\"process\":\"a\xc0\x80\"}", "2:14: expected UTF-8, not the byte 0xc0"},
      {begin_json + "{\"note\":\"a\xed\xa0\x80\"}", "2:11: expected UTF-8, not the byte 0xed"},
      {begin_json + "{\"x\":\"\\ud800.\"}",
       "2:13: expected a pair of surrogates, as \\ud83d\\ude00, not '.'"},
      {begin_json + "{\"x\":\"\\q\"}", "2:8: expected an escape such as \\n or \\u0041, not 'q'"},
      {begin_json + std::string("{\"x\":\0}", 7),
       "2:6: expected a value: an object, array, string, number, true, false or null, not the byte "
       "0x00"},
      {begin_json + "{\"f\":1,\"f\":2}", "2:8: f is given twice"},
      {begin_json + "{\"time\":1e999}", "2:9: expected a number that 64 bits hold, not 1e999"},
      {begin_json + "{\"value\":[1e999]}", "2:11: expected a number that 64 bits hold, not 1e999"},
      {begin_json + "{\"time\":9223372036854775808}",
       "2:9: expected a number that 64 bits hold, not 9223372036854775808"},
  });
}

TEST(HostileHistory, EdnThatEndsOrGoesWrongIsRefusedAtItsPlace) {
  expect_refused({
      {"[" + begin_edn,
       "2:1: expected an event in braces or ']' (the sequence began in line 1, column 1), not the "
       "end of the file"},
      {"[" + begin_edn + ")",
       "2:1: expected an event in braces or ']' (the sequence began in line 1, column 1), not ')'"},
      {begin_edn + "{:process 0",
       "2:12: expected the event's closing brace (it began in line 2, column 1), not the end of "
       "the "
       "file"},
      {begin_edn + "{:process}", "2:10: expected a value, not '}'"},
      {begin_edn + "{:process 0 :x (1 ]}", "2:19: expected a value or ')', not ']'"},
      {begin_edn + "{:process 0 3 4}",
       "2:13: expected a field's name, such as :process, or the event's closing brace, not '3'"},
      {begin_edn + "x", "2:1: expected an event in braces, or a vector or list of them, not 'x'"},
      {begin_edn + "{:time 0x1F}",
       "2:8: expected a decimal number, not 0x1F (in quotes it is a text)"},
      {begin_edn + "{:note [16rFF]}",
       "2:9: expected a decimal number, not 16rFF (in quotes it is a text)"},
      {begin_edn + "{:value 1/2}",
       "2:9: expected a decimal number, not 1/2 (in quotes it is a text)"},
      {begin_edn + "{:value ^}", "2:10: expected a value, not '}'"},
      {begin_edn + "{:value ^:x}", "2:12: expected a value, not '}'"},
      {begin_edn + "{:time 1e400}", "2:8: expected a number that 64 bits hold, not 1e400"},
      {begin_edn + "{:value \"a\xff\"}", "2:11: expected UTF-8, not the byte 0xff"},
      {begin_edn + std::string("{:value a\0}", 11),
       "2:10: expected a field's name, such as "
       ":process, or the event's closing brace, not the byte 0x00"},
      {begin_edn + "{:process 0 :type :ok :value ##NaN}",
       "2:30: expected a value that equals itself, not NaN"},
      {begin_edn + "{:process 0 :process 1}", "2:13: process is given twice"},
      {begin_edn + "{#", "2:3: expected a tag after #, not the end of the file"},
  });
}

TEST(HostileHistory, EventsThatMakeNoHistoryAreRefusedAtTheirPlace) {
  expect_refused({
      {begin_edn + begin_edn,
       "2:11: process 0 begins an operation while its read of line 1 is under way"},
      {begin_edn + "{:process 1 :type :ok}",
       "2:11: process 1 completes an operation, and has none under way"},
      {begin_edn + "{:process 0 :type :ok :f :write}", "2:26: write completes the read of line 1"},
      {begin_edn + "{:process 0 :type :ok}", "2:1: the read says no value; expected one, or null"},
      {begin_edn + "{:process 0 :type :ok :owner 1 :value 1}",
       "2:30: the owner 1 is not that of the invocation in line 1"},
      {begin_edn + "{:process 0 :type :done}",
       "2:19: expected the type invoke, ok, fail or info, not done"},
      {begin_edn + "{:process 1}", "2:1: the event has no type; expected invoke, ok, fail or info"},
      {begin_edn + "{:type :invoke}", "2:1: the event has no process; expected a number or a name"},
      {begin_edn + "{:process 1 :type :invoke}",
       "2:1: the event has no f; expected the operation's name"},
      {"{:process 0 :type :invoke :f :txn}",
       "1:30: there is no operation txn; there are read, write, cas, append, acquire, release, "
       "renew, force-release, read-acquire, read-release, write-acquire, write-release, set-count, "
       "count-down, await, get, put, compare-and-set, lock, unlock"},
      {"{:process 0 :type :invoke :f :cas :value 4}",
       "1:42: expected a value of two: what cas expects and its new one"},
      {"{:process 0 :type :invoke :f :acquire :value :orders}",
       "1:46: expected no value of acquire, or how many in all, not :orders (a lock's name belongs "
       "into key)"},
      {"{:process 0 :type :invoke :f :acquire :lease_ms 9223372036854775807}",
       "1:49: expected lease_ms from 0 to 9223372036854"},
      {"{:process 0 :type :invoke :f :acquire :permits 1 :count 2}",
       "1:57: expected only one of permits, count, lease_ms and lease_ns"},
      {"{:process 0 :type :invoke :f :write :value 1 :time 5}{:process 0 :type :ok :value 2}",
       "1:83: the write completes with 2, another value than its invocation's in line 1; repeat "
       "that, or leave it out"},
      {"{:process 0 :type :invoke :f :read :time 5}\n{:process 0 :type :info :time 4}",
       "2:31: time goes back, from 5 to 4; events stand in the order in which they happened "
       "(--ignore-times takes the file's order for it)"},
      {"{:process 0 :type :invoke :f :read :time 5.5}",
       "1:42: expected a whole number as time, not 5.5"},
      {"{:process 0 :type :invoke :f :read :key 1}{:process 1 :type :invoke :f :read}",
       "1:43: expected a key, as the operations before have one"},
      {"{:process 0 :type :invoke :f :read}{:process 1 :type :invoke :f :read :key 1}",
       "1:76: a key, which the operations before have not"},
      {"{:process 0 :type :invoke :f :read :value [1 nil]}{:process 0 :type :ok :value [2 3]}",
       "1:80: the key 2 is not that of the invocation in line 1"},
  });
}

TEST(HostileHistory, DeepNestingIsRefused) {
  const std::string deep(100'000, '[');
  EXPECT_EQ(verdict_on("{\"x\":" + deep), "1:106: values in one another, deeper than 100");
  EXPECT_EQ(verdict_on("{:x " + deep), "1:105: values in one another, deeper than 100");
  const std::string metadata(100'000, '^');
  EXPECT_EQ(verdict_on("{:value " + metadata), "1:109: values in one another, deeper than 100");
  std::string discards;
  for (int i = 0; i < 100'000; ++i) discards += "#_";
  EXPECT_EQ(verdict_on(discards), "1:203: values in one another, deeper than 100");
}

TEST(HostileHistory, HistoriesBeyondTheMemoryGrantedAreNotRead) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) {
    text += "{:process " + std::to_string(i) + " :type :invoke :f :read}\n";
  }
  ReadOptions options;
  options.memory_bytes_max = 1U << 20U;
  EXPECT_THROW(static_cast<void>(verdict_on(text, options)), HistoryTooLarge);
  options.memory_bytes_max = 16U << 20U;
  EXPECT_EQ(verdict_on(text, options), "10000 operations");
}

/// A beginning, then one piece again and again, without an end in sight.
class EndlessLine final : public std::streambuf {
 public:
  EndlessLine(std::string begin, std::string piece, std::size_t bytes)
      : begin_(std::move(begin)), piece_(std::move(piece)), left_(bytes) {
    while (piece_.size() < 60'000) piece_ += piece_;
    setg(begin_.data(), begin_.data(), begin_.data() + begin_.size());
  }

 private:
  int_type underflow() override {
    if (left_ < piece_.size()) return traits_type::eof();
    left_ -= piece_.size();
    setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
    return traits_type::to_int_type(piece_.front());
  }

  std::string begin_;
  std::string piece_;
  std::size_t left_;
};

std::size_t memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

/// LOCKSTEP_LINE_BYTES=1000000000 makes each line a gigabyte long.
TEST(HostileHistory, ALineWithoutAnEndTakesNoMemory) {
  const char* const wanted = std::getenv("LOCKSTEP_LINE_BYTES");
  const std::size_t bytes = wanted == nullptr ? 16'000'000 : std::stoull(wanted);
  const struct {
    std::string begin;
    std::string piece;
    std::string_view message;
  } cases[] = {
      {"{\"process\":\"", "a", "a value of more than 1048576 bytes"},
      {"{\"process\":", "1", "a value of more than 1048576 bytes"},
      {"{\"process\":[", "1,", "a value of more than 1048576 bytes"},
      {"{\"note\":\"", "a", "closing quote"},
      {"{\"note\":[0", ",1", "not the end of the file"},
      {"{\"process\":", " ", "not the end of the file"},
      {"{:process \"", "é", "a value of more than 1048576 bytes"},
      {"{:process ", "a", "a value of more than 1048576 bytes"},
      {"{:note [", "[] ", "not the end of the file"},
      {"[", "#x ", "not the end of the file"},
      {";", "a", "no operation in it"},
      {"INFO ", "x :ok ", "a line of more than 4194304 bytes"},
      {"INFO 3 :invoke :read ", "[1 [2]] ", "a line of more than 4194304 bytes"},
  };
  const std::size_t before = memory_bytes();
  for (const auto& each : cases) {
    EndlessLine line(each.begin, each.piece, bytes);
    std::istream stream(&line);
    try {
      static_cast<void>(read_history(stream));
      ADD_FAILURE() << each.begin << " was read";
    } catch (const ReadError& error) {
      EXPECT_NE(std::string_view(error.what()).find(each.message), std::string_view::npos)
          << each.begin << ": " << error.what();
    }
  }
  // The sanitizer keeps what is freed for a while.
  constexpr std::size_t mebibytes = support::is_sanitized ? 64 : 20;
  EXPECT_LT(memory_bytes() - before, mebibytes << 20U);
}

TEST(HostileHistory, AVectorOnOneLineIsReadWhole) {
  std::string text = "[";
  for (int i = 0; i < 20'000; ++i) {
    const std::string number = std::to_string(i);
    text += "{:process " + number + " :type :invoke :f :write :value \"é" + number + "\"}";
    text += "{:process " + number + " :type :ok :f :write :value \"é" + number + "\"}, ";
  }
  EXPECT_EQ(verdict_on(text + "]"), "20000 operations");
  text += "{:process 0 :type :ok}]";
  EXPECT_EQ(verdict_on(text), "1:" + std::to_string(text.size() - 12) +
                                  ": process 0 completes an operation, and has none under way");
}

/// A byte changed, taken away or doubled, or the file cut: read or refused, but never more.
TEST(HostileHistory, TenThousandMutatedHistoriesAreReadOrRefused) {
  const std::string seeds[] = {
      R"({"process":0,"type":"invoke","f":"cas","value":["k",[1,-2.5e3]],"time":12,"x":{"é":"\u00e9"}})"
      "\n"
      R"({"process":"a","owner":"o","type":"invoke","f":"read","value":["k",null]})"
      "\n"
      R"({"process":0,"type":"ok","f":"cas","value":["k",[1,-2.5e3]],"time":13})"
      "\n",
      "[#op{:process 0, :type :invoke :f :acquire :value nil :time 3 :x #{\\a \"é\"}}\n"
      " {:process 0 :type :ok :f :acquire :value {:fence 3N}} ; é\n"
      " #_ x {:process 1 :type :invoke :f :release :lease_ms 5}]",
      "INFO  jepsen.util - 0\t:invoke\t:cas\t[1 2]\nINFO x: 1 :invoke :write \"é\"\n"
      "INFO  jepsen.util - 0\t:fail\t:cas\t:timed-out\n",
  };
  std::mt19937 random(20261122);
  const auto below = [&](std::size_t count) { return random() % count; };
  constexpr char letters[] = "{}[]()\"\\:;,#_^ \n\t\0\xff\xc3\x80-0189eEnN.u";
  const std::string_view bytes(letters, sizeof letters - 1);
  int read = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string text = seeds[below(3)];
    for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = below(text.size());
      const char byte = bytes[below(bytes.size())];
      switch (below(5)) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.erase(at, 1 + below(8));
          break;
        case 2:
          text.insert(at, 1, byte);
          break;
        case 3:
          text.insert(at, text.substr(below(text.size()), below(40)));
          break;
        default:
          text.resize(at);
      }
    }
    const std::string verdict = verdict_on(text);
    const bool is_read = verdict.ends_with(" operations");
    if (is_read) ++read;
    EXPECT_TRUE(is_read || verdict.find(": ") != std::string::npos) << verdict;
    EXPECT_EQ(verdict_on(text), verdict);
  }
  EXPECT_GT(read, 500);
  EXPECT_LT(read, 9'500);
}

}  // namespace
}  // namespace lockstep::checker::recorded
