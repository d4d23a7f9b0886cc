// What the replies of a lock's commands mean, in words: "granted", "refused, 4,939 ms left".
//
// No value is guessed at: scripts have conventions of their own. What a command is for follows from
// what commands of its name did in this trace: one that ever made its caller the holder asks, one
// that ever ended its caller's hold gives back. What a single command did follows from what changed
// with it. Of a command that never did anything, or of a name that does several things, nothing is
// known: its raw reply is shown. Pointing at the message shows it in any case.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace lockstep::reports {

/// What one command did to the lock.
enum class CommandEffect : std::uint8_t {
  none,
  granted,
  granted_again,  ///< its owner had it, and has it once more
  renewed,
  released,
  released_once,  ///< and still holds it
  took_away,      ///< another's
  set_anothers_lease,
  counted,  ///< permits, or what is left to count down
};

enum class CommandRole : std::uint8_t { unknown, asks, gives_back, renews };

class CommandRoles {
 public:
  /// `raw`: its reply.
  void learn(std::string_view label, CommandEffect effect, std::string_view raw = {});
  [[nodiscard]] CommandRole of(std::string_view label) const;
  /// Whether one of this name gave this reply as it granted the lock.
  [[nodiscard]] bool is_reply_of_grants(std::string_view label, std::string_view raw) const;

 private:
  struct Seen {
    bool asks = false;
    bool gives_back = false;
    bool renews = false;
    std::set<std::string, std::less<>> replies_of_grants = {};
  };
  std::map<std::string, Seen, std::less<>> seen_;  // by label
};

/// A command that a node executed, as far as its reply is concerned.
struct Answer {
  CommandEffect effect = CommandEffect::none;
  std::string command;               ///< "EVAL", "PUBLISH"
  std::string raw;                   ///< the reply
  bool had_it = false;               ///< its owner, before
  bool has_written = false;          ///< anything
  std::string other;                 ///< who else had the lock before; empty: nobody
  std::int64_t others_left_ms = -1;  ///< of the other's lease; -1: it has no end
  std::int64_t left = 0;             ///< where it counted
  bool has_queued = false;
  bool is_reply_of_grants = false;  ///< its name's other commands gave it as they granted the lock
  std::string taken_from;           ///< whose lock it took away, or whose lease it set
};

/// Whether it is known to have done nothing: a command that writes, and changes nothing of the
/// lock, may have changed a copy of it that counts no more (on a master that another has replaced).
[[nodiscard]] inline bool was_ineffective(const Answer& answer) {
  return answer.effect == CommandEffect::none && (!answer.has_written || answer.has_queued);
}

[[nodiscard]] inline bool is_error(const Answer& answer) {
  return answer.raw.starts_with("error: ");
}
/// Asked for the lock in vain.
[[nodiscard]] bool is_refused_attempt(const Answer& answer, CommandRole role);
/// An error that a client library makes good by asking again.
[[nodiscard]] bool is_made_good(const Answer& answer);

/// "a/1 cuts b/1's lease".
[[nodiscard]] std::string lease_set_by_another(std::string_view by, std::string_view owner,
                                               bool is_shorter);

/// Nothing where only the raw reply says something.
[[nodiscard]] std::optional<std::string> reply_in_words(const Answer& answer, CommandRole role);

}  // namespace lockstep::reports
