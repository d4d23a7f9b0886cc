#include "redis/values/hash_value.h"

#include <algorithm>
#include <cassert>

#include "redis/values/byte_hash.h"

namespace lockstep::redis {

bool HashValue::is_small(std::size_t fields_max, std::size_t bytes_max) const {
  if (fields_.size() > fields_max) return false;
  return std::all_of(fields_.begin(), fields_.end(), [bytes_max](const Field& field) {
    return field.first.capacity() <= bytes_max && field.second.capacity() <= bytes_max;
  });
}

std::size_t HashValue::index_of(std::string_view field) const {
  if (is_table_) {
    const std::uint32_t found = slots_[slot_of(field)];
    return found == 0 ? nowhere : found - 1;
  }
  for (std::size_t i = 0; i < size_; ++i) {
    if (fields_[i].first == field) return i;
  }
  return nowhere;
}

const std::string* HashValue::find(std::string_view field) const {
  const std::size_t index = index_of(field);
  return index == nowhere ? nullptr : &fields_[index].second;
}

std::string* HashValue::find(std::string_view field) {
  return const_cast<std::string*>(std::as_const(*this).find(field));
}

bool HashValue::set(std::string_view field, std::string_view value) {
  const std::size_t index = index_of(field);
  if (index == nowhere) {
    add(field, value);
    return true;
  }
  fields_[index].second.assign(value);
  if (value.size() > small_bytes_max && !is_table_) become_table();
  return false;
}

void HashValue::add(std::string_view field, std::string_view value) {
  assert(find(field) == nullptr);
  if (size_ == fields_.size()) {
    fields_.emplace_back(field, value);
  } else {
    fields_[size_].first.assign(field);
    fields_[size_].second.assign(value);
  }
  ++size_;
  if (is_table_) return put_into_slot(size_ - 1);
  const bool is_long = field.size() > small_bytes_max || value.size() > small_bytes_max;
  if (is_long || size_ > small_fields_max) become_table();
}

bool HashValue::erase(std::string_view field) {
  const std::size_t index = index_of(field);
  if (index == nowhere) return false;
  if (is_table_) {
    erase_slot(slot_of(field));
    const std::size_t last = size_ - 1;
    if (index != last) {
      slots_[slot_of(fields_[last].first)] = static_cast<std::uint32_t>(index + 1);
      std::swap(fields_[index], fields_[last]);
    }
  } else {
    const auto begin = fields_.begin() + static_cast<std::ptrdiff_t>(index);
    std::rotate(begin, begin + 1, fields_.begin() + static_cast<std::ptrdiff_t>(size_));
  }
  --size_;
  if (has_expiries()) clear_expiry(field);
  return true;
}

std::optional<std::int64_t> HashValue::expiry_of(std::string_view field) const {
  const auto found = expiries_.find(field);
  if (found == expiries_.end()) return std::nullopt;
  return found->second;
}

void HashValue::set_expiry(std::string_view field, std::int64_t moment_ms) {
  assert(find(field) != nullptr);
  expiries_.insert_or_assign(std::string(field), moment_ms);
}

bool HashValue::clear_expiry(std::string_view field) {
  const auto found = expiries_.find(field);
  if (found == expiries_.end()) return false;
  expiries_.erase(found);
  return true;
}

void HashValue::clear() {
  expiries_.clear();
  size_ = 0;
  is_table_ = false;
  slots_.clear();
}

void HashValue::become_table() {
  is_table_ = true;
  std::size_t count = 16;
  while (count < size_ * 2) count *= 2;
  fill_slots(count);
}

void HashValue::fill_slots(std::size_t count) {
  slots_.assign(count, 0);
  for (std::size_t i = 0; i < size_; ++i) {
    slots_[slot_of(fields_[i].first)] = static_cast<std::uint32_t>(i + 1);
  }
}

void HashValue::put_into_slot(std::size_t index) {
  if (size_ * 2 > slots_.size()) return fill_slots(slots_.size() * 2);
  slots_[slot_of(fields_[index].first)] = static_cast<std::uint32_t>(index + 1);
}

std::size_t HashValue::home_of(std::string_view field) const {
  return static_cast<std::size_t>(byte_hash(field)) & (slots_.size() - 1);
}

std::size_t HashValue::slot_of(std::string_view field) const {
  std::size_t slot = home_of(field);
  while (slots_[slot] != 0 && fields_[slots_[slot] - 1].first != field) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

/// Those behind it that would no longer be found move up.
void HashValue::erase_slot(std::size_t slot) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t hole = slot;
  for (std::size_t next = (hole + 1) & mask; slots_[next] != 0; next = (next + 1) & mask) {
    const std::size_t home = home_of(fields_[slots_[next] - 1].first);
    if (((next - home) & mask) < ((next - hole) & mask)) continue;
    slots_[hole] = slots_[next];
    hole = next;
  }
  slots_[hole] = 0;
}

bool operator==(const HashValue& a, const HashValue& b) {
  return std::equal(a.fields().begin(), a.fields().end(), b.fields().begin(), b.fields().end()) &&
         a.expiries_ == b.expiries_;
}

}  // namespace lockstep::redis
