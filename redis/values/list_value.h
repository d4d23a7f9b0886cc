// A Redis list: byte strings in order.
//
// A ring of strings: both ends and any index are reached at once; what happens in the middle moves
// the items on the shorter side. The memory of items that were taken is kept for new ones: the
// queue of a fair lock, which pushes and pops a few short items all the time, allocates nothing
// once warm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::redis {

enum class ListEnd : std::uint8_t { left, right };

class ListValue {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  /// REQUIRES: index < size(), here and below.
  [[nodiscard]] const std::string& operator[](std::size_t index) const {
    return slots_[slot_of(index)];
  }
  [[nodiscard]] const std::string& at(ListEnd end) const {
    return (*this)[end == ListEnd::left ? 0 : size_ - 1];
  }
  void push(ListEnd end, std::string_view item) {
    end == ListEnd::left ? push_front(item) : push_back(item);
  }
  void push_front(std::string_view item);
  void push_back(std::string_view item);
  /// REQUIRES: there are so many.
  void drop(ListEnd end, std::size_t count = 1) {
    end == ListEnd::left ? drop_front(count) : drop_back(count);
  }
  void drop_front(std::size_t count = 1);
  void drop_back(std::size_t count = 1);
  void set(std::size_t index, std::string_view item) { slots_[slot_of(index)].assign(item); }
  /// The new item stands at the index, which may be size().
  void insert(std::size_t index, std::string_view item);
  void erase(std::size_t index);
  /// Takes out items equal to one, at most so many, those nearest to an end first; how many it
  /// were.
  std::size_t remove(std::string_view item, std::size_t count_max, ListEnd nearest_to);
  void clear();
  /// Whether its memory is that of at most so many items, each of at most so many bytes.
  [[nodiscard]] bool is_small(std::size_t items_max, std::size_t bytes_max) const;

  friend bool operator==(const ListValue& a, const ListValue& b);

 private:
  // One item of more bytes than this gives its memory back when it is taken.
  static constexpr std::size_t kept_bytes_max = 1024;

  [[nodiscard]] std::size_t slot_of(std::size_t index) const {
    return (head_ + index) & (slots_.size() - 1);
  }
  void grow();
  void forget(std::size_t index);

  std::vector<std::string> slots_;  // a power of two of them, or none
  std::size_t head_ = 0;            // the slot of the first item
  std::size_t size_ = 0;
};

}  // namespace lockstep::redis
