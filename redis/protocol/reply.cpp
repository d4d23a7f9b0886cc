#include "redis/protocol/reply.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "redis/protocol/error_counts.h"
#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/reply_builder.h"

namespace lockstep::redis {

void ReplyWriter::count_error(std::string_view text) {
  if (error_counts_ != nullptr) error_counts_->count(text);
}

void ReplyWriter::counted_error(std::string_view text) {
  ErrorCounts* const counts = error_counts_;
  error_counts_ = nullptr;
  error(text);
  error_counts_ = counts;
  if (counts != nullptr) counts->count_repeated();
}

namespace {

/// The shortest decimal number that is read as `value`, as fpconv, which Redis and Valkey use, lays
/// it out. REQUIRES: value is finite.
std::size_t write_shortest(double value, char* out) {
  constexpr double whole_max = 4611686018427387904.0;  // 2^62, Redis's bound
  constexpr std::size_t integer_text_max = 20;
  char* const begin = out;
  if (std::fabs(value) <= whole_max && std::trunc(value) == value &&
      !(value == 0 && std::signbit(value))) {
    return IntegerText(static_cast<std::int64_t>(value)).view().copy(out, integer_text_max);
  }
  std::array<char, 32> scientific{};
  const auto written = std::to_chars(scientific.data(), scientific.data() + scientific.size(),
                                     std::fabs(value), std::chars_format::scientific);
  const std::string_view text(scientific.data(),
                              static_cast<std::size_t>(written.ptr - scientific.data()));
  const std::size_t mark = text.find('e');
  std::string digits(text.substr(0, 1));
  if (mark > 2) digits += text.substr(2, mark - 2);
  int leading = 0;  // the exponent of the first digit
  const bool is_small = text[mark + 1] == '-';
  std::from_chars(text.data() + mark + 2, text.data() + text.size(), leading);
  if (is_small) leading = -leading;
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  const int count = static_cast<int>(digits.size());
  const int last = leading - count + 1;  // the exponent of the last digit
  const int size = std::abs(leading);
  if (std::signbit(value)) *out++ = '-';
  const auto put = [&out](std::string_view some) { out += some.copy(out, some.size()); };
  if (value == 0) {
    put("0");
  } else if (last >= 0 && size < count + 7) {
    put(digits);
    put(std::string(static_cast<std::size_t>(last), '0'));
  } else if (last < 0 && (last > -7 || size < 4)) {
    const int whole = count + last;  // digits before the point
    if (whole <= 0) {
      put("0.");
      put(std::string(static_cast<std::size_t>(-whole), '0'));
      put(digits);
    } else {
      put(std::string_view(digits).substr(0, static_cast<std::size_t>(whole)));
      put(".");
      put(std::string_view(digits).substr(static_cast<std::size_t>(whole)));
    }
  } else {
    put(std::string_view(digits).substr(0, 1));
    if (count > 1) put(".");
    put(std::string_view(digits).substr(1));
    put(leading < 0 ? "e-" : "e+");
    put(std::to_string(size));
  }
  return static_cast<std::size_t>(out - begin);
}

}  // namespace

RealText::RealText(double value, NumberFormat format) {
  if (std::isinf(value)) {
    const std::string_view text = value > 0 ? "inf" : "-inf";
    length_ = text.copy(text_.data(), text_.size());
  } else if (format == NumberFormat::shortest) {
    length_ = std::isnan(value) ? std::string_view("nan").copy(text_.data(), text_.size())
                                : write_shortest(value, text_.data());
  } else {
    length_ = static_cast<std::size_t>(std::snprintf(text_.data(), text_.size(), "%.17g", value));
  }
}

std::array<char, 3> verbatim_format(std::string_view format) {
  std::array<char, 3> letters{' ', ' ', ' '};
  format.copy(letters.data(), letters.size());
  return letters;
}

void ReplyWriter::real(double value) { bulk(RealText(value, number_format_).view()); }

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
  next(Reply::Kind::real).text = RealText(value, number_format()).view();
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
