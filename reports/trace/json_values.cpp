#include "reports/trace/json_values.h"

#include <fmt/format.h>

#include <charconv>

#include "reports/text.h"

namespace lockstep::reports {
namespace {

constexpr std::int64_t exact_max = std::int64_t{1} << 53;

template <typename Number>
std::optional<Number> parsed(std::string_view digits, int base) {
  Number number{};
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, number, base);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

template <typename Number>
std::optional<Number> decimal_from(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(exact_max)) return std::nullopt;
    return static_cast<Number>(number);
  }
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number < -exact_max || (number < 0 && Number(-1) > Number(0))) return std::nullopt;
    return static_cast<Number>(number);
  }
  const auto* text = value.get_ptr<const Json::string_t*>();
  return text == nullptr ? std::nullopt : parsed<Number>(*text, 10);
}

}  // namespace

Json json_number(std::int64_t number) {
  if (number > exact_max || number < -exact_max) return fmt::format("{}", number);
  return number;
}

Json json_number(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(exact_max)) return fmt::format("{}", number);
  return number;
}

std::string json_hash(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

Json json_text(std::string_view text) {
  if (is_utf8(text)) return text;
  std::string digits;
  for (const char byte : text) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return Json::object({{"hex", digits}});
}

std::optional<std::int64_t> number_from(const Json& value) {
  return decimal_from<std::int64_t>(value);
}

std::optional<std::uint64_t> unsigned_from(const Json& value) {
  return decimal_from<std::uint64_t>(value);
}

std::optional<std::uint64_t> hash_from(const Json& value) {
  const auto* text = value.get_ptr<const Json::string_t*>();
  if (text == nullptr || text->size() != 16) return std::nullopt;
  const auto hash = parsed<std::uint64_t>(*text, 16);
  return hash && json_hash(*hash) == *text ? hash : std::nullopt;  // one way to write it
}

std::optional<std::string> text_from(const Json& value) {
  if (const auto* text = value.get_ptr<const Json::string_t*>()) return *text;
  if (!value.is_object() || value.size() != 1 || !value.contains("hex")) return std::nullopt;
  const auto* digits = value["hex"].get_ptr<const Json::string_t*>();
  if (digits == nullptr || digits->size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits->size(); i += 2) {
    const auto byte = parsed<std::uint8_t>(std::string_view(*digits).substr(i, 2), 16);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

}  // namespace lockstep::reports
