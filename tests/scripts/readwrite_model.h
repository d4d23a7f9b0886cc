// What the read-write lock's server scripts do, as its sequential specification says it: what each
// operation replies, publishes and leaves behind, for the current releases of the scripts and the
// older ones. It knows nothing of Lua or Redis; names of keys are the ones that data() shows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::test {

class ReadWriteModel {
 public:
  enum class Generation { current, older };
  explicit ReadWriteModel(Generation generation) : generation_(generation) {}

  static constexpr const char* nil = "(nil)";
  static constexpr std::int64_t latch_ms = 500;

  /// A key is there until its lease is over, to the millisecond.
  void advance_ms(std::int64_t ms) {
    now_ms_ += ms;
    if (lock_ && lock_->ends_ms < now_ms_) lock_.reset();
    std::erase_if(timeouts_, [&](const auto& each) { return each.second < now_ms_; });
    std::erase_if(latches_, [&](const auto& each) { return each.second.ends_ms < now_ms_; });
  }

  std::string read_acquire(const std::string& owner, std::int64_t lease_ms) {
    if (lock_ && lock_->is_writers && !count_of(writer(owner))) return integer(left_ms());
    if (!lock_) lock_ = Lock{false, {}, now_ms_};
    const int count = add(owner, 1);
    timeouts_[timeout_key(owner, count)] = now_ms_ + lease_ms;
    lock_->ends_ms = std::max(lock_->ends_ms, now_ms_ + lease_ms);
    return nil;
  }

  std::string write_acquire(const std::string& owner, std::int64_t lease_ms) {
    if (lock_ && !count_of(writer(owner))) return integer(left_ms());
    if (!lock_) lock_ = Lock{true, {}, now_ms_};
    add(writer(owner), 1);
    lock_->ends_ms += lease_ms;  // to what is left
    return nil;
  }

  std::string read_release(const std::string& owner, const std::string& latch) {
    if (const auto known = latched(latch)) return integer(*known);
    if (!lock_) return release_of_nothing();
    if (!count_of(owner)) return nil;
    timeouts_.erase(timeout_key(owner, add(owner, -1) + 1));
    const std::int64_t longest_ms = longest_lease_of_readers_ms();
    if (longest_ms > 0) lock_->ends_ms = now_ms_ + longest_ms;
    if (longest_ms > 0 || lock_->is_writers) return write_latch(latch, 0);
    free();
    return write_latch(latch, 1);
  }

  std::string write_release(const std::string& owner, std::int64_t lease_ms,
                            const std::string& latch) {
    if (const auto known = latched(latch)) return integer(*known);
    if (!lock_) return release_of_nothing();
    if (!count_of(writer(owner))) return nil;
    if (add(writer(owner), -1) > 0) {
      lock_->ends_ms = now_ms_ + lease_ms;
      return write_latch(latch, 0);
    }
    lock_->is_writers = false;
    if (lock_->holds.empty()) free();
    return write_latch(latch, 1);
  }

  std::string read_renew(const std::string& owner, std::int64_t lease_ms) {
    if (!count_of(owner)) return integer(0);
    lock_->ends_ms = now_ms_ + lease_ms;
    for (const auto& [who, count] : lock_->holds) {
      if (generation_ == Generation::current && who != owner) continue;
      for (int n = 1; n <= count; ++n) {
        const auto timeout = timeouts_.find(timeout_key(who, n));
        if (timeout != timeouts_.end()) timeout->second = now_ms_ + lease_ms;
      }
    }
    return integer(1);
  }

  std::string write_renew(const std::string& owner, std::int64_t lease_ms) {
    if (!count_of(writer(owner))) return integer(0);
    lock_->ends_ms = now_ms_ + lease_ms;
    return integer(1);
  }

  std::string force_release() {
    if (!lock_) return integer(0);
    free();
    return integer(1);
  }

