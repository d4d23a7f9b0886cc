#include "checker/recorded/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "checker/recorded/formats/function_names.h"
#include "checker/text.h"

namespace lockstep::checker::recorded {
namespace {

/// " of 3", " of 3 to 4", or nothing.
std::string with_values(const History& history, const Operation& operation) {
  const auto text = [&](TextId id) { return history.texts.text(id); };
  switch (operation.function) {
    case Function::read:
      return operation.result == no_text ? std::string()
                                         : fmt::format(" of {}", text(operation.result));
    case Function::write:
    case Function::append:
      return operation.argument == no_text ? std::string()
                                           : fmt::format(" of {}", text(operation.argument));
    case Function::compare_and_set:
      if (operation.argument == no_text || operation.second_argument == no_text) return {};
      return fmt::format(" from {} to {}", text(operation.argument),
                         text(operation.second_argument));
    case Function::acquire:
    case Function::release:
    case Function::renew:
    case Function::force_release:
    case Function::read_acquire:
    case Function::read_release:
    case Function::write_acquire:
    case Function::write_release:
    case Function::set_count:
    case Function::count_down:
    case Function::await:
      break;
  }
  if (operation.token != no_number) return fmt::format(" with token {}", operation.token);
  return {};
}

std::string_view ending(const Operation& operation) {
  switch (operation.outcome) {
    case Outcome::ok:
      return "ok";
    case Outcome::fail:
      return "failed";
    case Outcome::info:
      return "outcome unknown";
  }
  return "";
}

std::string line_of(const Operation& operation) {
  return operation.invoked_line == 0 ? std::string()
                                     : fmt::format(", line {}", operation.invoked_line);
}

std::string operation_line(const History& history, std::uint32_t operation) {
  return "  " + describe(history, history.operations[operation]);
}

/// Lines that belong together. Of a list the first or the last are what matters most.
struct Paragraph {
  enum class Keep : std::uint8_t { first, last };
  std::string title;  ///< a line of its own; empty: none
  std::vector<std::string> lines;
  Keep keep = Keep::first;
  std::size_t left_out = 0;  ///< lines before these
};

/// Of a long chain nobody reads more.
constexpr std::size_t reasons_told_max = 5;

Paragraph list_of(const History& history, std::string title,
                  const std::vector<std::uint32_t>& operations) {
  Paragraph paragraph{std::move(title), {}, Paragraph::Keep::last};
  for (const std::uint32_t each : operations) {
    paragraph.lines.push_back(operation_line(history, each));
  }
  return paragraph;
}

/// What proofs that are counted have in common. `reasons_of`: the last of them, so many.
template <typename Proof>
void add_proof(const History& history, const Proof& proof, std::string claim, std::string why,
               const std::function<std::vector<std::string>(std::size_t)>& reasons_of,
               bool is_whole, std::vector<Paragraph>& paragraphs) {
  const bool acquires = proof.steps.back().acquires;
  paragraphs.push_back({std::move(claim), {}, Paragraph::Keep::last});
  if (proof.steps.size() > 1) {
    Paragraph reasons{std::move(why), {}, Paragraph::Keep::last};
    const std::size_t count = proof.steps.size() - 1;
    const std::size_t told = is_whole ? count : std::min(count, reasons_told_max);
    for (const std::string& reason : reasons_of(told)) reasons.lines.push_back("  " + reason);
    reasons.left_out = count - told;
    paragraphs.push_back(std::move(reasons));
  }
  const bool are_all = std::cmp_equal(proof.counted.size(), proof.steps.back().within);
  paragraphs.push_back(list_of(
      history, fmt::format("The {}{}:", are_all ? "" : "last ", acquires ? "acquires" : "releases"),
      proof.counted));
  if (!proof.others.empty()) {
    paragraphs.push_back(
        list_of(history, fmt::format("The last {} to begin:", acquires ? "releases" : "acquires"),
                proof.others));
  }
}

std::vector<Paragraph> proof_in_paragraphs(const History& history, const Explanation& explanation,
                                           bool is_whole) {
  std::vector<Paragraph> paragraphs;
  if (explanation.proof) {
    const CountingProof& proof = *explanation.proof;
    const auto reasons = [&](std::size_t told) { return reasons_in_words(history, proof, told); };
    add_proof(history, proof, claim_in_words(history, proof), why_in_words(history, proof), reasons,
              is_whole, paragraphs);
    return paragraphs;
  }
  const HoldProof& proof = *explanation.hold_proof;
  for (const HoldChain& chain : proof.chains) {
    const auto reasons = [&](std::size_t told) {
      return reasons_in_words(history, proof, chain, told);
    };
    add_proof(history, chain, claim_in_words(history, proof, chain),
              why_in_words(history, proof, chain), reasons, is_whole, paragraphs);
  }
  return paragraphs;
}

Paragraph way_in_paragraph(const History& history, const FinalPath& way, bool is_of_core) {
  const std::size_t count = way.order.size();
  Paragraph paragraph;
  paragraph.title =
      is_of_core ? fmt::format("  after {} of these, in some order, it is {}", count, way.state)
                 : fmt::format("  after {} in some order it is {}",
                               counted(static_cast<std::int64_t>(count), "operation"), way.state);
  if (!way.order.empty()) {
    paragraph.title += fmt::format(", the last of them {}",
                                   describe(history, history.operations[way.order.back()]));
  }
  for (const NotPlaced& missing : way.missing) {
    paragraph.lines.push_back(fmt::format("    {}: not possible, {}",
                                          describe(history, history.operations[missing.operation]),
                                          missing.why));
  }
  return paragraph;
}

std::vector<Paragraph> in_paragraphs(const History& history, const Explanation& explanation,
                                     bool is_whole) {
  const Operation& stuck = history.operations[explanation.stuck];
  const std::string_view how_far = explanation.is_certain ? "no order of the operations gets past"
                                                          : "the search had not got past";
  std::vector<Paragraph> paragraphs;
  paragraphs.push_back({fmt::format("{}: {} the return of {}", explanation.object, how_far,
                                    describe(history, stuck)),
                        {}});
  if (explanation.proof || explanation.hold_proof) {
    for (Paragraph& each : proof_in_paragraphs(history, explanation, is_whole)) {
      paragraphs.push_back(std::move(each));
    }
    return paragraphs;
  }
  if (!explanation.core.empty()) {
    Paragraph core{"These alone have no order:", {}, Paragraph::Keep::last};
    for (const std::uint32_t operation : explanation.core) {
      core.lines.push_back(operation_line(history, operation));
    }
    paragraphs.push_back(std::move(core));
  }
  for (const FinalPath& way : explanation.final_paths) {
    paragraphs.push_back(way_in_paragraph(history, way, !explanation.core.empty()));
  }
  if (explanation.final_path_count > explanation.final_paths.size()) {
    paragraphs.push_back({fmt::format("  ({} ways came as far; each state is told once)",
                                      explanation.final_path_count),
                          {}});
  }
  return paragraphs;
}

/// Titles first; then each paragraph has the same number of lines, or fewer if it needs fewer. A
/// list that is cut has a line that says so.
class Page {
 public:
  Page(const std::vector<Paragraph>& paragraphs, std::size_t lines_max)
      : paragraphs_(paragraphs), lines_max_(lines_max) {}

