#include "tests/lua/generated_program.h"

#include <vector>

namespace lockstep::lua::test {
namespace {

std::string one_of(const std::vector<std::string>& list) { return *rc::gen::elementOf(list); }

/// Nests no deeper than `depth`.
class Generator {
 public:
  static std::string block(int depth) {
    std::string text;
    const int count = *rc::gen::inRange(0, 4);
    for (int i = 0; i < count; ++i) text += statement(depth) + one_of({" ", "\n", "; "});
    return text;
  }

  static std::string expression(int depth) {
    if (depth <= 0) {
      return one_of({"1", "0", "2.5", "nil", "true", "'s'", "[[a\nb]]", "a", "b", "KEYS[1]", "t.x",
                     "tostring(a)", "'\\65'", "'__len'"});
    }
    const std::string left = expression(depth - 1);
    switch (*rc::gen::inRange(0, 9)) {
      case 0:
        return left + one_of({" .. ", "\n.. "}) + expression(depth - 1);
      case 1:
        return left + one_of({" + ", " - ", " * ", " % ", " ^ "}) + expression(depth - 1);
      case 2:
        return left + one_of({" == ", " < ", " and ", " or "}) + expression(depth - 1);
      case 3:
        return one_of({"- ", "#", "not "}) + left;
      case 4:
        return "{" + left + ", x = " + left + "; [ " + left + " ] = 1}";
      case 5:
        return "redis.call('set', " + left + ", 5)";
      case 6:
        return "(" + left + ")" + one_of({"", "[1]", ".x", ":m()", "{}"});
      case 7:
        return "function(a, b) " + block(depth - 1) + " end";
      default:
        return "t[ " + left + " ]";
    }
  }

 private:
  static std::string statement(int depth) {
    const std::string value = expression(depth);
    const std::string inner = depth > 0 ? block(depth - 1) : "";
    switch (*rc::gen::inRange(0, 9)) {
      case 0:
        return "local " + one_of({"a", "b", "t"}) + " = " + value;
      case 1:
        return one_of({"a", "t.x", "t[1], b"}) + " = " + value;
      case 2:
        return "if " + value + " then " + inner + " elseif a then else " + inner + " end";
      case 3:
        return "for i = 1, 2, " + value + " do " + inner + " end";
      case 4:
        return "for _, b in pairs(" + value + ") do " + inner + " break end";
      case 5:
        return "repeat local a = 'x' " + inner + " until " + value;
      case 6:
        return one_of({"function f", "function t.a:b", "local function g"}) + "(a, ...) " + inner +
               " return ... end";
      case 7:
        return "while " + value + " do " + inner + " end";
      default:
        return "do f(" + value + ") " + inner + " end";
    }
  }
};

}  // namespace

rc::Gen<std::string> generated_program() {
  return rc::gen::exec([] { return Generator::block(3) + "return " + Generator::expression(2); });
}

}  // namespace lockstep::lua::test
