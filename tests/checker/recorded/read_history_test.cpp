// The readers of histories: what each format's events become.
#include "checker/recorded/formats/read_history.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "checker/recorded/formats/function_names.h"

namespace lockstep::checker::recorded {
namespace {

ReadResult read_text(const std::string& text, const ReadOptions& options = {}) {
  std::istringstream stream(text);
  return read_history(stream, options);
}

/// "acquire by a/1 (p 3) of k with x y 5 → ok z token 7 at 0-2 lines 1-3 times 5-9": the parts that
/// are there.
std::string told(const History& history, const Operation& operation) {
  const auto text = [&](TextId id) { return std::string(history.texts.text(id)); };
  std::string words(to_string(operation.function));
  words += " by " + text(operation.owner);
  if (operation.process != operation.owner) words += " (p " + text(operation.process) + ")";
  if (operation.key != no_text) words += " of " + text(operation.key);
  if (operation.argument != no_text) words += " with " + text(operation.argument);
  if (operation.second_argument != no_text) words += " " + text(operation.second_argument);
  if (operation.number != no_number) words += " number " + std::to_string(operation.number);
  words += operation.outcome == Outcome::ok     ? " → ok"
           : operation.outcome == Outcome::fail ? " → fail"
                                                : " → info";
  if (operation.result != no_text) words += " " + text(operation.result);
  if (operation.token != no_number) words += " token " + std::to_string(operation.token);
  words += " at " + std::to_string(operation.invoked) + "-";
  if (operation.completed != never_completed) words += std::to_string(operation.completed);
  words += " lines " + std::to_string(operation.invoked_line) + "-" +
           std::to_string(operation.completed_line);
  if (operation.invoked_ns != no_number) {
    words += " times " + std::to_string(operation.invoked_ns) + "-";
    if (operation.completed_ns != no_number) words += std::to_string(operation.completed_ns);
  }
  return words;
}

std::string told(const ReadResult& result) {
  std::string words;
  for (const Operation& operation : result.history.operations) {
    words += told(result.history, operation) + "\n";
  }
  return words;
}

TEST(ReadHistory, JsonLinesBecomeOperations) {
  const ReadResult result = read_text(
      R"({"format":"lockstep-history","version":1})"
      "\n\n"
      R"({"process":0,"type":"invoke","f":"acquire","key":"orders","owner":"a/1","lease_ms":5,"time":7})"
      "\r\n"
      R"( { "process" : "p 1" , "type":"invoke","f":"read","key":"x","note":[{"a":[1e3,null]},"\ud83d\ude00"]})"
      "\n"
      R"({"process":0,"type":"ok","token":33,"time":9})"
      "\n"
      R"({"process":0,"type":"invoke","f":"force_release","key":"orders","time":9})"
      "\n"
      R"({"process":"p 1","type":"ok","value":"\u00e9\n\"x\"","time":10})"
      "\n"
      R"({"process":0,"type":"info"})");
  EXPECT_EQ(result.format, InputFormat::json_lines);
  EXPECT_EQ(
      told(result),
      "acquire by a/1 (p 0) of orders number 5000000 → ok token 33 at 0-2 lines 3-5 times 7-9\n"
      "read by p 1 of x → ok é\n\"x\" at 1-4 lines 4-7\n"
      "force-release by 0 of orders → info at 3-5 lines 6-8 times 9-\n");
  EXPECT_EQ(result.history.events, 6U);
}

TEST(ReadHistory, EdnBecomesOperations) {
  const std::string events =
      "{:process 0, :type :invoke, :f :cas, :value [1 2], :index 0, :link \\newline}\n"
      "#jepsen.history.Op{:process 3 :type :invoke :f :get :value nil}\n"
      "{:process :nemesis :type :info :f :start :value #{##NaN (a b) {[] #inst \"2020\"}}}\n"
      "#_{:process 9 :type :invoke} ^{:line 7} ^:x {:process 3 :type :ok :f :read :value ^long "
      "+07N :time 1} ; over\n"
      "{:process 0 :type :fail :f :cas :value [1 2]}";
  const std::string expected =
      "cas by 0 with 1 2 → fail at 0-3 lines 1-5\n"
      "read by 3 → ok 7 at 1-2 lines 2-4\n";
  for (const std::string& text : {events, "[" + events + "\n]", "^:y (" + events + ")"}) {
    const ReadResult result = read_text(text);
    EXPECT_EQ(result.format, InputFormat::edn);
    EXPECT_EQ(told(result), expected);
    EXPECT_EQ(result.passed_over, 1U);
  }
}

