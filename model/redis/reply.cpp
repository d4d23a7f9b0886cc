#include "model/redis/reply.h"

#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>

#include "model/redis/integers.h"

namespace lockstep::redis {

void ReplyWriter::real(double value) {
  if (std::isinf(value)) return bulk(value > 0 ? "inf" : "-inf");
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.17g", value);
  bulk({text.data(), static_cast<std::size_t>(length)});
}

Reply& ReplyBuilder::next(Reply::Kind kind) {
  Reply* reply = target_;
  if (reply != nullptr) {
    target_ = nullptr;
  } else {
    assert(!open_.empty() && "more replies than were announced");
    OpenArray& innermost = open_.back();
    reply = &innermost.array->elements[innermost.filled++];
    if (innermost.filled == innermost.array->elements.size()) open_.pop_back();
  }
  reply->kind = kind;
  reply->integer = 0;
  reply->text.clear();
  reply->elements.clear();
  return *reply;
}

void ReplyBuilder::integer(std::int64_t value) { next(Reply::Kind::integer).integer = value; }
void ReplyBuilder::bulk(std::string_view text) { next(Reply::Kind::bulk).text = text; }
void ReplyBuilder::null_bulk() { next(Reply::Kind::null_bulk); }
void ReplyBuilder::null_array() { next(Reply::Kind::null_array); }
void ReplyBuilder::status(std::string_view text) { next(Reply::Kind::status).text = text; }
void ReplyBuilder::error(std::string_view text) { next(Reply::Kind::error).text = text; }

void ReplyBuilder::array(std::size_t count) {
  Reply& reply = next(Reply::Kind::array);
  if (count == 0) return;
  reply.elements.resize(count);
  open_.push_back({&reply, 0});
}

namespace {

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  out += '"';
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\r') {
      out += "\\r";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (code < 0x20 || code > 0x7e) {
      out += "\\x";
      out += hexadecimal[code / 16U];
      out += hexadecimal[code % 16U];
    } else {
      out += byte;
    }
  }
  out += '"';
}

void append_description(std::string& out, const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::null_bulk:
    case Reply::Kind::null_array:
      out += "(nil)";
      return;
    case Reply::Kind::integer:
      out += "(integer) ";
      out += IntegerText(reply.integer).view();
      return;
    case Reply::Kind::bulk:
      append_quoted(out, reply.text);
      return;
    case Reply::Kind::status:
      out += reply.text;
      return;
    case Reply::Kind::error:
      out += "(error) ";
      out += reply.text;
      return;
    case Reply::Kind::array:
      break;
  }
  out += '[';
  for (std::size_t i = 0; i < reply.elements.size(); ++i) {
    if (i > 0) out += ", ";
    append_description(out, reply.elements[i]);
  }
  out += ']';
}

}  // namespace

std::string describe(const Reply& reply) {
  std::string out;
  append_description(out, reply);
  return out;
}

}  // namespace lockstep::redis