  /// Whoever writes is alone, apart from the holds that it has as a reader.
  [[nodiscard]] bool is_exclusive() const {
    if (!lock_) return true;
    return std::all_of(lock_->holds.begin(), lock_->holds.end(), [&](const auto& hold) {
      if (!lock_->is_writers) return !hold.first.ends_with(":write");
      return hold.first.starts_with(lock_->holds.front().first.substr(0, 1));
    });
  }

  /// As ScriptServer says it.
  [[nodiscard]] std::string data() const {
    std::string text;
    const auto show = [&](const std::string& key, const std::string& value, std::int64_t ends_ms) {
      text += text.empty() ? "" : ", ";
      text += key + ' ' + value + ' ' + std::to_string(ends_ms - now_ms_) + "ms";
    };
    if (lock_) {
      std::string fields = lock_->is_writers ? "{mode=write" : "{mode=read";
      for (const auto& [who, count] : lock_->holds)
        fields += ' ' + who + '=' + std::to_string(count);
      show("L", fields + '}', lock_->ends_ms);
    }
    for (const auto& [key, latch] : latches_) {
      show(key, '"' + std::to_string(latch.said) + '"', latch.ends_ms);
    }
    for (const auto& [key, ends_ms] : timeouts_) show(key, "\"1\"", ends_ms);
    return text;
  }
  std::string messages() { return std::exchange(messages_, {}); }

 private:
  struct Lock {
    bool is_writers;
    std::vector<std::pair<std::string, int>> holds;  ///< by the time of the first
    std::int64_t ends_ms;
  };
  struct Latch {
    int said;
    std::int64_t ends_ms;
  };

  static std::string writer(const std::string& owner) { return owner + ":write"; }
  static std::string timeout_key(const std::string& owner, int n) {
    return "{L}:" + owner + ":rwlock_timeout:" + std::to_string(n);
  }
  static std::string integer(std::int64_t value) { return "(integer) " + std::to_string(value); }

  [[nodiscard]] std::int64_t left_ms() const { return lock_->ends_ms - now_ms_; }

  [[nodiscard]] int count_of(const std::string& who) const {
    if (!lock_) return 0;
    for (const auto& [each, count] : lock_->holds) {
      if (each == who) return count;
    }
    return 0;
  }

  /// How many holds `who` has then; who has none is not there.
  int add(const std::string& who, int holds) {
    auto hold = std::find_if(lock_->holds.begin(), lock_->holds.end(),
                             [&](const auto& each) { return each.first == who; });
    if (hold == lock_->holds.end()) {
      hold = lock_->holds.insert(lock_->holds.end(), {who, 0});
    }
    const int count = hold->second += holds;
    if (count == 0) lock_->holds.erase(hold);
    return count;
  }

  /// 0 where no reader is left whose lease is not over.
  [[nodiscard]] std::int64_t longest_lease_of_readers_ms() const {
    std::int64_t longest_ms = 0;
    for (const auto& [who, count] : lock_->holds) {
      for (int n = 1; n <= count; ++n) {
        const auto timeout = timeouts_.find(timeout_key(who, n));
        if (timeout != timeouts_.end())
          longest_ms = std::max(longest_ms, timeout->second - now_ms_);
      }
    }
    return longest_ms;
  }

  void publish() { messages_ += messages_.empty() ? "free" : " free"; }
  void free() {
    lock_.reset();
    publish();
  }
  std::string release_of_nothing() {
    publish();
    return generation_ == Generation::current ? nil : integer(1);
  }

  [[nodiscard]] std::optional<int> latched(const std::string& latch) const {
    const auto found = latches_.find(latch);
    return found == latches_.end() ? std::nullopt : std::optional(found->second.said);
  }
  std::string write_latch(const std::string& latch, int said) {
    if (generation_ == Generation::current) latches_[latch] = {said, now_ms_ + latch_ms};
    return integer(said);
  }

  Generation generation_;
  std::int64_t now_ms_ = 0;
  std::optional<Lock> lock_;
  std::map<std::string, std::int64_t> timeouts_;  ///< when each ends
  std::map<std::string, Latch> latches_;
  std::string messages_;
};

}  // namespace lockstep::test
