#include "scenario/file/file_keys.h"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace lockstep::scenario {
namespace {

constexpr std::array<std::pair<std::string_view, KeyType>, 21> fault_key_types = {{
    {"at", KeyType::duration_range},
    {"when", KeyType::text},
    {"after", KeyType::duration_range},
    {"before", KeyType::duration_range},
    {"stays", KeyType::boolean},
    {"every", KeyType::duration_range},
    {"times", KeyType::setting},
    {"for", KeyType::duration_range},
    {"by", KeyType::duration_range},
    {"rate", KeyType::ppm},
    {"clock", KeyType::text},
    {"limit", KeyType::whole_number},
    {"task", KeyType::text},
    {"reply", KeyType::text},
    {"nth", KeyType::whole_number},
    {"from", KeyType::text},
    {"to", KeyType::text},
    {"behind", KeyType::text},
    {"at_most", KeyType::duration},
    {"on", KeyType::text},
    {"key", KeyType::text},
}};

}  // namespace

KeyType type_of_fault_key(std::string_view key) {
  for (const auto& [word, type] : fault_key_types) {
    if (word == key) return type;
  }
  throw std::out_of_range("no type for the key of faults '" + std::string(key) +
                          "': add it to fault_key_types in file_keys.cpp");
}

}  // namespace lockstep::scenario
