// The objects of all models as plain programs: for the brute force and for the generators.
//
// They share nothing with checker/recorded/specifications: ordinary maps and strings, copied
// freely.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "checker/recorded/history.h"
#include "checker/recorded/model.h"

namespace lockstep::checker::recorded::testing {

class ReferenceObject {
 public:
  ReferenceObject(const Texts& texts, Model model, const Settings& settings);

  /// Whether the object would refuse the request now (a lock that is held, a value that differs).
  [[nodiscard]] bool refuses(const Operation& operation) const;
  /// REQUIRES: it doesn't refuse. `token`: what a fenced lock gives out; must be fit.
  void execute(const Operation& operation, std::int64_t token);
  /// What a read would see now.
  [[nodiscard]] std::string value(TextId key) const;
  /// The lowest token that an acquire may be given now.
  [[nodiscard]] std::int64_t lowest_token() const;
  [[nodiscard]] bool holds(TextId owner) const { return holds_.count(owner) != 0; }
  [[nodiscard]] std::int64_t permits_out() const { return out_; }

  /// fifo-mutex: the queue of requests, by their number.
  void enter(std::uint32_t request) { queue_.push_back(request); }
  void leave(std::uint32_t request);
  [[nodiscard]] bool is_first(std::uint32_t request) const {
    return !queue_.empty() && queue_.front() == request;
  }
  [[nodiscard]] bool is_queued(std::uint32_t request) const;

  /// Equal iff the objects are.
  [[nodiscard]] std::string key() const;

 private:
  [[nodiscard]] bool others_hold(const std::map<TextId, int>& holds, TextId owner) const;
  [[nodiscard]] std::string text(TextId id) const { return std::string(texts_->text(id)); }

  const Texts* texts_;
  Model model_;
  std::map<TextId, std::string> values_;
  std::string initial_;
  std::map<TextId, int> holds_;  // of a lock, or for writing
  std::map<TextId, int> reads_;
  bool is_held_ = false;  // a mutex without owners
  std::int64_t token_ = -1;
  std::int64_t total_ = 0;
  std::int64_t out_ = 0;
  std::deque<std::uint32_t> queue_;
};

}  // namespace lockstep::checker::recorded::testing
