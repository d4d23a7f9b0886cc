// Reading and writing replies.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/reply_writer.h"
#include "redis/protocol/resp.h"
#include "redis/protocol/resp_writer.h"

namespace lockstep::redis {
namespace {

/// Errors and statuses are one line: what would end it early becomes a space.
void append_line(std::string& out, char kind, std::string_view text) {
  out += kind;
  const std::size_t begin = out.size();
  out.append(text);
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(),
      [](char letter) { return letter == '\r' || letter == '\n'; }, ' ');
  out += "\r\n";
}

void append_number(std::string& out, char kind, std::int64_t number) {
  out += kind;
  out += IntegerText(number).view();
  out += "\r\n";
}

}  // namespace

void RespWriter::integer(std::int64_t value) { append_number(out_, ':', value); }

void RespWriter::bulk(std::string_view text) {
  append_number(out_, '$', static_cast<std::int64_t>(text.size()));
  out_.append(text);
  out_ += "\r\n";
}

void RespWriter::null_bulk() { out_ += is_resp3() ? "_\r\n" : "$-1\r\n"; }
void RespWriter::null_array() { out_ += is_resp3() ? "_\r\n" : "*-1\r\n"; }
void RespWriter::status(std::string_view text) { append_line(out_, '+', text); }
void RespWriter::error(std::string_view text) {
  count_error(text);
  append_line(out_, '-', text);
}

void RespWriter::array(std::size_t count) {
  append_number(out_, '*', static_cast<std::int64_t>(count));
}

void RespWriter::map(std::size_t count) {
  if (!is_resp3()) return array(2 * count);
  append_number(out_, '%', static_cast<std::int64_t>(count));
}

void RespWriter::set(std::size_t count) {
  append_number(out_, is_resp3() ? '~' : '*', static_cast<std::int64_t>(count));
}

void RespWriter::push(std::size_t count) {
  append_number(out_, is_resp3() ? '>' : '*', static_cast<std::int64_t>(count));
}

void RespWriter::real(double value) {
  const RealText text(value, number_format());
  if (!is_resp3()) return bulk(text.view());
  append_line(out_, ',', text.view());
}

void RespWriter::boolean(bool value) {
  if (!is_resp3()) return integer(value ? 1 : 0);
  out_ += value ? "#t\r\n" : "#f\r\n";
}

void RespWriter::verbatim(std::string_view format, std::string_view text) {
  if (!is_resp3()) return bulk(text);
  const std::array<char, 3> letters = verbatim_format(format);
  append_number(out_, '=', static_cast<std::int64_t>(letters.size() + 1 + text.size()));
  out_.append(letters.data(), letters.size());
  out_ += ':';
  out_.append(text);
  out_ += "\r\n";
}

void RespWriter::big_number(std::string_view digits) {
  if (!is_resp3()) return bulk(digits);
  append_line(out_, '(', digits);
}

namespace {

void write_elements(const Reply& reply, ReplyWriter& writer) {
  for (const Reply& element : reply.elements) write_reply(element, writer);
}

void write_real(std::string_view text, ReplyWriter& writer) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  writer.real(value);
}

}  // namespace

void write_reply(const Reply& reply, ReplyWriter& writer) {
  switch (reply.kind) {
    case Reply::Kind::null_bulk:
      return writer.null_bulk();
    case Reply::Kind::null_array:
      return writer.null_array();
    case Reply::Kind::integer:
      return writer.integer(reply.integer);
    case Reply::Kind::bulk:
      return writer.bulk(reply.text);
    case Reply::Kind::status:
      return writer.status(reply.text);
    case Reply::Kind::error:
      return writer.error(reply.text);
    case Reply::Kind::null:
      return writer.null_bulk();
    case Reply::Kind::boolean:
      return writer.boolean(reply.integer != 0);
    case Reply::Kind::real:
      return write_real(reply.text, writer);
    case Reply::Kind::big_number:
      return writer.big_number(reply.text);
    case Reply::Kind::verbatim: {
      const std::string_view text = reply.text;
      return writer.verbatim(text.substr(0, 3), text.substr(4));
    }
    case Reply::Kind::array:
      writer.array(reply.elements.size());
      return write_elements(reply, writer);
    case Reply::Kind::map:
      writer.map(reply.elements.size() / 2);
      return write_elements(reply, writer);
    case Reply::Kind::set:
      writer.set(reply.elements.size());
      return write_elements(reply, writer);
    case Reply::Kind::push:
      writer.push(reply.elements.size());
      return write_elements(reply, writer);
  }
}

void ReplyReader::feed(std::string_view bytes) {
  bytes_.erase(0, position_);
  position_ = 0;
  bytes_.append(bytes);
}

