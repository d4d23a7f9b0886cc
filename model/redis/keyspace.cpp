#include "model/redis/keyspace.h"

#include <algorithm>
#include <cassert>

namespace lockstep::redis {
namespace {

// Memory beyond these is given back: one huge value should not stay for ever.
constexpr std::size_t spare_string_bytes_max = 1024;
constexpr std::size_t spare_hash_fields_max = 32;
constexpr std::size_t spare_list_items_max = 64;
constexpr std::size_t spare_set_members_max = 32;

bool is_small(const std::string& text) { return text.capacity() <= spare_string_bytes_max; }
bool is_small(const HashValue& hash) {
  return hash.is_small(spare_hash_fields_max, spare_string_bytes_max);
}
bool is_small(const ListValue& list) {
  return list.is_small(spare_list_items_max, spare_string_bytes_max);
}
bool is_small(const SetValue& set) {
  return set.is_small(spare_set_members_max, spare_string_bytes_max);
}
bool is_small(const SortedSetValue& set) { return set.is_small(spare_string_bytes_max); }

bool is_worth_keeping(const Entry& entry) {
  return std::visit([](const auto& value) { return is_small(value); }, entry.value);
}

}  // namespace

bool HashValue::is_small(std::size_t fields_max, std::size_t bytes_max) const {
  if (fields_.size() > fields_max) return false;
  return std::all_of(fields_.begin(), fields_.end(), [bytes_max](const Field& field) {
    return field.first.capacity() <= bytes_max && field.second.capacity() <= bytes_max;
  });
}

const std::string* HashValue::find(std::string_view field) const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (fields_[i].first == field) return &fields_[i].second;
  }
  return nullptr;
}

std::string* HashValue::find(std::string_view field) {
  return const_cast<std::string*>(std::as_const(*this).find(field));
}

bool HashValue::set(std::string_view field, std::string_view value) {
  if (std::string* present = find(field); present != nullptr) {
    present->assign(value);
    return false;
  }
  add(field, value);
  return true;
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
}

bool HashValue::erase(std::string_view field) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (fields_[i].first != field) continue;
    const auto begin = fields_.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(begin, begin + 1, fields_.begin() + static_cast<std::ptrdiff_t>(size_));
    --size_;
    return true;
  }
  return false;
}

bool operator==(const HashValue& a, const HashValue& b) {
  return std::equal(a.fields().begin(), a.fields().end(), b.fields().begin(), b.fields().end());
}

const Entry* Keyspace::stored(std::string_view key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

Entry* Keyspace::stored(std::string_view key) {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

const Entry* Keyspace::visible(std::string_view key, std::int64_t now_ms) const {
  const Entry* entry = stored(key);
  return entry == nullptr || entry->expired_at(now_ms) ? nullptr : entry;
}

Entry& Keyspace::put(std::string_view key, Entry entry) {
  const auto found = entries_.find(key);
  if (found != entries_.end()) return found->second = std::move(entry);
  return entries_.emplace(key, std::move(entry)).first->second;
}

bool Keyspace::erase(std::string_view key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return false;
  erase(found);
  return true;
}

void Keyspace::erase(Position position) {
  Spare& spare = spares_[position->second.value.index()];
  if (spare.size() < spare_max && is_worth_keeping(position->second)) {
    spare.push_back(entries_.extract(position));
  } else {
    entries_.erase(position);
  }
}

void Keyspace::clear() {
  while (!entries_.empty()) erase(entries_.begin());
}

template <class Type>
Entry& Keyspace::create(std::string_view key) {
  const Value empty(std::in_place_type<Type>);
  Spare& spare = spares_[empty.index()];
  if (spare.empty()) return entries_.emplace(key, Entry{empty, std::nullopt}).first->second;
  Map::node_type node = std::move(spare.back());
  spare.pop_back();
  node.key().assign(key);
  node.mapped().expire_at_ms.reset();
  std::get<Type>(node.mapped().value).clear();
  const auto inserted = entries_.insert(std::move(node));
  assert(inserted.inserted);
  return inserted.position->second;
}

template Entry& Keyspace::create<std::string>(std::string_view key);
template Entry& Keyspace::create<HashValue>(std::string_view key);
template Entry& Keyspace::create<ListValue>(std::string_view key);
template Entry& Keyspace::create<SetValue>(std::string_view key);
template Entry& Keyspace::create<SortedSetValue>(std::string_view key);

void Keyspace::copy_from(const Keyspace& other) {
  if (this == &other) return;
  clear();
  entries_ = other.entries_;
}

}  // namespace lockstep::redis
