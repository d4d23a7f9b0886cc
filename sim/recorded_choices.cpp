#include "sim/recorded_choices.h"

namespace lockstep::sim {
namespace {

std::string describe(Stream stream, std::uint64_t count) {
  std::string text(name_of(stream.purpose));
  text += " of owner ";
  text += std::to_string(stream.owner);
  text += " among ";
  text += std::to_string(count);
  return text;
}

std::string describe(const Choice& choice) {
  return describe(choice.stream, choice.count) + " (answer " + std::to_string(choice.value) + ")";
}

}  // namespace

std::uint64_t RecordingChoices::draw(Stream stream, std::uint64_t count) {
  const std::uint64_t value = source_.choose(stream, count);
  record_.push_back({stream, count, value});
  return value;
}

void ReplayedChoices::reset(std::vector<Choice> record) {
  record_ = std::move(record);
  next_ = 0;
  divergence_.reset();
}

std::uint64_t ReplayedChoices::draw(Stream stream, std::uint64_t count) {
  if (divergence_) return 0;
  if (next_ < record_.size()) {
    const Choice& choice = record_[next_];
    if (choice.stream == stream && choice.count == count && choice.value < count) {
      ++next_;
      return choice.value;
    }
  }
  diverge(stream, count);
  return 0;
}

void ReplayedChoices::diverge(Stream stream, std::uint64_t count) {
  divergence_ = "choice " + std::to_string(next_) + ": the run asks for " +
                describe(stream, count) + ", the record holds " +
                (next_ < record_.size() ? describe(record_[next_]) : std::string("nothing more"));
}

}  // namespace lockstep::sim
