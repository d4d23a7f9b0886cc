#include "sim/digest.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/mixing.h"
#include "sim/network.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lockstep::sim {
namespace {

constexpr std::size_t names_at_first = 128;

}  // namespace

void Digest::begin(TimeNs now, std::uint64_t history, const Network& network,
                   const DigestGrain& grain) {
  now_ = now;
  history_ = history;
  network_ = &network;
  grain_ = grain;
  is_unmergeable_ = false;
  words_.clear();
  parts_.clear();
  named_ = 0;
  next_name_.fill(0);
  if (names_.empty()) names_.resize(names_at_first);
  if (++use_ != 0) return;
  std::fill(names_.begin(), names_.end(), Entry{});
  use_ = 1;
}

Digest::Value Digest::value() const {
  const std::uint64_t seed = is_unmergeable_ ? history_ | 1U : 0;
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(words_.data(), words_.size() * sizeof(std::uint64_t), seed);
  return {hash.high64, hash.low64};
}

std::uint64_t Digest::value_of_part(std::size_t part) const {
  const std::size_t begin = parts_[part].begin;
  const std::size_t end = part + 1 < parts_.size() ? parts_[part + 1].begin : words_.size();
  return XXH3_64bits(words_.data() + begin, (end - begin) * sizeof(std::uint64_t));
}

void Digest::add(double number) { words_.push_back(std::bit_cast<std::uint64_t>(number)); }

/// Its length, then its bytes, eight to a word.
void Digest::add(std::string_view text) {
  constexpr std::size_t bytes = sizeof(std::uint64_t);
  const std::size_t begin = words_.size();
  words_.resize(begin + 1 + (text.size() + bytes - 1) / bytes, 0);
  words_[begin] = text.size();
  if (!text.empty()) std::memcpy(words_.data() + begin + 1, text.data(), text.size());
}

Digest::Found Digest::find(NamedKind kind, std::uint64_t owner, std::uint64_t number) {
  const std::size_t mask = names_.size() - 1;
  std::size_t place = static_cast<std::size_t>(
      mixed(number, owner * (kinds + 1) + static_cast<std::uint64_t>(kind)));
  for (place &= mask;; place = (place + 1) & mask) {
    Entry& entry = names_[place];
    if (entry.use != use_) {
      entry = {owner, number, use_, next_name_[static_cast<std::size_t>(kind)]++, kind};
      const Found found{entry.name, true};
      if (2 * ++named_ > names_.size()) grow();
      return found;
    }
    if (entry.number == number && entry.owner == owner && entry.kind == kind) {
      return {entry.name, false};
    }
  }
}

void Digest::grow() {
  std::vector<Entry> wider(2 * names_.size());
  const std::size_t mask = wider.size() - 1;
  for (const Entry& entry : names_) {
    if (entry.use != use_) continue;
    std::size_t place = static_cast<std::size_t>(
        mixed(entry.number, entry.owner * (kinds + 1) + static_cast<std::uint64_t>(entry.kind)));
    for (place &= mask; wider[place].use == use_;) place = (place + 1) & mask;
    wider[place] = entry;
  }
  names_.swap(wider);
}

std::optional<std::uint32_t> Digest::find_name(NamedKind kind, std::uint64_t number) const {
  const std::size_t mask = names_.size() - 1;
  std::size_t place =
      static_cast<std::size_t>(mixed(number, static_cast<std::uint64_t>(kind))) & mask;
  for (; names_[place].use == use_; place = (place + 1) & mask) {
    const Entry& entry = names_[place];
    if (entry.number == number && entry.owner == 0 && entry.kind == kind) return entry.name;
  }
  return std::nullopt;
}

void Digest::name(NamedKind kind, std::uint64_t owner, std::uint64_t number) {
  words_.push_back(find(kind, owner, number).name);
}

void Digest::add_connection(ConnectionId connection) {
  const auto number = static_cast<std::uint32_t>(connection);
  add(number == 0);
  if (number != 0 && is_new(NamedKind::connection, number)) {
    network_->digest_connection(*this, connection);
  }
}

void Digest::add_request(ConnectionId connection, std::uint64_t number) {
  add(number == 0);
  if (number == 0) return;
  name(NamedKind::request, static_cast<std::uint64_t>(network_->caller_of(connection)), number);
}

bool Digest::is_new(NamedKind kind, std::uint64_t number) {
  const Found found = find(kind, 0, number);
  words_.push_back(found.name);
  return found.is_new;
}

}  // namespace lockstep::sim
