// What a FIFO lock with leases and deadlines is, for comparison with scripts/fair.
//
// One lock, which somebody may hold a number of times until a moment of the server's clock. Behind
// it a queue of waiters, each with a deadline by the callers' clocks. Whoever calls first takes the
// heads out whose deadline has come. A free lock goes to the head, or to anybody where nobody
// waits. A waiter's deadline is the moment at which who is ahead of it must have come, or the lease
// is over, plus its own wait; so that wait goes off all deadlines behind it when it takes the lock
// or gives up.
//
// Not covered: a queue and deadlines that don't fit together, as after the loss of one of the keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lockstep::test {

/// The old scripts tell a waiter that asks again how far its predecessor's deadline is, the current
/// ones how long the lease lasts.
enum class FairGeneration : std::uint8_t { old, current };

class FairModel {
 public:
  /// Nothing, or a number.
  using Reply = std::optional<std::int64_t>;

  explicit FairModel(FairGeneration generation) : generation_(generation) {}

  /// Time goes by on the server's clock.
  void advance_ms(std::int64_t ms) { elapsed_ms_ += ms; }

  Reply acquire(const std::string& owner, std::int64_t lease_ms, std::int64_t wait_ms,
                std::int64_t now_ms) {
    remove_timed_out_waiters(now_ms);
    if (take(owner, lease_ms, wait_ms)) return std::nullopt;
    if (const auto waiter = find(owner); waiter != queue_.end()) {
      return generation_ == FairGeneration::old ? waiter->deadline_ms - wait_ms - now_ms
                                                : std::max(std::int64_t{0}, lease_left_ms());
    }
    const std::int64_t left_ms =
        queue_.empty() ? lease_left_ms() : queue_.back().deadline_ms - now_ms;
    queue_.push_back({owner, now_ms + left_ms + wait_ms});
    return left_ms;
  }

  Reply try_acquire(const std::string& owner, std::int64_t lease_ms, std::int64_t wait_ms,
                    std::int64_t now_ms) {
    remove_timed_out_waiters(now_ms);
    return take(owner, lease_ms, wait_ms) ? Reply() : 1;
  }

  void give_up(const std::string& owner, std::int64_t wait_ms) {
    if (const auto waiter = find(owner); waiter != queue_.end()) {
      shorten_deadlines(queue_.erase(waiter), wait_ms);
    }
  }

  /// A release with a latch is done once, however often it comes; without one (empty) each time.
  Reply release(const std::string& owner, std::int64_t lease_ms, std::int64_t now_ms,
                const std::string& latch) {
    if (const Latch* before = find_latch(latch)) return before->reply;
    remove_timed_out_waiters(now_ms);
    if (is_held() && hold_->owner != owner) return std::nullopt;
    if (is_held() && --hold_->count > 0) {
      hold_->until_ms = elapsed_ms_ + lease_ms;
      return remember(latch, 0);
    }
    hold_.reset();
    notify_first_waiter();
    return remember(latch, 1);
  }

  Reply renew(const std::string& owner, std::int64_t lease_ms) {
    if (!is_held() || hold_->owner != owner) return 0;
    hold_->until_ms = elapsed_ms_ + lease_ms;
    return 1;
  }

  Reply force_release(std::int64_t now_ms) {
    remove_timed_out_waiters(now_ms);
    if (!is_held()) return 0;
    hold_.reset();
    notify_first_waiter();
    return 1;
  }

