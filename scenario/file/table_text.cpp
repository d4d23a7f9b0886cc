#include "scenario/file/table_text.h"

#include <fmt/format.h>

namespace lockstep::scenario {

TableText TableText::below_key(std::string_view key) const {
  return {name.empty() ? std::string(key) : fmt::format("{}.{}", name, key), indent, {}, {}};
}

// Without a line of its own, a table is nothing above the tables below it.
void TableText::add(std::string_view key, const TableText& table) {
  if (table.keys.empty()) {
    below += table.below;
  } else if (!name.empty() && table.below.empty() && fits_inline(table.keys)) {
    keys.add(key, table.keys.inline_text());
  } else {
    below += table.as_table();
  }
}

std::string TableText::as_table() const {
  return fmt::format("\n{:{}}[{}]\n{}{}", "", indent, name, keys.lines(indent), below);
}

std::string TableText::as_item() const {
  return fmt::format("\n{:{}}[[{}]]\n{}{}", "", indent, name, keys.lines(indent), below);
}

}  // namespace lockstep::scenario
