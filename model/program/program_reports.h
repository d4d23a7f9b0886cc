// What a real program says of the lock, line by line, as observations of the checker.
//
//     ACQUIRING name                        it asks for the lock, and waits
//     ACQUIRED name [token] [valid_until]   it has it: from here on it believes to hold it
//     REFUSED name                          it was not given it
//     RELEASED name                         it is about to give it back
//     LOST name                             it was told that it has lost it
//
// `token` is the fencing token, or "-"; `valid_until` a reading of its wall clock in ms. Who says
// nothing of ACQUIRING has asked for the lock since its first request that names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "checker/history.h"
#include "checker/observations.h"
#include "model/client/client.h"

namespace lockstep::model {

class ProgramReports {
 public:
  /// Does not own; all outlive this. `lock_name` is the one lock of the scenario.
  ProgramReports(sim::Host& host, sim::ActorId thread, std::string_view lock_name,
                 const ClientEnvironment& environment);

  void start_run();
  /// Returns why the line can't be understood; empty: it could.
  [[nodiscard]] std::string tell(std::string_view line);
  /// A request is about to be sent; `names_lock` where one of its words is the lock's name.
  void on_request(bool names_lock);
  /// The process has ended, or died.
  void end();
  [[nodiscard]] bool is_at_work() const { return believed_count_ > 0 || wait_.has_value(); }
  [[nodiscard]] std::int64_t believed_count() const { return believed_count_; }
  [[nodiscard]] bool is_waiting() const { return wait_.has_value(); }
  [[nodiscard]] checker::NameId owner() const { return owner_; }

 private:
  void acquiring();
  void acquired(std::optional<std::int64_t> token, std::optional<std::int64_t> valid_until_ms);
  void refused();
  void released();
  void lost();
  void end_wait(checker::WaitEnd end, std::string_view outcome);
  [[nodiscard]] checker::Wait wait_for_lock() const;

  sim::Host& host_;
  const sim::ActorId thread_;
  const std::string lock_name_;
  const ClientEnvironment environment_;
  const checker::NameId owner_;
  const checker::NameId lock_;
  std::int64_t believed_count_ = 0;
  std::optional<std::size_t> wait_;          // that it has told of
  std::optional<checker::Moment> asked_at_;  // its first request that names the lock
  bool is_releasing_ = false;                // its next request that names the lock gives it back
};

}  // namespace lockstep::model
