// What each key of a database costs, kept while there is a maxmemory; and the keys in an order from
// which one can be drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::redis {

class MemoryLedger {
 public:
  void set(std::string_view key, std::uint64_t bytes);
  void remove(std::string_view key);
  void clear();
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  /// The keys in the order of their places, each with what it costs.
  template <typename Digest>
  void digest_into(Digest& digest) const {
    digest.add(places_.size());
    for (const Accounts::iterator& place : places_) {
      digest.add(std::string_view(place->first));
      digest.add(place->second.bytes);
    }
  }
  /// The key at one of size() places; which it is depends on what was added and removed before.
  [[nodiscard]] const std::string& key_at(std::size_t place) const { return places_[place]->first; }

 private:
  struct Account {
    std::uint64_t bytes = 0;
    std::size_t place = 0;
  };
  using Accounts = std::map<std::string, Account, std::less<>>;

  Accounts accounts_;
  std::vector<Accounts::iterator> places_;
  std::uint64_t bytes_ = 0;
};

}  // namespace lockstep::redis
