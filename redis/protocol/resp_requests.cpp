// Reading requests: arrays of bulk strings, and inline commands with quotes.
#include <algorithm>
#include <optional>

#include "redis/protocol/integers.h"
#include "redis/protocol/resp.h"
#include "redis/protocol/resp_writer.h"

namespace lockstep::redis {
namespace {

constexpr std::size_t request_words_reserved_max = 1024;

/// Whether a line never ends for Redis: it looks for the end as in a C string, up to a NUL.
bool is_cut_off(std::string_view line) { return line.find('\0') != std::string_view::npos; }

/// A line without its CRLF; nothing where its end has not come yet.
std::optional<std::string_view> read_line(std::string_view bytes, std::size_t& position) {
  const std::size_t end = bytes.find('\r', position);
  if (end == std::string_view::npos || end + 1 >= bytes.size()) return std::nullopt;
  const std::string_view line = bytes.substr(position, end - position);
  if (is_cut_off(line)) return std::nullopt;
  position = end + 2;  // Redis too takes any byte for the line feed
  return line;
}

RespRead line_missing(std::string_view bytes, std::size_t begin, const RespLimits& limits,
                      std::string_view complaint, std::string& error) {
  if (bytes.size() - begin <= limits.line_bytes_max) return RespRead::incomplete;
  error = complaint;
  return RespRead::invalid;
}

/// The number of a header as our own streams have them, "$3\r\n" or "*5\r\n", or nothing: then the
/// header is read with all care.
std::optional<std::size_t> read_short_header(std::string_view bytes, std::size_t& position,
                                             char sign, std::size_t number_max) {
  constexpr std::size_t digits_max = 4;
  constexpr std::size_t length_max = 1 + digits_max + 2;
  if (bytes.size() < position || bytes.size() - position < length_max) return std::nullopt;
  const char* const header = bytes.data() + position;
  const auto digit = [header](std::size_t place) {
    return static_cast<unsigned>(static_cast<unsigned char>(header[place])) - '0';
  };
  if (header[0] != sign || digit(1) > 9) return std::nullopt;
  std::size_t number = digit(1);
  std::size_t length = 2;
  while (length <= digits_max && digit(length) <= 9) number = 10 * number + digit(length++);
  const bool is_plain = digit(1) != 0 || length == 2;
  if (!is_plain || header[length] != '\r' || number > number_max) return std::nullopt;
  position += length + 2;  // Redis too takes any byte for the line feed
  return number;
}

RespRead read_word(std::string_view bytes, std::size_t& position, const RespLimits& limits,
                   std::vector<std::string_view>& words, std::string& error) {
  if (const auto length = read_short_header(bytes, position, '$', limits.bulk_bytes_max)) {
    if (bytes.size() - position < *length + 2) return RespRead::incomplete;
    words.push_back({bytes.data() + position, *length});
    position += *length + 2;
    return RespRead::complete;
  }
  const std::size_t begin = position;
  const std::optional<std::string_view> line = read_line(bytes, position);
  if (!line) {
    return line_missing(bytes, begin, limits, "Protocol error: too big bulk count string", error);
  }
  if (line->empty() || line->front() != '$') {
    const bool is_line_break = line->empty() || line->front() == '\n';
    error = "Protocol error: expected '$', got '";
    error += is_line_break ? ' ' : line->front();
    error += '\'';
    return RespRead::invalid;
  }
  const std::optional<std::int64_t> length = parse_integer(line->substr(1));
  if (!length || *length < 0 || static_cast<std::uint64_t>(*length) > limits.bulk_bytes_max) {
    error = "Protocol error: invalid bulk length";
    return RespRead::invalid;
  }
  const auto bytes_wanted = static_cast<std::size_t>(*length);
  if (bytes.size() - position < bytes_wanted + 2) return RespRead::incomplete;
  words.push_back(bytes.substr(position, bytes_wanted));
  position += bytes_wanted + 2;
  return RespRead::complete;
}

RespRead read_count(std::string_view bytes, std::size_t& position, const RespLimits& limits,
                    std::int64_t& count, std::string& error) {
  const std::size_t begin = position;
  if (begin >= bytes.size()) return RespRead::incomplete;
  if (const auto words = read_short_header(bytes, position, '*', limits.array_elements_max)) {
    count = static_cast<std::int64_t>(*words);
    return RespRead::complete;
  }
  const std::optional<std::string_view> line = read_line(bytes, position);
  if (!line) {
    return line_missing(bytes, begin, limits, "Protocol error: too big mbulk count string", error);
  }
  const std::optional<std::int64_t> number =
      line->empty() ? std::nullopt : parse_integer(line->substr(1));
  if (line->empty() || line->front() != '*' || !number ||
      *number > static_cast<std::int64_t>(limits.array_elements_max)) {
    error = "Protocol error: invalid multibulk length";
    return RespRead::invalid;
  }
  count = *number;
  return RespRead::complete;
}

void reserve_words(std::int64_t count, std::vector<std::string_view>& words) {
  if (count <= 0) return;
  words.reserve(std::min(static_cast<std::size_t>(count), request_words_reserved_max));
}

bool is_blank_letter(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == '\v' ||
         letter == '\f' || letter == '\0';
}

std::optional<unsigned> hexadecimal_digit(char letter) {
  if (letter >= '0' && letter <= '9') return static_cast<unsigned>(letter - '0');
  if (letter >= 'a' && letter <= 'f') return static_cast<unsigned>(letter - 'a' + 10);
  if (letter >= 'A' && letter <= 'F') return static_cast<unsigned>(letter - 'A' + 10);
  return std::nullopt;
}

/// Splits a line into words as Redis does (sdssplitargs): blanks part them; '…' and "…" hold them
/// together; inside "…" \n \r \t \b \a \xHH and \ before any other byte have their usual meaning,
/// inside '…' only \'.
class InlineSplitter {
 public:
  InlineSplitter(std::string_view line, std::string& text, std::vector<std::size_t>& ends)
      : line_(line), text_(text), ends_(ends) {}

