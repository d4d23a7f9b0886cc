#include "checker/recorded/demands.h"

namespace lockstep::checker::recorded {

void Demands::produce(const Span& span, std::uint32_t content) {
  const auto [entry, is_new] =
      of_content_.try_emplace(content, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) groups_.push_back({content, 0, {}, {}});
  groups_[entry->second].spans.push_back(span);
}

void Demands::extend(const Span& span, TextId piece, std::string_view text) {
  if (text.empty()) return;
  const auto number = static_cast<std::uint32_t>(groups_.size());
  const auto [entry, is_new] = of_piece_.try_emplace(piece, number);
  if (is_new) {
    groups_.push_back({0, text.size(), {}, {}});
    of_hash_[Contents::hash_of(text)].push_back(number);
  }
  groups_[entry->second].spans.push_back(span);
  longest_text_ = std::max<std::uint64_t>(longest_text_, text.size());
}

void Demands::arrange(const Contents& contents) {
  std::sort(demands_.begin(), demands_.end(), [](const Demand& one, const Demand& other) {
    return one.span.returned < other.span.returned;
  });
  std::uint64_t first = UINT64_MAX;
  for (auto demand = demands_.rbegin(); demand != demands_.rend(); ++demand) {
    demand->first_invoked = first = std::min(first, demand->span.invoked);
  }
  for (Group& group : groups_) {
    std::sort(group.spans.begin(), group.spans.end(),
              [](const Span& one, const Span& other) { return one.invoked < other.invoked; });
    std::uint64_t last = 0;
    for (const Span& span : group.spans) {
      last = std::max(last, span.returned);
      group.last_return.push_back(last);
    }
  }
  find_producers(contents);
  count_memory();
}

void Demands::find_producers(const Contents& contents) {
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash;
  for (std::uint32_t number = 0; number < groups_.size(); ++number) {
    if (groups_[number].length > 0) continue;
    by_hash[contents.hash_of(groups_[number].content)].push_back(number);
  }
  std::unordered_map<std::uint32_t, std::size_t> same;  // content → the first that demands it
  for (std::size_t index = 0; index < demands_.size(); ++index) {
    Demand& demand = demands_[index];
    const auto [entry, is_new] = same.try_emplace(demand.content, index);
    if (!is_new) {
      demand.producers = demands_[entry->second].producers;
      continue;
    }
    contents.visit_beginnings_at(demand.content, 0, UINT64_MAX, [&](std::uint64_t hash) {
      const auto found = by_hash.find(hash);
      if (found == by_hash.end()) return;
      demand.producers.insert(demand.producers.end(), found->second.begin(), found->second.end());
    });
  }
}

const std::vector<std::uint32_t>& Demands::pieces_at(const Contents& contents,
                                                     std::uint32_t content,
                                                     std::uint64_t place) const {
  const std::uint64_t key = std::uint64_t{content} << 32U | (place & UINT32_MAX);
  const auto [entry, is_new] = pieces_.try_emplace(key);
  std::vector<std::uint32_t>& pieces = entry->second;
  if (is_new) {
    contents.visit_beginnings_at(content, place, longest_text_, [&](std::uint64_t hash) {
      const auto found = of_hash_.find(hash);
      if (found == of_hash_.end()) return;
      pieces.insert(pieces.end(), found->second.begin(), found->second.end());
    });
  }
  return pieces;
}

void Demands::count_memory() {
  memory_bytes_ = demands_.capacity() * sizeof(Demand) + groups_.capacity() * sizeof(Group) +
                  (of_content_.size() + 2 * of_piece_.size()) * 48;
  for (const Demand& demand : demands_) {
    memory_bytes_ += demand.producers.capacity() * sizeof(std::uint32_t);
  }
  for (const Group& group : groups_) {
    memory_bytes_ += group.spans.capacity() * (sizeof(Span) + sizeof(std::uint64_t));
  }
}

}  // namespace lockstep::checker::recorded
