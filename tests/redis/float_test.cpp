// INCRBYFLOAT and HINCRBYFLOAT with random numbers: as on the real server, to the last digit.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "tests/redis/comparison/server_pair.h"

namespace lockstep::redis::test {
namespace {

std::string digits(std::size_t count_max) {
  const auto count = *rc::gen::inRange<std::size_t>(0, count_max + 1);
  return *rc::gen::container<std::string>(count, rc::gen::inRange<char>('0', '9' + 1));
}

/// What may be a number: a sign, digits, a point, digits, an exponent.
std::string any_number() {
  std::string text = *rc::gen::element<std::string>("", "-", "", "+");
  text += digits(25);
  if (*rc::gen::inRange(0, 3) > 0) text += "." + digits(25);
  if (*rc::gen::inRange(0, 4) == 0) text += "e" + std::to_string(*rc::gen::inRange(-30, 30));
  if (*rc::gen::inRange(0, 40) == 0)
    text += *rc::gen::element<std::string>(" ", "x", "e5000", "p3");
  return text;
}

RC_GTEST_PROP(FloatTest, SumsAreTheRealServersToTheLastDigit, ()) {
  static StreamedServer real;
  ServerPair pair(real, 1);
  try {
    for (int i = 0; i < 20; ++i) {
      if (*rc::gen::inRange(0, 5) == 0) pair.take({0, 0, {"SET", "n", any_number()}});
      pair.take({0, 0, {"INCRBYFLOAT", "n", any_number()}});
      pair.take({0, 0, {"HINCRBYFLOAT", "h", "f", any_number()}});
    }
    pair.compare_rest();
  } catch (const Difference& difference) {
    RC_FAIL(difference.what());
  }
}

}  // namespace
}  // namespace lockstep::redis::test