  /// False where a quote is not closed, or not followed by a blank.
  bool split() {
    for (;;) {
      while (at_ < line_.size() && is_blank_letter(line_[at_])) ++at_;
      if (at_ == line_.size()) return true;
      if (!read_word()) return false;
      ends_.push_back(text_.size());
    }
  }

 private:
  bool read_word() {
    while (at_ < line_.size() && !is_blank_letter(line_[at_])) {
      const char letter = line_[at_];
      if (letter == '"' || letter == '\'') {
        ++at_;
        return read_quoted(letter) && (at_ == line_.size() || is_blank_letter(line_[at_]));
      }
      text_ += letter;
      ++at_;
    }
    return true;
  }

  bool read_quoted(char quote) {
    while (at_ < line_.size()) {
      const char letter = line_[at_++];
      if (letter == quote) return true;
      const bool escapes = letter == '\\' && at_ < line_.size();
      if (escapes && quote == '"') {
        read_escape();
      } else if (escapes && line_[at_] == '\'') {
        text_ += line_[at_++];
      } else {
        text_ += letter;
      }
    }
    return false;
  }

  void read_escape() {
    if (line_[at_] == 'x' && at_ + 2 < line_.size()) {
      const auto high = hexadecimal_digit(line_[at_ + 1]);
      const auto low = hexadecimal_digit(line_[at_ + 2]);
      if (high && low) {
        text_ += static_cast<char>(*high * 16 + *low);
        at_ += 3;
        return;
      }
    }
    constexpr std::string_view letters = "nrtba";
    constexpr std::string_view meanings = "\n\r\t\b\a";
    const char letter = line_[at_++];
    const std::size_t index = letters.find(letter);
    text_ += index == std::string_view::npos ? letter : meanings[index];
  }

