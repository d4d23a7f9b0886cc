#include "model/program/last_words.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

TEST(LastWords, AreTheLastLine) {
  EXPECT_EQ(last_words_of(""), "");
  EXPECT_EQ(last_words_of("one\ntwo"), "two");
  EXPECT_EQ(last_words_of("one\ntwo\n\n"), "two");
  EXPECT_EQ(last_words_of("  indented"), "  indented");
}

TEST(LastWords, OfPythonAreTheException) {
  EXPECT_EQ(last_words_of("Traceback (most recent call last):\n"
                          "  File \"worker.py\", line 3, in <module>\n"
                          "    1 / 0\n"
                          "    ~~^~~\n"
                          "ZeroDivisionError: division by zero"),
            "ZeroDivisionError: division by zero");
}

TEST(LastWords, OfJavaAreTheLastCause) {
  EXPECT_EQ(last_words_of("Exception in thread \"main\" java.lang.RuntimeException: outer\n"
                          "\tat X.f(X.java:1)\n"
                          "\tat X.main(X.java:1)\n"
                          "Caused by: java.lang.IllegalStateException: inner\n"
                          "\t... 2 more"),
            "Caused by: java.lang.IllegalStateException: inner");
}

TEST(LastWords, OfNodeAreTheError) {
  EXPECT_EQ(last_words_of("file:///worker.mjs:1\n"
                          "throw error;\n"
                          "      ^\n"
                          "\n"
                          "Error: no lock\n"
                          "    at file:///worker.mjs:1:11\n"
                          "    at async asyncRunEntryPoint (node:internal/run_main:117:5) {\n"
                          "  code: 'ELOCK'\n"
                          "}\n"
                          "\n"
                          "Node.js v20.20.2"),
            "Error: no lock");
}

TEST(LastWords, OfGoAreThePanic) {
  EXPECT_EQ(last_words_of("work\n"
                          "panic: assignment to entry in nil map\n"
                          "\n"
                          "goroutine 1 [running]:\n"
                          "main.main()\n"
                          "\t/worker.go:2 +0x2e"),
            "panic: assignment to entry in nil map");
}

TEST(LastWords, NameWhatLockstepRefused) {
  EXPECT_EQ(last_words_of("lockstep: child processes cannot run on virtual time\n"
                          "OSError: no"),
            "OSError: no (lockstep: child processes cannot run on virtual time)");
  EXPECT_EQ(last_words_of("lockstep: no"), "lockstep: no");
}

}  // namespace
}  // namespace lockstep::model