  Told write() {
    const std::size_t told = std::min(paragraphs_.size(), lines_max_);
    std::size_t each = 0;
    while (each < longest() && lines_with(each + 1) <= lines_max_) ++each;
    for (std::size_t index = 0; index < told; ++index) add(paragraphs_[index], each);
    for (std::size_t index = told; index < paragraphs_.size(); ++index) {
      page_.left_out += 1 + paragraphs_[index].lines.size();
    }
    return std::move(page_);
  }

 private:
  [[nodiscard]] static std::size_t needed(const Paragraph& paragraph) {
    return paragraph.lines.size() + (paragraph.left_out > 0 ? 1 : 0);
  }

  [[nodiscard]] std::size_t longest() const {
    std::size_t longest = 0;
    for (const Paragraph& each : paragraphs_) longest = std::max(longest, needed(each));
    return longest;
  }

  [[nodiscard]] std::size_t lines_with(std::size_t each) const {
    std::size_t count = paragraphs_.size();
    for (const Paragraph& one : paragraphs_) count += std::min(needed(one), each);
    return count;
  }

  void add(const Paragraph& paragraph, std::size_t lines_max) {
    line(paragraph.title);
    const std::size_t count = paragraph.lines.size();
    if (count <= lines_max && paragraph.left_out == 0) {
      for (const std::string& each : paragraph.lines) line(each);
      return;
    }
    const std::size_t kept = std::min(count, std::max<std::size_t>(lines_max, 1) - 1);
    const std::size_t left_out = count - kept + paragraph.left_out;
    page_.left_out += left_out;
    const bool keeps_first = paragraph.keep == Paragraph::Keep::first;
    const std::size_t first = keeps_first ? 0 : count - kept;
    const std::string indent(std::min(paragraph.lines[0].find_first_not_of(' '), std::size_t{4}),
                             ' ');
    const std::string cut = fmt::format("{}\u2026 {} more", indent, left_out);
    if (!keeps_first && lines_max > 0) line(cut);
    for (std::size_t index = first; index < first + kept; ++index) line(paragraph.lines[index]);
    if (keeps_first && lines_max > 0) line(cut);
  }

  void line(const std::string& text) { page_.lines.append(text).push_back('\n'); }

  const std::vector<Paragraph>& paragraphs_;
  std::size_t lines_max_;
  Told page_;
};

}  // namespace

std::string owner_of(const History& history, const Operation& operation) {
  const TextId who = operation.owner == no_text ? operation.process : operation.owner;
  if (who == no_text) return "somebody";
  const std::string_view name = history.texts.text(who);
  const bool is_number = name.find_first_not_of("0123456789") == std::string_view::npos;
  return fmt::format("{}{}", is_number ? "process " : "", name);
}

std::string describe(const History& history, const Operation& operation) {
  return fmt::format("{}'s {}{} ({}{})", owner_of(history, operation),
                     to_string(operation.function), with_values(history, operation),
                     ending(operation), line_of(operation));
}

Told tell(const History& history, const Explanation& explanation, std::size_t lines_max) {
  const std::vector<Paragraph> paragraphs =
      in_paragraphs(history, explanation, lines_max == all_lines);
  return Page(paragraphs, lines_max).write();
}

std::string in_words(const History& history, const Explanation& explanation) {
  return tell(history, explanation, all_lines).lines;
}

}  // namespace lockstep::checker::recorded
