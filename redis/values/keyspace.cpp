#include "redis/values/keyspace.h"

#include <algorithm>

#include "redis/values/rdb_load_encoding.h"

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

const Entry* Keyspace::stored(std::string_view key) const {
  if (is_recent(key)) return &recent_->second;
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

Entry* Keyspace::stored(std::string_view key) {
  const Position found = find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

const Entry* Keyspace::visible(std::string_view key, std::int64_t now_ms) const {
  const Entry* entry = stored(key);
  return entry == nullptr || entry->expired_at(now_ms) ? nullptr : entry;
}

Entry& Keyspace::put(std::string_view key, Entry entry) {
  const auto found = entries_.find(key);
  if (found != entries_.end()) return found->second = std::move(entry);
  return added(entries_.emplace(key, std::move(entry)).first)->second;
}

bool Keyspace::erase(std::string_view key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return false;
  erase(found);
  return true;
}

void Keyspace::erase(Position position) {
  if (position == recent_) recent_ = entries_.end();
  if (scan_order_) scan_order_->remove(position->first);
  Spare& spare = spares_[position->second.value.index()];
  if (spare.size() < spare_max && is_worth_keeping(position->second)) {
    spare.push_back(entries_.extract(position));
  } else {
    entries_.erase(position);
  }
}

void Keyspace::clear() {
  scan_order_.reset();
  while (!entries_.empty()) erase(entries_.begin());
}

template <class Type>
Entry& Keyspace::create(std::string_view key) {
  const Value empty(std::in_place_type<Type>);
  Spare& spare = spares_[empty.index()];
  if (spare.empty()) {
    const auto [position, is_new] = entries_.emplace(key, Entry{empty, {}});
    if (is_new) return added(position)->second;
    return position->second = Entry{empty, {}};
  }
  Map::node_type node = std::move(spare.back());
  spare.pop_back();
  node.key().assign(key);
  node.mapped().expire_at_ms.reset();
  node.mapped().form = StringEncoding::natural;
  std::get<Type>(node.mapped().value).clear();
  auto inserted = entries_.insert(std::move(node));
  if (inserted.inserted) return added(inserted.position)->second;
  return inserted.position->second = std::move(inserted.node.mapped());
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
  for (auto& [key, entry] : entries_) apply_rdb_load_encoding(entry);
}

void Keyspace::swap(Keyspace& other) {
  entries_.swap(other.entries_);
  recent_ = entries_.end();
  other.recent_ = other.entries_.end();
  scan_order_.swap(other.scan_order_);
}

void Keyspace::move_entry(Position position, Keyspace& target, std::string_view key) {
  if (scan_order_) scan_order_->remove(position->first);
  if (position == recent_) recent_ = entries_.end();
  Map::node_type node = entries_.extract(position);
  node.key() = key;
  auto inserted = target.entries_.insert(std::move(node));
  if (inserted.inserted) {
    target.added(inserted.position);
  } else {
    inserted.position->second = std::move(inserted.node.mapped());
  }
}

const ScanOrder& Keyspace::scan_order() {
  if (!scan_order_) {
    scan_order_.emplace();
    for (const auto& [key, entry] : entries_) scan_order_->add(key);
  }
  return *scan_order_;
}

}  // namespace lockstep::redis