RespRead ReplyReader::next(Reply& reply) {
  if (!error_.empty()) return RespRead::invalid;
  if (pushes_.empty()) {
    std::size_t position = position_;
    Reply whole;
    const RespRead result = read(position, whole, 0);
    if (result != RespRead::complete) {
      pushes_.clear();
      return result;
    }
    position_ = position;
    if (pushes_.empty()) {
      reply = std::move(whole);
      return RespRead::complete;
    }
    pushes_.push_back(std::move(whole));
  }
  reply = std::move(pushes_.front());
  pushes_.erase(pushes_.begin());
  return RespRead::complete;
}

RespRead ReplyReader::refuse(std::string_view why) {
  error_ = why;
  return RespRead::invalid;
}

RespRead ReplyReader::read(std::size_t& position, Reply& reply, std::size_t nesting) {
  const std::size_t end = bytes_.find("\r\n", position);
  if (end == std::string::npos) {
    if (bytes_.size() - position <= limits_.line_bytes_max) return RespRead::incomplete;
    return refuse("a line is too long");
  }
  if (end == position) return refuse("an empty line where a reply should begin");
  const std::string_view line = std::string_view(bytes_).substr(position + 1, end - position - 1);
  const char kind = bytes_[position];
  position = end + 2;
  reply = Reply{};
  constexpr std::string_view with_number = ":$*%~>=!|";
  if (with_number.find(kind) == std::string_view::npos) return read_line(line, kind, reply);
  const std::optional<std::int64_t> number = parse_integer(line);
  if (!number) return refuse("a reply's length is not a number");
  if (kind == '$' || kind == '=' || kind == '!') return read_bulk(position, *number, kind, reply);
  if (kind != ':') return read_elements(position, *number, kind, reply, nesting);
  reply.kind = Reply::Kind::integer;
  reply.integer = *number;
  return RespRead::complete;
}

RespRead ReplyReader::read_line(std::string_view line, char kind, Reply& reply) {
  constexpr std::string_view kinds = "+-,(_#";
  constexpr std::array meanings{Reply::Kind::status,     Reply::Kind::error, Reply::Kind::real,
                                Reply::Kind::big_number, Reply::Kind::null,  Reply::Kind::boolean};
  const std::size_t index = kinds.find(kind);
  if (index == std::string_view::npos) return refuse("an unknown kind of reply");
  reply.kind = meanings[index];
  if (reply.kind == Reply::Kind::boolean) {
    if (line != "t" && line != "f") return refuse("a boolean is neither t nor f");
    reply.integer = line == "t" ? 1 : 0;
  } else {
    reply.text = line;
  }
  return RespRead::complete;
}

RespRead ReplyReader::read_bulk(std::size_t& position, std::int64_t length, char kind,
                                Reply& reply) {
  if (length == -1 && kind == '$') return RespRead::complete;
  if (length < 0 || static_cast<std::uint64_t>(length) > limits_.bulk_bytes_max) {
    return refuse("a bulk string's length is out of range");
  }
  constexpr std::int64_t format_length = 4;
  if (kind == '=' && length < format_length) return refuse("a verbatim string has no format");
  const auto bytes_wanted = static_cast<std::size_t>(length);
  if (bytes_.size() - position < bytes_wanted + 2) return RespRead::incomplete;
  reply.kind = kind == '$'   ? Reply::Kind::bulk
               : kind == '=' ? Reply::Kind::verbatim
                             : Reply::Kind::error;
  reply.text.assign(bytes_, position, bytes_wanted);
  position += bytes_wanted + 2;
  return RespRead::complete;
}

/// An element, or the whole of an attribute: what is pushed meanwhile stands aside.
RespRead ReplyReader::read_element(std::size_t& position, Reply& reply, std::size_t nesting) {
  for (;;) {
    const RespRead result = read(position, reply, nesting);
    if (result != RespRead::complete || reply.kind != Reply::Kind::push) return result;
    pushes_.push_back(std::move(reply));
  }
}

RespRead ReplyReader::read_elements(std::size_t& position, std::int64_t count, char kind,
                                    Reply& reply, std::size_t nesting) {
  reply.kind = Reply::Kind::null_array;
  if (count == -1 && kind == '*') return RespRead::complete;
  if (count < 0 || static_cast<std::uint64_t>(count) > limits_.array_elements_max) {
    return refuse("an array's length is out of range");
  }
  if (nesting == limits_.nesting_max) return refuse("arrays are nested too deeply");
  const bool is_attribute = kind == '|';
  reply.kind = kind == '*'   ? Reply::Kind::array
               : kind == '~' ? Reply::Kind::set
               : kind == '>' ? Reply::Kind::push
                             : Reply::Kind::map;
  const std::int64_t elements = reply.kind == Reply::Kind::map ? 2 * count : count;
  for (std::int64_t i = 0; i < elements; ++i) {
    const RespRead result = read_element(position, reply.elements.emplace_back(), nesting + 1);
    if (result != RespRead::complete) return result;
  }
  return is_attribute ? read(position, reply, nesting + 1) : RespRead::complete;
}

}  // namespace lockstep::redis
