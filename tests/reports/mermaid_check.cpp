#include "tests/reports/mermaid_check.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace lockstep::reports::test {
namespace {

/// Reads the statements one by one.
class MermaidReader {
 public:
  std::string problem_of(const std::string& text) {
    if (!text.ends_with('\n')) return "does not end in a line feed";
    std::istringstream in(text);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      const std::string problem = number == 1 ? first(line) : statement(line);
      if (!problem.empty()) return problem + " in line " + std::to_string(number) + ": " + line;
    }
    if (open_blocks_ != 0) return "a block has no end";
    for (const auto& [name, count] : active_) {
      if (count != 0) return name + " stays active";
    }
    return {};
  }

  [[nodiscard]] std::size_t items() const { return items_; }

 private:
  static std::string first(const std::string& line) {
    return line == "sequenceDiagram" ? "" : "no sequence diagram";
  }

  std::string statement(const std::string& line) {
    static const std::regex participant("    participant (L[0-9]+) as (.*)");
    static const std::regex title("    title: (.*)");
    static const std::regex note("    Note over (L[0-9]+)(,(L[0-9]+))?: (.*)");
    static const std::regex message("    (L[0-9]+)(->>|-->>|-x|--x|--\\))(L[0-9]+): (.*)");
    static const std::regex activation("    (de)?activate (L[0-9]+)");
    std::smatch parts;
    if (std::regex_match(line, parts, participant)) {
      if (!known_.insert(parts[1]).second) return "declared twice";
      return text_problem(parts[2]);
    }
    if (std::regex_match(line, parts, title)) return text_problem(parts[1]);
    if (std::regex_match(line, parts, note)) {
      ++items_;
      if (!is_known(parts[1]) || (parts[3].matched && !is_known(parts[3]))) return "nobody";
      return text_problem(parts[4]);
    }
    if (std::regex_match(line, parts, message)) {
      ++items_;
      if (!is_known(parts[1]) || !is_known(parts[3])) return "nobody";
      return text_problem(parts[4]);
    }
    if (std::regex_match(line, parts, activation)) {
      int& count = active_[parts[2]];
      count += parts[1].matched ? -1 : 1;
      return !is_known(parts[2]) ? "nobody" : count < 0 ? "ends what has not begun" : "";
    }
    if (line == "    rect rgb(253, 234, 221)") return ++open_blocks_, "";
    if (line == "    end") return --open_blocks_ < 0 ? "ends no block" : "";
    return "no statement";
  }

  [[nodiscard]] bool is_known(const std::string& name) const { return known_.contains(name); }

  static std::string text_problem(const std::string& text) {
    static const std::regex good("([^#;:&<>\"'`%{}\\\\*_~\\[\\]|@!]|#[0-9]+;)*");
    static const std::regex end_word("(^|.*[^A-Za-z0-9])end([^A-Za-z0-9].*|$)");
    if (text.size() > 2'000) return "a text too long";
    if (!std::regex_match(text, good)) return "a character that is not its own";
    return std::regex_match(text, end_word) ? "the word that ends a block" : "";
  }

  std::set<std::string> known_;
  std::map<std::string, int> active_;
  int open_blocks_ = 0;
  std::size_t items_ = 0;
};

}  // namespace

std::string mermaid_problem(const std::string& text) { return MermaidReader().problem_of(text); }

std::size_t mermaid_items(const std::string& text) {
  MermaidReader reader;
  static_cast<void>(reader.problem_of(text));
  return reader.items();
}

}  // namespace lockstep::reports::test
