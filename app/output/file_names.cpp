#include "app/output/file_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::app {

std::string file_name_of_row(const std::string& name, const std::string& row) {
  if (row.empty()) return name;
  constexpr std::size_t row_bytes_max = 100;
  std::string plain = name + "-";
  // Without its brackets.
  for (const char byte : row.substr(1, std::min(row.size() - 2, row_bytes_max))) {
    const bool is_harmless = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                             (byte >= '0' && byte <= '9') || byte == '=' || byte == '.' ||
                             byte == '_' || byte == '-';
    if (byte != ' ') plain += is_harmless ? byte : '_';
  }
  return plain;
}

std::string UniqueNames::take(const std::string& name) {
  std::string unique = name;
  for (int number = 2; !taken_.insert(unique).second; ++number) {
    unique = fmt::format("{}-{}", name, number);
  }
  return unique;
}

}  // namespace lockstep::app
