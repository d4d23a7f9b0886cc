// A history that somebody recorded: what clients asked of an object, and what they were told.
//
// It may come from a simulated run, from Jepsen, or from a real system's log. Operations stand in
// the order of their invocations. Moments are positions in the history's one sequence of events
// (invocations and completions): they, and not clocks, say what came before what. Texts are
// interned, so that an operation is a few numbers; a million of them fit into some 70 MB.
//
// It doesn't cover what really happened inside the service; observations.h has that for simulated
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockstep::checker::recorded {

/// An interned text: a process, an owner, a key or a value. Equal texts have equal ids.
enum class TextId : std::uint32_t {};
inline constexpr TextId no_text{UINT32_MAX};

/// What an operation asks for. Which ones a model knows, decide.h says.
enum class Function : std::uint8_t {
  read,             ///< `result`: the value seen; also Jepsen's :get
  write,            ///< `argument`: the value written; also :put
  compare_and_set,  ///< from `argument` to `second_argument`
  append,           ///< `argument` to the end of the value
  acquire,          ///< the lock, or `number` permits; `token`: its fencing token, if it has one
  release,          ///< one hold, or `number` permits
  renew,            ///< replaces the deadline of the owner's hold by `number` ns from now
  force_release,    ///< frees the lock, no matter who holds it
  read_acquire,
  read_release,
  write_acquire,
  write_release,
  set_count,   ///< a latch's, to `number`
  count_down,  ///< a latch, by one
  await,       ///< returns when the latch's count is zero
};

enum class Outcome : std::uint8_t {
  ok,    ///< it took effect between its invocation and its completion
  fail,  ///< it certainly took no effect
  info,  ///< unknown: it may take effect at any time after its invocation, or never
};

/// Where an operation that was never completed completes.
inline constexpr std::uint32_t never_completed = UINT32_MAX;
inline constexpr std::int64_t no_number = INT64_MIN;

struct Operation {
  Function function = Function::read;
  Outcome outcome = Outcome::info;
  TextId process = no_text;
  TextId owner = no_text;     ///< for whom: the process's own text if the history doesn't say
  TextId key = no_text;       ///< which object; no_text: the only one
  std::uint32_t invoked = 0;  ///< position in the sequence of events
  std::uint32_t completed = never_completed;  ///< > invoked; also given for `info` that was told
  std::uint32_t invoked_line = 0;             ///< in the file, from 1
  std::uint32_t completed_line = 0;           ///< 0: none
  TextId argument = no_text;
  TextId second_argument = no_text;
  TextId result = no_text;          ///< no_text: not told (a nil read is the text "nil")
  std::int64_t number = no_number;  ///< permits, count, or lease in ns
  std::int64_t token = no_number;   ///< a fencing token
  /// acquire of a fair lock: the position at which the request stood in the queue, at the latest,
  /// if the history knows; ≤ completed.
  std::uint32_t enqueued_by = never_completed;
  std::int64_t invoked_ns = no_number;  ///< if the history has times
  std::int64_t completed_ns = no_number;
};

/// Interns texts. Ids count from 0 in order of first sight, so they don't depend on hashes.
class Texts {
 public:
  TextId intern(std::string_view text);
  /// The id of a text that was interned; no_text: it never was.
  [[nodiscard]] TextId find(std::string_view text) const;
  /// REQUIRES: an id that `intern` gave.
  [[nodiscard]] std::string_view text(TextId id) const {
    return texts_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // their addresses stay
  std::unordered_map<std::string_view, TextId> ids_;
};

struct History {
  std::vector<Operation> operations;  ///< in order of `invoked`
  Texts texts;
  std::uint32_t events = 0;  ///< how many positions there are
};

}  // namespace lockstep::checker::recorded
