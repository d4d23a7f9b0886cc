// A database's keys and values, as a part of a state.
//
// Keys are in their order, so no order of insertion shows. The order of a hash's fields is part of
// it: HGETALL tells it. What a key's life has left is in ms of its server's clock.
//
// Not state: spares_ (memory), recent_ (a key that is found faster).
#include <algorithm>

#include "redis/values/keyspace.h"
#include "sim/digest.h"

namespace lockstep::redis {
namespace {

void add_value(sim::Digest& digest, const std::string& text) { digest.add(std::string_view(text)); }

void add_value(sim::Digest& digest, const HashValue& hash) {
  digest.add(hash.is_table());
  digest.add(hash.size());
  for (const auto& [field, value] : hash.fields()) {
    digest.add(std::string_view(field));
    digest.add(std::string_view(value));
  }
}

void add_value(sim::Digest& digest, const ListValue& list) {
  digest.add(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) digest.add(std::string_view(list[i]));
}

void add_value(sim::Digest& digest, const SetValue& set) {
  digest.add(set.is_intset());
  digest.add(set.size());
  set.visit([&](std::string_view member) { digest.add(member); });
  if (!digest.grain().scans || set.is_intset()) return;
  for (std::size_t place = 0; place < set.place_count(); ++place) {
    const std::string* const member = set.in_place(place);
    digest.add(member == nullptr ? std::string_view() : std::string_view(*member));
  }
}

void add_value(sim::Digest& digest, const SortedSetValue& set) {
  digest.add(set.is_listpack());
  digest.add(set.size());
  set.visit(0, set.size(), Direction::forward, [&](const SortedSetValue::Item& item) {
    digest.add(item.score);
    digest.add(std::string_view(item.member));
  });
  if (!digest.grain().scans) return;
  for (std::size_t place = 0; place < set.place_count(); ++place) {
    const SortedSetValue::Item* const item = set.in_place(place);
    digest.add(item == nullptr ? std::string_view() : std::string_view(item->member));
  }
}

/// What is over is not seen, but counts until somebody comes by.
void add_expiries(sim::Digest& digest, const HashValue& hash, std::int64_t now_ms) {
  digest.add(hash.expiries().size());
  for (const auto& [field, moment_ms] : hash.expiries()) {
    digest.add(std::string_view(field));
    const bool is_over = now_ms > moment_ms && !digest.grain().clocks_go_back;
    digest.add(is_over
                   ? ~std::uint64_t{0}
                   : static_cast<std::uint64_t>(moment_ms) - static_cast<std::uint64_t>(now_ms));
  }
}

}  // namespace

void Keyspace::digest_into(sim::Digest& digest, std::int64_t now_ms) const {
  digest.add(entries_.size());
  for (const auto& [key, entry] : entries_) {
    digest.add(std::string_view(key));
    digest.add(entry.form);
    digest.add(entry.expire_at_ms.has_value());
    if (entry.expire_at_ms) {
      const bool is_over = entry.expired_at(now_ms) && !digest.grain().clocks_go_back;
      digest.add(is_over ? ~std::uint64_t{0}
                         : static_cast<std::uint64_t>(*entry.expire_at_ms) -
                               static_cast<std::uint64_t>(now_ms));
    }
    digest.add(entry.value.index());
    std::visit([&](const auto& value) { add_value(digest, value); }, entry.value);
    const auto* const hash = std::get_if<HashValue>(&entry.value);
    if (hash != nullptr && hash->has_expiries()) add_expiries(digest, *hash, now_ms);
  }
  // The places of keys depend on all that ever was here.
  if (scan_order_) digest.mark_unmergeable();
}

}  // namespace lockstep::redis
