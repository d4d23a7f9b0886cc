// Recording the choices of a run, and giving them again.
//
// A record is the exact form of a finding: it replays in the same version of the model only. A run
// that asks for something else than the record holds has diverged; the replay says where, goes on
// with zeros so that the caller can finish the run, and never reads past its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/choice_source.h"

namespace lockstep::sim {

/// One decision as it was asked and answered.
struct Choice {
  Stream stream;
  std::uint64_t count;  ///< the number of alternatives, ≥ 2
  std::uint64_t value;  ///< the answer, < count

  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Passes on another source's answers and keeps them. Does not own the source.
class RecordingChoices final : public ChoiceSource {
 public:
  explicit RecordingChoices(ChoiceSource& source) : source_(source) {}
  [[nodiscard]] const std::vector<Choice>& record() const { return record_; }
  /// Begins a new record; keeps its memory.
  void clear() { record_.clear(); }

 private:
  std::uint64_t draw(Stream stream, std::uint64_t count) override;

  ChoiceSource& source_;
  std::vector<Choice> record_;
};

/// Gives the answers of a record again, in their order; zeros from the first divergence on.
class ReplayedChoices final : public ChoiceSource {
 public:
  explicit ReplayedChoices(std::vector<Choice> record) : record_(std::move(record)) {}

  /// Begins again with another record.
  void reset(std::vector<Choice> record);
  /// Where and how the run first asked for something else than the record holds, in words.
  [[nodiscard]] const std::optional<std::string>& divergence() const { return divergence_; }
  /// How many choices of the record were not asked for.
  [[nodiscard]] std::size_t unread_count() const { return record_.size() - next_; }

 private:
  std::uint64_t draw(Stream stream, std::uint64_t count) override;
  void diverge(Stream stream, std::uint64_t count);

  std::vector<Choice> record_;
  std::size_t next_ = 0;
  std::optional<std::string> divergence_;
};

}  // namespace lockstep::sim
