// The order in which SCAN goes through keys: by a hash of each, which new and deleted keys do not
// move. So a cursor, the hash to go on from, needs no memory of who scans, and each key that is
// there all the while comes at least once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::redis {

class ScanOrder {
 public:
  /// Cursors are below 2^48: clients that keep them as floating-point numbers lose nothing.
  using Cursor = std::uint64_t;

  /// The views must stay valid while they are in.
  void add(std::string_view key);
  void remove(std::string_view key);

  struct Part {
    std::vector<std::string> keys;
    Cursor next = 0;  ///< 0: that was all
  };
  /// At least so many keys from a cursor (0: the first) on.
  [[nodiscard]] Part part(Cursor from, std::size_t count) const;

 private:
  std::set<std::pair<Cursor, std::string_view>> keys_;
};

}  // namespace lockstep::redis
