// Reading and writing replies.
#include <algorithm>
#include <optional>

#include "model/redis/integers.h"
#include "model/redis/resp.h"

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

void RespWriter::null_bulk() { out_ += "$-1\r\n"; }
void RespWriter::null_array() { out_ += "*-1\r\n"; }
void RespWriter::status(std::string_view text) { append_line(out_, '+', text); }
void RespWriter::error(std::string_view text) { append_line(out_, '-', text); }

void RespWriter::array(std::size_t count) {
  append_number(out_, '*', static_cast<std::int64_t>(count));
}

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
    case Reply::Kind::array:
      writer.array(reply.elements.size());
      for (const Reply& element : reply.elements) write_reply(element, writer);
      return;
  }
}

void ReplyReader::feed(std::string_view bytes) {
  bytes_.erase(0, position_);
  position_ = 0;
  bytes_.append(bytes);
}

RespRead ReplyReader::next(Reply& reply) {
  if (!error_.empty()) return RespRead::invalid;
  std::size_t position = position_;
  const RespRead result = read(position, reply, 0);
  if (result == RespRead::complete) position_ = position;
  return result;
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
  if (kind == '+' || kind == '-') {
    reply.kind = kind == '+' ? Reply::Kind::status : Reply::Kind::error;
    reply.text = line;
    return RespRead::complete;
  }
  if (kind != ':' && kind != '$' && kind != '*') return refuse("an unknown kind of reply");
  const std::optional<std::int64_t> number = parse_integer(line);
  if (!number) return refuse("a reply's length is not a number");
  if (kind == '$') return read_bulk(position, *number, reply);
  if (kind == '*') return read_array(position, *number, reply, nesting);
  reply.kind = Reply::Kind::integer;
  reply.integer = *number;
  return RespRead::complete;
}

RespRead ReplyReader::read_bulk(std::size_t& position, std::int64_t length, Reply& reply) {
  reply.kind = Reply::Kind::null_bulk;
  if (length == -1) return RespRead::complete;
  if (length < 0 || static_cast<std::uint64_t>(length) > limits_.bulk_bytes_max) {
    return refuse("a bulk string's length is out of range");
  }
  const auto bytes_wanted = static_cast<std::size_t>(length);
  if (bytes_.size() - position < bytes_wanted + 2) return RespRead::incomplete;
  reply.kind = Reply::Kind::bulk;
  reply.text.assign(bytes_, position, bytes_wanted);
  position += bytes_wanted + 2;
  return RespRead::complete;
}

RespRead ReplyReader::read_array(std::size_t& position, std::int64_t count, Reply& reply,
                                 std::size_t nesting) {
  reply.kind = Reply::Kind::null_array;
  if (count == -1) return RespRead::complete;
  if (count < 0 || static_cast<std::uint64_t>(count) > limits_.array_elements_max) {
    return refuse("an array's length is out of range");
  }
  if (nesting == limits_.nesting_max) return refuse("arrays are nested too deeply");
  reply.kind = Reply::Kind::array;
  for (std::int64_t i = 0; i < count; ++i) {
    const RespRead result = read(position, reply.elements.emplace_back(), nesting + 1);
    if (result != RespRead::complete) return result;
  }
  return RespRead::complete;
}

}  // namespace lockstep::redis
