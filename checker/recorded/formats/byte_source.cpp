#include "checker/recorded/formats/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lockstep::checker::recorded {

/// Reads behind the first `kept` bytes of the buffer, which stay.
void ByteSource::read_behind(std::size_t kept) {
  stream_->read(buffer_.data() + kept, static_cast<std::streamsize>(buffer_.size() - kept));
  const auto count = static_cast<std::size_t>(stream_->gcount());
  if (stream_->bad()) throw ReadError(place(), "the file can't be read any further");
  at_ = begin_ = buffer_.data();
  end_ = at_ + kept + count;
}

bool ByteSource::refill() {
  if (stream_ == nullptr) return false;
  passed_ = offset();
  begin_ = at_ = end_ = buffer_.data();
  if (stream_->eof()) return false;
  read_behind(0);
  return at_ != end_;
}

std::string_view ByteSource::look_ahead(std::size_t bytes) {
  const auto kept = static_cast<std::size_t>(end_ - at_);
  if (stream_ != nullptr && kept < bytes && !stream_->eof()) {
    if (kept > 0) std::memmove(buffer_.data(), at_, kept);
    passed_ = offset();
    begin_ = at_ = buffer_.data();
    end_ = at_ + kept;
    read_behind(kept);
  }
  return {at_, static_cast<std::size_t>(end_ - at_)};
}

bool ByteSource::take_line(std::string_view& line, std::size_t line_bytes_max) {
  std::string_view piece = ahead();
  if (piece.empty()) return false;
  const FilePlace begins_at = place();
  bool is_in_pieces = false;
  long_line_.clear();
  for (;;) {
    const std::size_t length = std::min(piece.find('\n'), piece.size());
    if (long_line_.size() + length > line_bytes_max) {
      throw ReadError(begins_at, fmt::format("a line of more than {} bytes", line_bytes_max));
    }
    const bool is_whole = length < piece.size();
    if (is_whole && !is_in_pieces) {
      line = piece.substr(0, length);
    } else {
      long_line_.append(piece.substr(0, length));
      is_in_pieces = true;
    }
    skip(length);
    if (is_whole) skip();
    piece = is_whole ? std::string_view() : ahead();
    if (piece.empty()) break;
  }
  if (is_in_pieces) line = long_line_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

}  // namespace lockstep::checker::recorded
