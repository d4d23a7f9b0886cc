#include "tests/reports/xml_check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <utility>
#include <vector>

#include "reports/text.h"

namespace lockstep::reports::test {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> entities{
    {{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}}};

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::string problem() {
    check_characters();
    while (at_ < text_.size() && problem_.empty()) {
      if (text_[at_] == '<') {
        read_markup();
      } else {
        read_text();
      }
    }
    if (problem_.empty() && !open_.empty())
      complain("unclosed <" + std::string(open_.back()) + ">");
    if (problem_.empty() && roots_ != 1) complain("not one root element");
    return problem_;
  }
  [[nodiscard]] const std::string& seen() const { return seen_; }

 private:
  void complain(const std::string& what) {
    if (problem_.empty()) problem_ = what + " at byte " + std::to_string(at_);
  }

  void check_characters() {
    if (!is_utf8(text_)) complain("not UTF-8");
    for (const char character : text_) {
      const auto byte = static_cast<unsigned char>(character);
      if (byte < 0x20 && character != '\n' && character != '\t' && character != '\r') {
        complain("control character");
      }
    }
    for (const std::string_view forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
      if (text_.find(forbidden) != std::string_view::npos) complain("U+FFFE or U+FFFF");
    }
  }

  /// An entity at `at`, which is moved behind it.
  std::string entity(std::size_t& at) {
    const std::size_t end = text_.find(';', at);
    if (end == std::string_view::npos || end - at > 8) {
      complain("bare &");
      ++at;
      return {};
    }
    const std::string_view name = text_.substr(at + 1, end - at - 1);
    at = end + 1;
    for (const auto& [known, stands_for] : entities) {
      if (name == known) return std::string(stands_for);
    }
    if (name.starts_with('#')) {
      const int code = std::atoi(std::string(name.substr(1)).c_str());
      if (code >= 0x20 && code < 0x7F) return std::string(1, static_cast<char>(code));
      if (code >= 0x80) return "?";
    }
    complain("unknown entity " + std::string(name));
    return {};
  }

  void read_text() {
    while (at_ < text_.size() && text_[at_] != '<' && problem_.empty()) {
      if (text_[at_] == '&') {
        seen_ += entity(at_);
      } else {
        if (open_.empty() && std::isspace(static_cast<unsigned char>(text_[at_])) == 0) {
          complain("text outside the root");
        }
        seen_ += text_[at_++];
      }
    }
  }

  void read_markup() {
    const auto skip = [&](std::string_view begin, std::string_view end) {
      if (!text_.substr(at_).starts_with(begin)) return false;
      const std::size_t stop = text_.find(end, at_ + begin.size());
      if (stop == std::string_view::npos) {
        complain("unclosed " + std::string(begin));
        return true;
      }
      const std::string_view inside = text_.substr(at_ + begin.size(), stop - at_ - begin.size());
      if (begin == "<!--" && inside.find("--") != std::string_view::npos)
        complain("-- in a comment");
      at_ = stop + end.size();
      return true;
    };
    if (skip("<!--", "-->") || skip("<?", "?>") || skip("<!DOCTYPE", ">")) return;
    read_tag();
  }

  std::string_view name() {
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
            std::string_view(":_-.").find(text_[at_]) != std::string_view::npos)) {
      ++at_;
    }
    if (at_ == from) complain("a name was expected");
    return text_.substr(from, at_ - from);
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  void read_tag() {
    ++at_;
    const bool closes = at_ < text_.size() && text_[at_] == '/';
    if (closes) ++at_;
    const std::string_view tag = name();
    if (closes) {
      if (open_.empty() || open_.back() != tag)
        return complain("</" + std::string(tag) + "> does not match");
      open_.pop_back();
    } else {
      if (open_.empty()) ++roots_;
      open_.push_back(tag);
      read_attributes();
    }
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '/') {
      ++at_;
      open_.pop_back();
    }
    if (at_ >= text_.size() || text_[at_] != '>') return complain("> was expected");
    ++at_;
  }

  void read_attributes() {
    std::vector<std::string_view> names;
    for (skip_blanks();
         problem_.empty() && at_ < text_.size() && text_[at_] != '>' && text_[at_] != '/';
         skip_blanks()) {
      names.push_back(name());
      if (std::count(names.begin(), names.end(), names.back()) > 1)
        complain("attribute given twice");
      if (!text_.substr(at_).starts_with("=\"")) return complain("=\" was expected");
      at_ += 2;
      while (at_ < text_.size() && text_[at_] != '"' && problem_.empty()) {
        if (text_[at_] == '<') complain("< in an attribute");
        if (text_[at_] == '&') {
          entity(at_);
        } else {
          ++at_;
        }
      }
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int roots_ = 0;
  std::vector<std::string_view> open_;
  std::string problem_;
  std::string seen_;
};

}  // namespace

std::string xml_problem(std::string_view text) { return Scan(text).problem(); }

std::string xml_text(std::string_view text) {
  Scan scan(text);
  static_cast<void>(scan.problem());
  return scan.seen();
}

}  // namespace lockstep::reports::test
