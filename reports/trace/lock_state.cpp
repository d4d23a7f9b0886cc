#include "reports/trace/lock_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lockstep::reports {

namespace {

constexpr std::string_view reads = "reads";

std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

}  // namespace

std::vector<Holder> holders_from(std::string_view text) {
  std::vector<Holder> holders;
  while (!text.empty()) {
    const std::string_view owner = take_word(text);
    const bool is_reader = text.starts_with(reads) && text.substr(reads.size()).starts_with(':');
    const std::string_view counted = is_reader ? take_word(text) : owner;
    const std::size_t colon = counted.rfind(':');
    Holder holder{std::string(is_reader ? owner : owner.substr(0, colon)), 1, is_reader};
    if (colon != std::string_view::npos) {
      std::from_chars(counted.data() + colon + 1, counted.data() + counted.size(), holder.count);
    }
    if (!holder.owner.empty()) holders.push_back(std::move(holder));
  }
  return holders;
}

bool holds(const std::vector<Holder>& holders, std::string_view owner) {
  return std::any_of(holders.begin(), holders.end(),
                     [&](const Holder& holder) { return holder.owner == owner; });
}

std::string holders_in_words(const std::vector<Holder>& holders) {
  if (holders.empty()) return "free";
  std::string words;
  for (const Holder& holder : holders) {
    if (!words.empty()) words += ", ";
    words += holder.owner + (holder.is_reader ? " reads it" : " holds it");
    if (holder.count == 2) words += " twice";
    if (holder.count > 2) words += fmt::format(" {} times", holder.count);
  }
  return words;
}

}  // namespace lockstep::reports
