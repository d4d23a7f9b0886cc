#include "scenario/text/toml_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenario/parameter_setting.h"

namespace lockstep::scenario {
namespace {

constexpr std::size_t columns_max = 100;
constexpr std::size_t inline_columns_max = 80;

std::string escaped_byte(char byte) {
  switch (byte) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '$':
      return "$$";
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(byte);
  if (code < 0x20 || code == 0x7F) return fmt::format("\\u{:04X}", code);
  return std::string(1, byte);
}

std::vector<std::string> quoted_each(std::span<const std::string> texts) {
  std::vector<std::string> items;
  items.reserve(texts.size());
  for (const std::string& text : texts) items.push_back(toml_string(text));
  return items;
}

/// As many items on a line as fit.
std::string broken(const std::vector<std::string>& items, std::size_t indent) {
  const std::string margin(indent + 2, ' ');
  std::string text("[\n");
  std::string line;
  for (const std::string& item : items) {
    if (!line.empty() && margin.size() + line.size() + item.size() + 2 > columns_max) {
      text += fmt::format("{}{}\n", margin, line);
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += item;
    line += ',';
  }
  return fmt::format("{}{}{}\n{}]", text, margin, line, std::string(indent, ' '));
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string quoted_text("\"");
  for (const char byte : text) quoted_text += escaped_byte(byte);
  return quoted_text += '"';
}

std::string toml_key(std::string_view key) {
  const bool is_bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char byte) {
    return is_name_part(byte) || byte == '-';
  });
  if (is_bare) return std::string(key);
  // A key is no string of the scenario's: a dollar sign in it is itself.
  std::string text("\"");
  for (const char byte : key) text += byte == '$' ? std::string("$") : escaped_byte(byte);
  return text += '"';
}

std::string toml_list(std::span<const std::string> texts) {
  return fmt::format("[{}]", fmt::join(quoted_each(texts), ", "));
}

std::string toml_text_or_list(std::span<const std::string> texts) {
  return texts.size() == 1 ? toml_string(texts.front()) : toml_list(texts);
}

void TomlTable::add(std::string_view key, std::string value) {
  entries_.push_back({toml_key(key), std::move(value), {}});
}

void TomlTable::add_texts(std::string_view key, std::span<const std::string> texts) {
  entries_.push_back({toml_key(key), toml_list(texts), quoted_each(texts)});
}

std::string TomlTable::inline_text() const {
  if (entries_.empty()) return "{}";
  std::string text;
  for (const Entry& entry : entries_) {
    text += fmt::format("{}{} = {}", text.empty() ? "{ " : ", ", entry.key, entry.value);
  }
  return text += " }";
}

std::string TomlTable::lines(std::size_t indent) const {
  std::size_t width = 0;
  for (const Entry& entry : entries_) width = std::max(width, entry.key.size());
  std::string text;
  for (const Entry& entry : entries_) {
    const std::string head = fmt::format("{:{}}{:{}} = ", "", indent, entry.key, width);
    const bool is_broken = entry.items.size() > 1 && head.size() + entry.value.size() > columns_max;
    text += fmt::format("{}{}\n", head, is_broken ? broken(entry.items, indent) : entry.value);
  }
  return text;
}

bool fits_inline(const TomlTable& table) {
  return table.inline_text().size() <= inline_columns_max;
}

}  // namespace lockstep::scenario
