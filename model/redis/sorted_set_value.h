// A Redis sorted set: byte strings, each once, with a score; in the order of score, then of bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace lockstep::redis {

class SortedSetValue {
 public:
  [[nodiscard]] std::size_t size() const { return scores_.size(); }
  void clear() {
    scores_.clear();
    order_.clear();
  }

  friend bool operator==(const SortedSetValue&, const SortedSetValue&) = default;

 private:
  std::map<std::string, double, std::less<>> scores_;
  std::set<std::pair<double, std::string>> order_;
};

}  // namespace lockstep::redis
