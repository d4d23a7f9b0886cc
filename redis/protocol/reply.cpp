#include "redis/protocol/reply.h"

#include <cassert>
#include <cmath>
#include <cstdio>

#include "redis/protocol/error_counts.h"
#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/reply_builder.h"

namespace lockstep::redis {

void ReplyWriter::count_error(std::string_view text) {
  if (error_counts_ != nullptr) error_counts_->count(text);
}

RealText::RealText(double value) {
  if (std::isinf(value)) {
    const std::string_view text = value > 0 ? "inf" : "-inf";
    length_ = text.copy(text_.data(), text_.size());
  } else {
    length_ = static_cast<std::size_t>(std::snprintf(text_.data(), text_.size(), "%.17g", value));
  }
}

std::array<char, 3> verbatim_format(std::string_view format) {
  std::array<char, 3> letters{' ', ' ', ' '};
  format.copy(letters.data(), letters.size());
  return letters;
}

void ReplyWriter::real(double value) { bulk(RealText(value).view()); }

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
void ReplyBuilder::null_bulk() {
  next(protocol() == Protocol::resp2 ? Reply::Kind::null_bulk : Reply::Kind::null);
}
void ReplyBuilder::null_array() {
  next(protocol() == Protocol::resp2 ? Reply::Kind::null_array : Reply::Kind::null);
}
void ReplyBuilder::status(std::string_view text) { next(Reply::Kind::status).text = text; }
void ReplyBuilder::error(std::string_view text) {
  count_error(text);
  next(Reply::Kind::error).text = text;
}

void ReplyBuilder::array(std::size_t count) { open(Reply::Kind::array, count); }

void ReplyBuilder::open(Reply::Kind kind, std::size_t count) {
  Reply& reply = next(kind);
  if (count == 0) return;
  reply.elements.resize(count);
  open_.push_back({&reply, 0});
}

void ReplyBuilder::map(std::size_t count) {
  open(protocol() == Protocol::resp2 ? Reply::Kind::array : Reply::Kind::map, 2 * count);
}

void ReplyBuilder::set(std::size_t count) {
  open(protocol() == Protocol::resp2 ? Reply::Kind::array : Reply::Kind::set, count);
}

void ReplyBuilder::push(std::size_t count) {
  open(protocol() == Protocol::resp2 ? Reply::Kind::array : Reply::Kind::push, count);
}

void ReplyBuilder::real(double value) {
  if (protocol() == Protocol::resp2) return ReplyWriter::real(value);
  next(Reply::Kind::real).text = RealText(value).view();
}

void ReplyBuilder::boolean(bool value) {
  if (protocol() == Protocol::resp2) return ReplyWriter::boolean(value);
  next(Reply::Kind::boolean).integer = value ? 1 : 0;
}

void ReplyBuilder::verbatim(std::string_view format, std::string_view text) {
  if (protocol() == Protocol::resp2) return bulk(text);
  Reply& reply = next(Reply::Kind::verbatim);
  const std::array<char, 3> letters = verbatim_format(format);
  reply.text.assign(letters.begin(), letters.end());
  reply.text += ':';
  reply.text += text;
}

void ReplyBuilder::big_number(std::string_view digits) {
  if (protocol() == Protocol::resp2) return bulk(digits);
  next(Reply::Kind::big_number).text = digits;
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

void append_description(std::string& out, const Reply& reply);

void append_elements(std::string& out, std::string_view kind, const Reply& reply) {
  out += kind;
  out += '[';
  for (std::size_t i = 0; i < reply.elements.size(); ++i) {
    if (i > 0) out += ", ";
    append_description(out, reply.elements[i]);
  }
  out += ']';
}

void append_description(std::string& out, const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::null_bulk:
    case Reply::Kind::null_array:
      out += "(nil)";
      return;
    case Reply::Kind::null:
      out += "(null)";
      return;
    case Reply::Kind::integer:
      out += "(integer) ";
      out += IntegerText(reply.integer).view();
      return;
    case Reply::Kind::boolean:
      out += reply.integer == 0 ? "(false)" : "(true)";
      return;
    case Reply::Kind::bulk:
      return append_quoted(out, reply.text);
    case Reply::Kind::verbatim:
      out += '(';
      out.append(reply.text, 0, 3);
      out += ") ";
      return append_quoted(out, std::string_view(reply.text).substr(4));
    case Reply::Kind::status:
      out += reply.text;
      return;
    case Reply::Kind::error:
      out += "(error) ";
      out += reply.text;
      return;
    case Reply::Kind::real:
      out += "(double) ";
      out += reply.text;
      return;
    case Reply::Kind::big_number:
      out += "(big number) ";
      out += reply.text;
      return;
    case Reply::Kind::array:
      return append_elements(out, "", reply);
    case Reply::Kind::map:
      return append_elements(out, "map", reply);
    case Reply::Kind::set:
      return append_elements(out, "set", reply);
    case Reply::Kind::push:
      return append_elements(out, "push", reply);
  }
}

}  // namespace

std::string describe(const Reply& reply) {
  std::string out;
  append_description(out, reply);
  return out;
}

}  // namespace lockstep::redis
