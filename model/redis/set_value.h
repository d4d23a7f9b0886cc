// A Redis set: byte strings, each once.
//
// Redis keeps small sets of integers sorted and gives no order to others; here members are always in
// a fixed order, so that nothing depends on hashing.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>

namespace lockstep::redis {

class SetValue {
 public:
  using Members = std::set<std::string, std::less<>>;
  [[nodiscard]] Members& members() { return members_; }
  [[nodiscard]] const Members& members() const { return members_; }
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  void clear() { members_.clear(); }

  friend bool operator==(const SetValue&, const SetValue&) = default;

 private:
  Members members_;
};

}  // namespace lockstep::redis
