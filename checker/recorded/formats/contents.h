// Texts that grow at their end, each of them a small number: equal contents have equal numbers, and
// appending costs no copy.
//
// A content is another one and the piece appended to it. Number 0 is nothing. Contents of the same
// length and hash are compared once, byte by byte, when one of them is made: a hash alone decides
// nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

class Contents {
 public:
  /// `initial` may be a text that isn't interned.
  Contents(const Texts& texts, std::string initial)
      : texts_(&texts), initial_(std::move(initial)), nodes_(1) {}

  [[nodiscard]] std::uint32_t of_initial() { return append(0, no_text); }
  [[nodiscard]] std::uint32_t of_text(TextId piece) { return append(0, piece); }
  [[nodiscard]] std::uint32_t append(std::uint32_t content, TextId piece);
  [[nodiscard]] std::string text(std::uint32_t content) const;

  /// The same for equal contents, and seldom for others.
  [[nodiscard]] std::uint64_t hash_of(std::uint32_t content) const { return nodes_[content].hash; }
  [[nodiscard]] static std::uint64_t hash_of(std::string_view text);
  [[nodiscard]] std::uint64_t length_of(std::uint32_t content) const {
    return nodes_[content].length;
  }
  /// Whether one content is the beginning of another, or (seldom) only seems to be.
  [[nodiscard]] bool begins(std::uint32_t whole, std::uint32_t beginning) const;
  /// visit(hash) for all beginnings of what stands in a content at a place, up to a length; also
  /// for the empty one.
  void visit_beginnings_at(std::uint32_t content, std::uint64_t place, std::uint64_t length_max,
                           const std::function<void(std::uint64_t)>& visit) const;

  /// About: an entry of the standard library's maps takes some 48 bytes.
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return nodes_.capacity() * sizeof(Node) +
           (appended_.size() + with_hash_.size() + begins_.size()) * 48;
  }

 private:
  [[nodiscard]] std::string_view text_of(TextId piece) const {
    return piece == no_text ? std::string_view(initial_) : texts_->text(piece);
  }

  struct Node {
    std::uint32_t before = 0;
    TextId piece = no_text;
    std::uint64_t length = 0;
    std::uint64_t hash = 0;
    std::uint32_t next_with_hash = 0;  ///< 0: none
  };

  const Texts* texts_;
  std::string initial_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> appended_;   ///< (content, piece) → number
  std::unordered_map<std::uint64_t, std::uint32_t> with_hash_;  ///< → the first such number
  mutable std::unordered_map<std::uint64_t, bool> begins_;      ///< (whole, beginning), once asked
};

}  // namespace lockstep::checker::recorded
