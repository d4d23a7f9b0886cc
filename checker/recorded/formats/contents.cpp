#include "checker/recorded/formats/contents.h"

#include <algorithm>

namespace lockstep::checker::recorded {
namespace {

/// A hash of a text that is the same however it was put together.
std::uint64_t extended(std::uint64_t hash, std::string_view piece) {
  for (const char byte : piece) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
  }
  return hash;
}

}  // namespace

std::uint32_t Contents::append(std::uint32_t content, TextId piece) {
  const std::string_view text_of_piece = text_of(piece);
  if (text_of_piece.empty()) return content;
  const std::uint64_t key = std::uint64_t{content} << 32U | static_cast<std::uint32_t>(piece);
  const auto [entry, is_new] = appended_.try_emplace(key, 0);
  if (!is_new) return entry->second;
  Node node{content, piece, nodes_[content].length + text_of_piece.size(),
            extended(nodes_[content].hash, text_of_piece), 0};
  std::uint32_t& first = with_hash_[node.hash];
  if (first != 0) {
    const std::string whole = text(content).append(text_of_piece);
    for (std::uint32_t other = first; other != 0; other = nodes_[other].next_with_hash) {
      if (nodes_[other].length == node.length && text(other) == whole) {
        return entry->second = other;
      }
    }
  }
  node.next_with_hash = first;
  first = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  return entry->second = first;
}

bool Contents::begins(std::uint32_t whole, std::uint32_t beginning) const {
  if (beginning == 0 || beginning == whole) return true;
  const std::uint64_t length = nodes_[beginning].length;
  if (length >= nodes_[whole].length) return false;
  const std::uint64_t key = std::uint64_t{whole} << 32U | beginning;
  const auto [entry, is_new] = begins_.try_emplace(key, false);
  if (is_new) {
    std::uint64_t at = 0;
    bool is_same = false;
    visit_beginnings_at(whole, 0, length, [&](std::uint64_t hash) {
      if (at++ == length) is_same = hash == nodes_[beginning].hash;
    });
    entry->second = is_same;
  }
  return entry->second;
}

std::uint64_t Contents::hash_of(std::string_view text) { return extended(0, text); }

void Contents::visit_beginnings_at(std::uint32_t content, std::uint64_t place,
                                   std::uint64_t length_max,
                                   const std::function<void(std::uint64_t)>& visit) const {
  const bool is_one_piece = content != 0 && nodes_[content].before == 0;
  const std::string put_together = is_one_piece ? std::string() : text(content);
  const std::string_view whole =
      is_one_piece ? text_of(nodes_[content].piece) : std::string_view(put_together);
  std::uint64_t hash = 0;
  visit(hash);
  for (const char& byte : whole.substr(place, length_max)) {
    hash = extended(hash, {&byte, 1});
    visit(hash);
  }
}

std::string Contents::text(std::uint32_t content) const {
  std::vector<TextId> pieces;
  std::string out;
  out.reserve(nodes_[content].length);
  for (; content != 0; content = nodes_[content].before) pieces.push_back(nodes_[content].piece);
  std::reverse(pieces.begin(), pieces.end());
  for (const TextId piece : pieces) out += text_of(piece);
  return out;
}

}  // namespace lockstep::checker::recorded
