// The channels or patterns that one session listens to, in the order of subscribing.
//
// Most sessions have one or two, which are compared one by one; those of a session that has many
// are found by an index. Keeps the memory of names given up for those that follow.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <string>
#include <string_view>

namespace lockstep::redis {

class SubscribedNames {
 public:
  using Names = std::list<std::string>;

  SubscribedNames() = default;
  SubscribedNames(const SubscribedNames&) = delete;  // the index points into the names
  SubscribedNames& operator=(const SubscribedNames&) = delete;
  SubscribedNames(SubscribedNames&&) = delete;
  SubscribedNames& operator=(SubscribedNames&&) = delete;
  ~SubscribedNames() = default;

  /// False if the name is there already.
  bool add(std::string_view name);
  /// False if the name is not there.
  bool remove(std::string_view name);
  void clear();

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] bool empty() const { return names_.empty(); }
  [[nodiscard]] Names::const_iterator begin() const { return names_.begin(); }
  [[nodiscard]] Names::const_iterator end() const { return names_.end(); }

 private:
  static constexpr std::size_t few = 16;  // names that need no index

  [[nodiscard]] Names::iterator find(std::string_view name);

  Names names_;
  Names spare_;
  std::map<std::string_view, Names::iterator> index_;  // of all names, once they are many
};

}  // namespace lockstep::redis
