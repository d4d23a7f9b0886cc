// A simulated server with everything it says recorded, for tests.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/server/server_listener.h"
#include "redis/server/server_types.h"

namespace lockstep::redis {
class ReplyWriter;
class ScriptEngine;
class Server;
struct Reply;
struct ServerOptions;
}  // namespace lockstep::redis

namespace lockstep::redis::test {

/// One engine for all tests of the process, as one serves all servers of a simulation.
ScriptEngine& shared_script_engine();
/// Replaces it by a new one, which remembers no script. REQUIRES: no server is there.
void renew_script_engine();

class SimulatedServer final : private ServerListener {
 public:
  /// Starts the server at 2023-11-14 22:13:20 UTC.
  SimulatedServer();
  explicit SimulatedServer(const ServerOptions& options);
  ~SimulatedServer();

  static constexpr std::int64_t start_us = 1'700'000'000'000'000;
  static constexpr std::int64_t start_ms = start_us / 1000;

  [[nodiscard]] Server& server() { return *server_; }
  void start(const ServerOptions& options);
  void set_time_us(std::int64_t unix_time_us);
  void advance_ms(std::int64_t ms) { set_time_us(now_us_ + ms * 1000); }
  [[nodiscard]] std::int64_t now_us() const { return now_us_; }

  SessionId open();
  void close(SessionId session);
  /// Pushes to the session are written there as they come, until null is given.
  void set_output(SessionId session, std::string* out);
  /// Whether the server has ended the session (QUIT, CLIENT KILL).
  [[nodiscard]] bool is_ended(SessionId session) const { return ended_.contains(session); }
  /// The reply of a command in the first session. REQUIRES: it does not block.
  Reply run(std::initializer_list<std::string_view> words);
  /// The same for words parted by blanks.
  Reply run(std::string_view line);
  Reply run_in(SessionId session, std::string_view line);
  Reply run_in(SessionId session, std::span<const std::string_view> words);
  /// The same for any command; where it blocks, its reply comes later, as a push, when it is served
  /// or when set_time_us() passes its time-out.
  ExecuteResult try_run_in(SessionId session, std::span<const std::string_view> words,
                           ReplyWriter& reply);
  /// Whether a command of try_run_in still waits.
  [[nodiscard]] bool is_blocked(SessionId session) const { return deadlines_ms_.contains(session); }
  /// For commands that block: true where it did.
  bool blocks(SessionId session, std::string_view line);

  /// The replication stream since the last call.
  std::string take_stream() { return std::exchange(stream_, {}); }
  /// The same as one line a request: "MULTI / DEL L / EXEC".
  std::string take_requests();
  /// What came for a session of the server's own accord since the last call, each described.
  std::vector<std::string> take_pushes(SessionId session);
  std::vector<Reply> take_push_replies(SessionId session);
  [[nodiscard]] std::int64_t acknowledgements_wanted() const { return acknowledgements_wanted_; }
  [[nodiscard]] std::int64_t last_offset_told() const { return last_offset_told_; }

  static constexpr SessionId first{0};

 private:
  void on_push(SessionId session, const Reply& push) override;
  void on_closed(SessionId session) override { ended_.insert(session); }
  void on_unblocked(SessionId session, const Reply& reply) override;
  void on_unblocked_silently(SessionId session) override { deadlines_ms_.erase(session); }
  void on_propagated(std::string_view bytes, std::int64_t offset_after) override;
  void on_getack_wanted() override { ++acknowledgements_wanted_; }
  std::uint64_t random_below(std::uint64_t bound) override { return random_() % bound; }

  void unblock_late();

  std::unique_ptr<Server> server_;
  std::mt19937_64 random_;                          // always the same numbers
  std::map<SessionId, std::int64_t> deadlines_ms_;  // of those that try_run_in left blocked
  std::int64_t now_us_ = start_us;
  std::string stream_;
  std::map<SessionId, std::vector<Reply>> pushes_;
  std::map<SessionId, std::string*> outputs_;
  std::set<SessionId> ended_;
  std::int64_t acknowledgements_wanted_ = 0;
  std::int64_t last_offset_told_ = 0;
};

/// Words parted by single blanks; '' stands for an empty word.
std::vector<std::string_view> words_of(std::string_view line);

/// A stream's requests, " / " between them, blanks between words.
std::string requests_in(std::string_view stream);

}  // namespace lockstep::redis::test
