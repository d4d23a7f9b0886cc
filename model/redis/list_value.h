// A Redis list: byte strings in order.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

namespace lockstep::redis {

class ListValue {
 public:
  using Items = std::deque<std::string>;
  [[nodiscard]] Items& items() { return items_; }
  [[nodiscard]] const Items& items() const { return items_; }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  void clear() { items_.clear(); }

  friend bool operator==(const ListValue&, const ListValue&) = default;

 private:
  Items items_;
};

}  // namespace lockstep::redis
