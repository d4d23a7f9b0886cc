#include "live/output_tail.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "live/channel.h"

namespace lockstep::live {
namespace {

constexpr std::size_t kept_bytes = 4'096;

}  // namespace

sim::FileDescriptor OutputTail::open() {
  ChannelEnds ends = make_pipe();
  pipe_ = std::move(ends.ours);
  text_.clear();
  bytes_read_ = 0;
  return std::move(ends.theirs);
}

void OutputTail::read() {
  std::array<char, 16'384> buffer;
  while (pipe_.is_open() && !is_flooded()) {
    // No more than says that it floods: then where it is cut off does not hang on who is faster.
    const std::uint64_t wanted =
        std::min<std::uint64_t>(buffer.size(), bytes_max + 1 - bytes_read_);
    const ssize_t count = ::read(pipe_.number(), buffer.data(), wanted);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    bytes_read_ += static_cast<std::uint64_t>(count);
    text_.append(buffer.data(), static_cast<std::size_t>(count));
    if (text_.size() > 2 * kept_bytes) text_.erase(0, text_.size() - kept_bytes);
  }
}

std::string OutputTail::tail() const {
  std::string tail = text_.substr(text_.size() - std::min(text_.size(), kept_bytes));
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r')) tail.pop_back();
  return tail;
}

}  // namespace lockstep::live
