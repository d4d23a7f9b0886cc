// A list of byte strings in one flat buffer: a request's arguments, or a propagated command's.
//
// Cleared and filled again it allocates nothing once warm. Views stay valid until the next push,
// clear or move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::redis {

class Arguments {
 public:
  void push(std::string_view text) {
    bytes_.append(text);
    ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }
  /// All of the other's, in one go.
  void append(const Arguments& other) {
    const auto begin = static_cast<std::uint32_t>(bytes_.size());
    bytes_.append(other.bytes_);
    for (const std::uint32_t end : other.ends_) ends_.push_back(begin + end);
  }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const std::uint32_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }
  /// Anything with add(number) and add(text).
  template <typename Digest>
  void digest_into(Digest& digest) const {
    digest.add(ends_.size());
    for (const std::uint32_t end : ends_) digest.add(end);
    digest.add(std::string_view(bytes_));
  }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }

 private:
  std::string bytes_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace lockstep::redis
