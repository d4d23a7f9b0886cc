#include "redis/server/memory_ledger.h"

namespace lockstep::redis {

void MemoryLedger::set(std::string_view key, std::uint64_t bytes) {
  auto found = accounts_.find(key);
  if (found == accounts_.end()) {
    found = accounts_.emplace(key, Account{0, places_.size()}).first;
    places_.push_back(found);
  }
  bytes_ += bytes - found->second.bytes;
  found->second.bytes = bytes;
}

void MemoryLedger::remove(std::string_view key) {
  const auto found = accounts_.find(key);
  if (found == accounts_.end()) return;
  bytes_ -= found->second.bytes;
  const std::size_t place = found->second.place;
  places_[place] = places_.back();
  places_[place]->second.place = place;
  places_.pop_back();
  accounts_.erase(found);
}

void MemoryLedger::clear() {
  accounts_.clear();
  places_.clear();
  bytes_ = 0;
}

}  // namespace lockstep::redis
