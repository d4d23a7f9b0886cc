#include "redis/values/value_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::redis {
namespace {

constexpr std::size_t members_shown_max = 8;
constexpr std::size_t bytes_shown_max = 120;

/// Members between brackets, the first few of them.
class MemberList {
 public:
  MemberList(std::string_view head, std::size_t count) : text_(head), count_(count) {}

  /// False where it has shown enough.
  bool add(std::string_view member) {
    if (shown_ == members_shown_max) return false;
    if (shown_++ > 0) text_ += ", ";
    text_ += cut_text(member);
    return true;
  }
  bool add(std::string_view member, std::string_view value) {
    const bool is_shown = add(member);
    if (is_shown) text_.append(": ").append(cut_text(value));
    return is_shown;
  }
  std::string end(std::string_view tail) {
    if (count_ > shown_) text_ += fmt::format(", and {} more", count_ - shown_);
    return text_.append(tail);
  }

 private:
  std::string text_;
  std::size_t count_;
  std::size_t shown_ = 0;
};

std::string text_of(const std::string& text) { return "string \"" + cut_text(text) + '"'; }

std::string text_of(const HashValue& hash) {
  MemberList list("hash {", hash.size());
  for (const auto& [field, value] : hash.fields()) {
    if (!list.add(field, value)) break;
  }
  return list.end("}");
}

std::string text_of(const ListValue& values) {
  MemberList list("list [", values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!list.add(std::string_view(values[i]))) break;
  }
  return list.end("]");
}

std::string text_of(const SetValue& set) {
  MemberList list("set {", set.size());
  const std::size_t shown = std::min(set.size(), members_shown_max);
  for (std::size_t rank = 0; rank < shown; ++rank) list.add(set.at(rank).view());
  return list.end("}");
}

std::string text_of(const SortedSetValue& set) {
  MemberList list("sorted set {", set.size());
  const std::size_t shown = std::min(set.size(), members_shown_max);
  set.visit(0, shown, Direction::forward, [&list](const SortedSetValue::Item& item) {
    list.add(std::string_view(item.member), fmt::format("{:.17g}", item.score));
  });
  return list.end("}");
}

}  // namespace

std::string cut_text(std::string_view text) {
  if (text.size() <= bytes_shown_max) return std::string(text);
  // Not in the midst of a UTF-8 character.
  std::size_t end = bytes_shown_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)).append("…");
}

std::string value_text(const Value& value) {
  return std::visit([](const auto& each) { return text_of(each); }, value);
}

}  // namespace lockstep::redis
