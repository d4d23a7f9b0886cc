// What the reentrant lock's server scripts do, as its sequential specification says it: at most one
// owner at a time, who may hold the lock several times, and a lease that frees it.
//
// It knows nothing of Lua, hashes or expiring keys. Locks have the names that tests give them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace lockstep::test {

/// What the release script of each generation does where it has to say no, or is sent again.
enum class PlainRelease : std::uint8_t { oldest, unlatched, latched };

class PlainModel {
 public:
  /// Nothing, or a number.
  using Reply = std::optional<std::int64_t>;
  static constexpr std::int64_t latch_ms = 500;

  void advance_ms(std::int64_t ms) { elapsed_ms_ += ms; }

  /// For how long the lock stays another's, or nothing: then the owner has it now.
  Reply acquire(const std::string& lock, const std::string& owner, std::int64_t lease_ms) {
    if (const Hold* hold = find(lock); hold != nullptr && hold->owner != owner) {
      return hold->until_ms - elapsed_ms_;
    }
    const std::int64_t count = hold_count(lock) + 1;
    holds_[lock] = {owner, count, elapsed_ms_ + lease_ms};
    return std::nullopt;
  }

  /// 1: the lock is free now. 0: a hold stays. Nothing: the owner had none.
  Reply release(PlainRelease generation, const std::string& lock, const std::string& owner,
                std::int64_t lease_ms, const std::string& latch) {
    if (generation != PlainRelease::latched)
      return release_each_time(generation, lock, owner, lease_ms);
    if (const auto before = latches_.find(latch);
        before != latches_.end() && before->second.until_ms >= elapsed_ms_) {
      return before->second.reply;
    }
    const Reply reply = release_each_time(generation, lock, owner, lease_ms);
    if (reply) latches_[latch] = {*reply, elapsed_ms_ + latch_ms};
    return reply;
  }

  /// 1 where the owner has the lock, and now for so long.
  std::int64_t renew(const std::string& lock, const std::string& owner, std::int64_t lease_ms) {
    if (!is_held_by(lock, owner)) return 0;
    holds_[lock].until_ms = elapsed_ms_ + lease_ms;
    return 1;
  }

  /// 1 where somebody had the lock.
  std::int64_t force_release(const std::string& lock) {
    if (find(lock) == nullptr) return 0;
    free(lock);
    return 1;
  }

  /// As ScriptServer::data() shows it.
  [[nodiscard]] std::string data() const {
    std::string text;
    for (const auto& [lock, hold] : holds_) {
      append(text, lock + " {" + hold.owner + '=' + std::to_string(hold.count) + '}',
             hold.until_ms);
    }
    for (const auto& [name, latch] : latches_) {
      append(text, name + " \"" + std::to_string(latch.reply) + '"', latch.until_ms);
    }
    return text;
  }
  /// How often waiters were woken since the last call, as ScriptServer::messages() shows it.
  std::string messages() { return std::exchange(messages_, {}); }

 private:
  struct Hold {
    std::string owner;
    std::int64_t count = 0;
    std::int64_t until_ms = 0;
  };
  struct Latch {
    std::int64_t reply = 0;
    std::int64_t until_ms = 0;
  };

  [[nodiscard]] const Hold* find(const std::string& lock) const {
    const auto found = holds_.find(lock);
    return found != holds_.end() && found->second.until_ms >= elapsed_ms_ ? &found->second
                                                                          : nullptr;
  }
  [[nodiscard]] bool is_held_by(const std::string& lock, const std::string& owner) const {
    const Hold* hold = find(lock);
    return hold != nullptr && hold->owner == owner;
  }
  [[nodiscard]] std::int64_t hold_count(const std::string& lock) const {
    const Hold* hold = find(lock);
    return hold != nullptr ? hold->count : 0;
  }

  Reply release_each_time(PlainRelease generation, const std::string& lock,
                          const std::string& owner, std::int64_t lease_ms) {
    if (generation == PlainRelease::oldest && find(lock) == nullptr) {
      free(lock);
      return 1;
    }
    if (!is_held_by(lock, owner)) return std::nullopt;
    if (holds_[lock].count == 1) {
      free(lock);
      return 1;
    }
    holds_[lock].count -= 1;
    holds_[lock].until_ms = elapsed_ms_ + lease_ms;
    return 0;
  }

  /// And wakes waiters.
  void free(const std::string& lock) {
    holds_.erase(lock);
    messages_.append(messages_.empty() ? "" : " ").append("free");
  }

  void append(std::string& text, const std::string& key, std::int64_t until_ms) const {
    if (until_ms < elapsed_ms_) return;
    text.append(text.empty() ? "" : ", ").append(key);
    text.append(1, ' ').append(std::to_string(until_ms - elapsed_ms_)).append("ms");
  }

  std::int64_t elapsed_ms_ = 0;
  std::map<std::string, Hold> holds_;
  std::map<std::string, Latch> latches_;
  std::string messages_;
};

}  // namespace lockstep::test
