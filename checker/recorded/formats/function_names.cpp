#include "checker/recorded/formats/function_names.h"

#include <algorithm>
#include <array>

namespace lockstep::checker::recorded {
namespace {

struct FunctionName {
  std::string_view name;
  Function function;
};

/// The first name of a function is the one that we use.
constexpr std::array<FunctionName, 20> function_names = {{
    {"read", Function::read},
    {"write", Function::write},
    {"cas", Function::compare_and_set},
    {"append", Function::append},
    {"acquire", Function::acquire},
    {"release", Function::release},
    {"renew", Function::renew},
    {"force-release", Function::force_release},
    {"read-acquire", Function::read_acquire},
    {"read-release", Function::read_release},
    {"write-acquire", Function::write_acquire},
    {"write-release", Function::write_release},
    {"set-count", Function::set_count},
    {"count-down", Function::count_down},
    {"await", Function::await},
    {"get", Function::read},
    {"put", Function::write},
    {"compare-and-set", Function::compare_and_set},
    {"lock", Function::acquire},
    {"unlock", Function::release},
}};

bool is_same_name(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return a == b || (a == '-' && b == '_'); });
}

}  // namespace

std::optional<Function> function_named(std::string_view name) {
  for (const FunctionName& each : function_names) {
    if (is_same_name(each.name, name)) return each.function;
  }
  return std::nullopt;
}

std::string_view to_string(Function function) {
  for (const FunctionName& each : function_names) {
    if (each.function == function) return each.name;
  }
  return {};
}

std::string all_function_names() {
  std::string names;
  for (const FunctionName& each : function_names) {
    if (!names.empty()) names += ", ";
    names += each.name;
  }
  return names;
}

}  // namespace lockstep::checker::recorded