  std::string_view line_;
  std::string& text_;
  std::vector<std::size_t>& ends_;
  std::size_t at_ = 0;
};

/// Reads a request as our own streams have them, in one go: short headers without leading zeros,
/// all of it there. False where it is not like that; then it is read with all care, which takes
/// twice as long.
bool read_whole_request(std::string_view bytes, std::size_t& position, const RespLimits& limits,
                        std::vector<std::string_view>& words) {
  std::size_t at = position;
  const auto count = read_short_header(bytes, at, '*', limits.array_elements_max);
  if (!count || *count > request_words_reserved_max) return false;
  words.resize(*count);
  for (std::string_view& word : words) {
    const auto length = read_short_header(bytes, at, '$', limits.bulk_bytes_max);
    if (!length || bytes.size() - at < *length + 2) return false;
    word = {bytes.data() + at, *length};
    at += *length + 2;
  }
  position = at;
  return true;
}

}  // namespace

RespRead read_request(std::string_view bytes, std::size_t& position, const RespLimits& limits,
                      std::vector<std::string_view>& words, std::string& error) {
  if (read_whole_request(bytes, position, limits, words)) return RespRead::complete;
  words.clear();
  std::size_t at = position;
  std::int64_t count = 0;
  const RespRead begun = read_count(bytes, at, limits, count, error);
  if (begun != RespRead::complete) return begun;
  reserve_words(count, words);
  for (std::int64_t i = 0; i < count; ++i) {
    const RespRead read = read_word(bytes, at, limits, words, error);
    if (read != RespRead::complete) return read;
  }
  position = at;
  return RespRead::complete;
}

void RequestReader::feed(std::string_view bytes) {
  constexpr std::size_t memory_kept_max = std::size_t{1024} * 1024;
  words_.clear();
  if (position_ == bytes_.size() && bytes_.capacity() > memory_kept_max) {  // a rare big request
    bytes_ = {};
    words_ = {};
    words_set_aside_ = {};
  } else {
    bytes_.erase(0, position_);
  }
  position_ = 0;
  bytes_.append(bytes);
}

// A request may come in many pieces and have many words: those that are here are not read again
// with each piece. They are kept as places, since the bytes move.
RespRead RequestReader::read_array() {
  std::size_t at = position_ + array_bytes_read_;
  if (array_bytes_read_ == 0) {
    const RespRead begun = read_count(bytes_, at, limits_, words_missing_, error_);
    if (begun != RespRead::complete) return begun;
    reserve_words(words_missing_, words_);
  }
  for (; words_missing_ > 0; --words_missing_) {
    std::size_t next = at;
    const RespRead read = read_word(bytes_, next, limits_, words_, error_);
    if (read == RespRead::incomplete) set_aside(at);
    if (read != RespRead::complete) return read;
    at = next;
  }
  take_back();
  position_ = at;
  array_bytes_read_ = 0;
  return RespRead::complete;
}

void RequestReader::set_aside(std::size_t at) {
  const char* const begin = bytes_.data() + position_;
  for (const std::string_view word : words_) {
    words_set_aside_.push_back({static_cast<std::size_t>(word.data() - begin), word.size()});
  }
  words_.clear();
  array_bytes_read_ = at - position_;
}

void RequestReader::take_back() {
  if (words_set_aside_.empty()) return;
  const std::string_view array = std::string_view(bytes_).substr(position_);
  const auto read_now = words_.size();
  words_.resize(words_set_aside_.size() + read_now);
  std::move_backward(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(read_now),
                     words_.end());
  std::transform(words_set_aside_.begin(), words_set_aside_.end(), words_.begin(),
                 [array](const Place& place) { return array.substr(place.begin, place.length); });
  words_set_aside_.clear();
}

RespRead RequestReader::next() {
  words_.clear();
  while (error_.empty() && position_ < bytes_.size()) {
    const RespRead read = bytes_[position_] == '*' ? read_array() : read_inline();
    if (read == RespRead::complete && words_.empty()) continue;
    if (read == RespRead::invalid) error_.insert(0, "ERR ");
    return read;
  }
  return error_.empty() ? RespRead::incomplete : RespRead::invalid;
}

RespRead RequestReader::read_inline() {
  const std::size_t end = bytes_.find('\n', position_);
  std::string_view line = std::string_view(bytes_).substr(position_, end - position_);
  if (end == std::string::npos || is_cut_off(line)) {
    return line_missing(bytes_, position_, limits_, "Protocol error: too big inline request",
                        error_);
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  unquoted_.clear();
  std::vector<std::size_t> ends;
  if (!InlineSplitter(line, unquoted_, ends).split()) {
    error_ = "Protocol error: unbalanced quotes in request";
    return RespRead::invalid;
  }
  position_ = end + 1;
  std::size_t begin = 0;
  for (const std::size_t word_end : ends) {
    words_.push_back(std::string_view(unquoted_).substr(begin, word_end - begin));
    begin = word_end;
  }
  return RespRead::complete;
}

void append_request(std::span<const std::string_view> words, std::string& out) {
  RespWriter writer(out);
  writer.array(words.size());
  for (const std::string_view word : words) writer.bulk(word);
}

}  // namespace lockstep::redis