TEST(ReadHistory, LogLinesBecomeOperationsAndOthersArePassedOver) {
  const ReadResult result = read_text(
      "INFO  jepsen.os.debian - :n1 setting up :ok\n"
      "\x01 anything \xff at all :invoke\n"
      "INFO  jepsen.util - 0\t:invoke\t:write\t4\n"
      "2020-01-01 12:00:00,123{GMT}\tINFO\t[jepsen worker 3] jepsen.util: 3   :invoke :cas [4 "
      "5]\r\n"
      "INFO  jepsen.util - :nemesis\t:info\t:start\t{:cut #\n"
      "INFO  jepsen.util - 0\t:info\t:write\t:timed-out\n"
      "INFO  jepsen.util - 3\t:ok\t:cas\t[4 5]\n"
      "INFO  jepsen.util - 5\t:invoke\t:read\tnil\n"
      "INFO  jepsen.util - 6\t:invoke\t:cas\t[1 1]\n"
      "INFO  jepsen.util - 6\t:fail\t:cas\t:timed-out\n"
      "INFO  jepsen.util - 5\t:ok\t:read\t4");
  EXPECT_EQ(result.format, InputFormat::jepsen_log);
  EXPECT_EQ(told(result),
            "write by 0 with 4 → info at 0-2 lines 3-6\n"
            "cas by 3 with 4 5 → ok at 1-3 lines 4-7\n"
            "read by 5 → ok 4 at 4-7 lines 8-11\n");
  EXPECT_EQ(result.passed_over, 1U);
  EXPECT_EQ(result.left_out, 1U);
}

TEST(ReadHistory, ValuesMayCarryTheKey) {
  const std::string text =
      "{:process 0 :type :invoke :f :cas :value [:x [1 [2 \"] \\\"\"]]]}"
      "{:process 1 :type :invoke :f :read :value [\"y z\" nil]}"
      "{:process 0 :type :info :f :cas :value [:x :timed-out]}"
      "{:process 1 :type :ok :f :read :value [\"y z\" \"a b\"]}";
  EXPECT_EQ(told(read_text(text)),
            "cas by 0 of :x with 1 [2 \"] \\\"\"] → info at 0-2 lines 1-1\n"
            "read by 1 of y z → ok a b at 1-3 lines 1-1\n");
}

TEST(ReadHistory, PairsAreValuesWhereTheyAreSaidToBe) {
  const std::string text =
      "{:process 0 :type :invoke :f :write :value [1 2]}"
      "{:process 0 :type :ok :f :write :value [1 2]}";
  ReadOptions options;
  EXPECT_EQ(told(read_text(text, options)), "write by 0 of 1 with 2 → ok at 0-1 lines 1-1\n");
  options.keyed = KeyedValues::never;
  EXPECT_EQ(told(read_text(text, options)), "write by 0 with [1 2] → ok at 0-1 lines 1-1\n");
}

TEST(ReadHistory, AThreadGoesOnUnderANewProcessWithItsOwner) {
  EXPECT_EQ(told(read_text("{:process 0 :owner \"a/1\" :type :invoke :f :acquire}"
                           "{:process 0 :type :info :f :acquire}"
                           "{:process 5 :owner \"a/1\" :type :invoke :f :release}"
                           "{:process 5 :type :ok}"
                           "{:process 0 :type :invoke :f :unlock}")),
            "acquire by a/1 (p 0) → info at 0-1 lines 1-1\n"
            "release by a/1 (p 5) → ok at 2-3 lines 1-1\n"
            "release by 0 → info at 4- lines 1-0\n");
}

TEST(ReadHistory, ANumberAtAnAcquireIsItsPermitsOrItsToken) {
  EXPECT_EQ(
      told(read_text("{:process 0 :type :invoke :f :acquire :value 2}"
                     "{:process 0 :type :ok :f :acquire :value 2}"
                     "{:process 0 :type :invoke :f :acquire :value nil}"
                     "{:process 0 :type :ok :f :acquire :value 41}"
                     "{:process 0 :type :invoke :f :acquire :value {:client \"n1\"}}"
                     "{:process 0 :type :ok :f :acquire :value {:fence 42, :client \"n1\"}}")),
      "acquire by 0 number 2 → ok at 0-1 lines 1-1\n"
      "acquire by 0 → ok token 41 at 2-3 lines 1-1\n"
      "acquire by n1 (p 0) → ok token 42 at 4-5 lines 1-1\n");
}

TEST(ReadHistory, AFailureWithAnErrorIsNoObservation) {
  const ReadResult result = read_text(R"({"process":0,"type":"invoke","f":"cas","value":[1,2]})"
                                      "\n"
                                      R"({"process":0,"type":"fail","error":"connection refused"})"
                                      "\n"
                                      R"({"process":0,"type":"invoke","f":"cas","value":[1,2]})"
                                      "\n"
                                      R"({"process":0,"type":"fail","error":null})");
  EXPECT_EQ(told(result), "cas by 0 with 1 2 → fail at 2-3 lines 3-4\n");
  EXPECT_EQ(result.left_out, 1U);
}

TEST(ReadHistory, TheFormatMayBeGiven) {
  ReadOptions options;
  options.format = InputFormat::edn;
  const std::string json = R"({"process" 0, "type" "invoke", "f" "read"})";
  EXPECT_EQ(told(read_text(json, options)), "read by 0 → info at 0- lines 1-0\n");
  options.format = InputFormat::jepsen_log;
  EXPECT_THROW(static_cast<void>(read_text(json, options)), ReadError);
}

TEST(ReadHistory, AllFunctionsReadBack) {
  for (int i = 0; i <= static_cast<int>(Function::await); ++i) {
    const auto function = static_cast<Function>(i);
    ASSERT_FALSE(to_string(function).empty()) << i;
    EXPECT_EQ(function_named(to_string(function)), function);
  }
  EXPECT_EQ(function_named("read_acquire"), Function::read_acquire);
  EXPECT_EQ(function_named("grab"), std::nullopt);
}

}  // namespace
}  // namespace lockstep::checker::recorded
