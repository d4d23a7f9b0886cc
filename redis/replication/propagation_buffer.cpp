#include "redis/replication/propagation_buffer.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cstring>

#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {
namespace {

constexpr std::string_view multi = "*1\r\n$5\r\nMULTI\r\n";
constexpr std::string_view exec = "*1\r\n$4\r\nEXEC\r\n";
constexpr std::size_t header_bytes_max = 1 + 20 + 2;  // '*' or '$', a number, CRLF

char* write_header(char* out, char kind, std::size_t number) {
  *out++ = kind;
  if (number < 100) {
    if (number >= 10) *out++ = static_cast<char>('0' + number / 10);
    *out++ = static_cast<char>('0' + number % 10);
  } else {
    out = std::to_chars(out, out + 20, number).ptr;
  }
  *out++ = '\r';
  *out++ = '\n';
  return out;
}

}  // namespace

void PropagationBuffer::set_framing(const VersionTraits& version) {
  selects_inside_multi_ = version.selects_inside_multi;
  frames_itself_ = !version.frames_as_it_writes;
}

char* PropagationBuffer::reserve(std::size_t bytes) {
  if (bytes_.size() - used_ < bytes) bytes_.resize((used_ + bytes) * 2);
  return bytes_.data() + used_;
}

void PropagationBuffer::write(std::string_view text) {
  text.copy(reserve(text.size()), text.size());
  used_ += text.size();
}

void PropagationBuffer::write(std::span<const std::string_view> words) {
  std::size_t bytes_max = header_bytes_max;
  for (const std::string_view word : words) bytes_max += header_bytes_max + word.size() + 2;
  char* const begin = reserve(bytes_max);
  char* out = write_header(begin, '*', words.size());
  for (const std::string_view word : words) {
    out = write_header(out, '$', word.size());
    word.copy(out, word.size());  // which takes an empty view of nothing too
    out += word.size();
    *out++ = '\r';
    *out++ = '\n';
  }
  used_ += static_cast<std::size_t>(out - begin);
}

void PropagationBuffer::select(std::uint8_t database) {
  database_ = database;
  const IntegerText number(database);
  write(std::array<std::string_view, 2>{"SELECT", number.view()});
}

void PropagationBuffer::append(std::uint8_t database, std::span<const std::string_view> words) {
  if (count_ == 0 && frames_itself_ && selects_inside_multi_) write(multi);
  if (database != database_) select(database);
  if (count_ == 0 && frames_itself_ && !selects_inside_multi_) {
    select_bytes_ = used_;
    write(multi);
  }
  write(words);
  ++count_;
}

void PropagationBuffer::begin_frame(std::uint8_t database) {
  if (has_frame_) return;
  append(database, std::array<std::string_view, 1>{"MULTI"});
  has_frame_ = true;
}

void PropagationBuffer::end_frame(std::uint8_t database) {
  if (!has_frame_) return;
  append(database, std::array<std::string_view, 1>{"EXEC"});
  has_frame_ = false;
}

std::string_view PropagationBuffer::finish() {
  assert(count_ > 0);
  if (!frames_itself_) return std::string_view(bytes_).substr(0, used_);
  if (count_ == 1) {
    std::memmove(bytes_.data() + multi.size(), bytes_.data(), select_bytes_);
    return std::string_view(bytes_).substr(multi.size(), used_ - multi.size());
  }
  write(exec);
  return std::string_view(bytes_).substr(0, used_);
}

}  // namespace lockstep::redis
