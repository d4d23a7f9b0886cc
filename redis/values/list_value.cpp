#include "redis/values/list_value.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockstep::redis {

void ListValue::grow() {
  constexpr std::size_t slots_min = 4;
  std::vector<std::string> wider(std::max(slots_min, slots_.size() * 2));
  for (std::size_t i = 0; i < size_; ++i) wider[i] = std::move(slots_[slot_of(i)]);
  slots_ = std::move(wider);
  head_ = 0;
}

void ListValue::push_front(std::string_view item) {
  if (size_ == slots_.size()) grow();
  head_ = slot_of(slots_.size() - 1);
  ++size_;
  slots_[head_].assign(item);
}

void ListValue::push_back(std::string_view item) {
  if (size_ == slots_.size()) grow();
  slots_[slot_of(size_)].assign(item);
  ++size_;
}

void ListValue::forget(std::size_t index) {
  std::string& item = slots_[slot_of(index)];
  if (item.capacity() > kept_bytes_max) std::string().swap(item);
}

void ListValue::drop_front(std::size_t count) {
  assert(count <= size_);
  for (std::size_t i = 0; i < count; ++i) forget(i);
  if (count > 0) head_ = slot_of(count);
  size_ -= count;
}

void ListValue::drop_back(std::size_t count) {
  assert(count <= size_);
  for (std::size_t i = 0; i < count; ++i) forget(size_ - 1 - i);
  size_ -= count;
}

void ListValue::insert(std::size_t index, std::string_view item) {
  assert(index <= size_);
  if (index < size_ / 2) {
    push_front(item);
    for (std::size_t i = 0; i < index; ++i) slots_[slot_of(i)].swap(slots_[slot_of(i + 1)]);
  } else {
    push_back(item);
    for (std::size_t i = size_ - 1; i > index; --i) slots_[slot_of(i)].swap(slots_[slot_of(i - 1)]);
  }
}

void ListValue::erase(std::size_t index) {
  assert(index < size_);
  if (index < size_ / 2) {
    for (std::size_t i = index; i > 0; --i) slots_[slot_of(i)].swap(slots_[slot_of(i - 1)]);
    drop_front();
  } else {
    for (std::size_t i = index; i + 1 < size_; ++i) slots_[slot_of(i)].swap(slots_[slot_of(i + 1)]);
    drop_back();
  }
}

std::size_t ListValue::remove(std::string_view item, std::size_t count_max, ListEnd nearest_to) {
  const auto slot_from_end = [&](std::size_t index) {
    return slot_of(nearest_to == ListEnd::left ? index : size_ - 1 - index);
  };
  std::size_t removed = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    std::string& here = slots_[slot_from_end(i)];
    if (removed < count_max && here == item) {
      ++removed;
    } else if (removed > 0) {
      here.swap(slots_[slot_from_end(i - removed)]);
    }
  }
  drop(nearest_to == ListEnd::left ? ListEnd::right : ListEnd::left, removed);
  return removed;
}

void ListValue::clear() {
  drop_back(size_);
  head_ = 0;
}

bool ListValue::is_small(std::size_t items_max, std::size_t bytes_max) const {
  if (slots_.size() > items_max) return false;
  return std::all_of(slots_.begin(), slots_.end(),
                     [bytes_max](const std::string& item) { return item.capacity() <= bytes_max; });
}

bool operator==(const ListValue& a, const ListValue& b) {
  if (a.size_ != b.size_) return false;
  for (std::size_t i = 0; i < a.size_; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace lockstep::redis