  /// As ScriptServer::data() shows it.
  [[nodiscard]] std::string data() const {
    std::vector<std::string> keys;
    if (is_held()) {
      keys.push_back("L {" + hold_->owner + '=' + std::to_string(hold_->count) + "} " +
                     std::to_string(lease_left_ms()) + "ms");
    }
    if (!queue_.empty()) {
      keys.push_back("Q [" + joined(queue_, [](const Waiter& waiter) { return waiter.owner; }) +
                     "] -");
      std::vector<Waiter> by_deadline = queue_;
      std::sort(by_deadline.begin(), by_deadline.end());
      keys.push_back("T <" +
                     joined(by_deadline,
                            [](const Waiter& waiter) {
                              return waiter.owner + ':' + std::to_string(waiter.deadline_ms);
                            }) +
                     "> -");
    }
    for (const auto& [name, latch] : latches_) {
      if (latch.until_ms < elapsed_ms_) continue;
      keys.push_back(name + " \"" + std::to_string(latch.reply) + "\" " +
                     std::to_string(latch.until_ms - elapsed_ms_) + "ms");
    }
    std::string text;
    for (const std::string& key : keys) text.append(text.empty() ? "" : ", ").append(key);
    return text;
  }
  /// Whom a message has woken since the last call, as ScriptServer::published() shows it.
  std::string published() { return std::exchange(published_, {}); }

  static constexpr std::int64_t latch_ms = 500;

 private:
  struct Hold {
    std::string owner;
    std::int64_t count = 0;
    std::int64_t until_ms = 0;
  };
  struct Waiter {
    std::string owner;
    std::int64_t deadline_ms = 0;

    friend bool operator<(const Waiter& a, const Waiter& b) {
      return std::tie(a.deadline_ms, a.owner) < std::tie(b.deadline_ms, b.owner);
    }
  };
  struct Latch {
    std::int64_t reply = 0;
    std::int64_t until_ms = 0;
  };
  using Queue = std::vector<Waiter>;

  [[nodiscard]] bool is_held() const { return hold_ && hold_->until_ms >= elapsed_ms_; }
  /// As PTTL: -2 where there is no lock.
  [[nodiscard]] std::int64_t lease_left_ms() const {
    return is_held() ? hold_->until_ms - elapsed_ms_ : -2;
  }

  /// Whether the owner has the lock now.
  bool take(const std::string& owner, std::int64_t lease_ms, std::int64_t wait_ms) {
    if (is_held()) {
      if (hold_->owner != owner) return false;
      hold_->count += 1;
      hold_->until_ms = elapsed_ms_ + lease_ms;
      return true;
    }
    if (!queue_.empty()) {
      if (queue_.front().owner != owner) return false;
      shorten_deadlines(queue_.erase(queue_.begin()), wait_ms);
    }
    hold_ = Hold{owner, 1, elapsed_ms_ + lease_ms};
    return true;
  }

  Queue::iterator find(const std::string& owner) {
    return std::find_if(queue_.begin(), queue_.end(),
                        [&](const Waiter& waiter) { return waiter.owner == owner; });
  }
  void remove_timed_out_waiters(std::int64_t now_ms) {
    while (!queue_.empty() && queue_.front().deadline_ms <= now_ms) queue_.erase(queue_.begin());
  }
  void shorten_deadlines(Queue::iterator first, std::int64_t by_ms) {
    for (; first != queue_.end(); ++first) first->deadline_ms -= by_ms;
  }
  void notify_first_waiter() {
    if (queue_.empty()) return;
    published_.append(published_.empty() ? "" : ", ");
    published_.append("channel:").append(queue_.front().owner).append(" free");
  }

  [[nodiscard]] const Latch* find_latch(const std::string& name) const {
    const auto found = latches_.find(name);
    return found != latches_.end() && found->second.until_ms >= elapsed_ms_ ? &found->second
                                                                            : nullptr;
  }
  Reply remember(const std::string& latch, std::int64_t reply) {
    if (!latch.empty()) latches_[latch] = {reply, elapsed_ms_ + latch_ms};
    return reply;
  }

  template <class Text>
  static std::string joined(const Queue& waiters, Text text_of) {
    std::string text;
    for (const Waiter& waiter : waiters) {
      if (!text.empty()) text += ' ';
      text += text_of(waiter);
    }
    return text;
  }

  FairGeneration generation_;
  std::int64_t elapsed_ms_ = 0;
  std::optional<Hold> hold_;
  Queue queue_;
  std::map<std::string, Latch> latches_;
  std::string published_;
};

}  // namespace lockstep::test
