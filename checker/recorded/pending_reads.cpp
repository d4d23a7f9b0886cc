#include "checker/recorded/pending_reads.h"

namespace lockstep::checker::recorded {

void PendingReads::produce(const Span& span, std::uint32_t content) {
  const auto [entry, is_new] =
      of_content_.try_emplace(content, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) groups_.push_back({content, 0, {}, {}});
  groups_[entry->second].spans.push_back(span);
}

void PendingReads::extend(const Span& span, TextId piece, std::string_view text) {
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

void PendingReads::arrange(const Contents& contents) {
  std::sort(pending_reads_.begin(), pending_reads_.end(),
            [](const PendingRead& one, const PendingRead& other) {
              return one.span.returned < other.span.returned;
            });
  std::uint64_t first = UINT64_MAX;
  for (auto pending_read = pending_reads_.rbegin(); pending_read != pending_reads_.rend();
       ++pending_read) {
    pending_read->first_invoked = first = std::min(first, pending_read->span.invoked);
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

void PendingReads::find_producers(const Contents& contents) {
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash;
  for (std::uint32_t number = 0; number < groups_.size(); ++number) {
    if (groups_[number].length > 0) continue;
    by_hash[contents.hash_of(groups_[number].content)].push_back(number);
  }
  std::unordered_map<std::uint32_t, std::size_t> same;  // content → the first that demands it
  for (std::size_t index = 0; index < pending_reads_.size(); ++index) {
    PendingRead& pending_read = pending_reads_[index];
    const auto [entry, is_new] = same.try_emplace(pending_read.content, index);
    if (!is_new) {
      pending_read.producers = pending_reads_[entry->second].producers;
      continue;
    }
    contents.visit_beginnings_at(pending_read.content, 0, UINT64_MAX, [&](std::uint64_t hash) {
      const auto found = by_hash.find(hash);
      if (found == by_hash.end()) return;
      pending_read.producers.insert(pending_read.producers.end(), found->second.begin(),
                                    found->second.end());
    });
  }
}

const std::vector<std::uint32_t>& PendingReads::pieces_at(const Contents& contents,
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

void PendingReads::count_memory() {
  memory_bytes_ = pending_reads_.capacity() * sizeof(PendingRead) +
                  groups_.capacity() * sizeof(Group) +
                  (of_content_.size() + 2 * of_piece_.size()) * 48;
  for (const PendingRead& pending_read : pending_reads_) {
    memory_bytes_ += pending_read.producers.capacity() * sizeof(std::uint32_t);
  }
  for (const Group& group : groups_) {
    memory_bytes_ += group.spans.capacity() * (sizeof(Span) + sizeof(std::uint64_t));
  }
}

}  // namespace lockstep::checker::recorded
