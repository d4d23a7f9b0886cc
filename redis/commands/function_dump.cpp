#include "redis/commands/function_dump.h"

#include <cstddef>
#include <cstdint>

namespace lockstep::redis {
namespace {

constexpr unsigned char function_opcode = 245;  // RDB_OPCODE_FUNCTION2
constexpr std::uint16_t rdb_version = 10;
constexpr std::size_t footer_bytes = 2 + 8;  // version and checksum
constexpr std::size_t code_bytes_max = std::size_t{64} * 1024 * 1024;

/// CRC-64 as Redis has it: the polynomial of Jones, reflected.
std::uint64_t crc64(std::string_view bytes) {
  constexpr std::uint64_t reflected_polynomial = 0x95AC9329AC4BC9B5U;
  std::uint64_t crc = 0;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? reflected_polynomial : 0);
    }
  }
  return crc;
}

void append_little_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xffU);
}

void append_length(std::string& out, std::size_t length) {
  if (length < 64) {
    out += static_cast<char>(length);
  } else if (length < 16'384) {
    out += static_cast<char>(0x40U | (length >> 8U));
    out += static_cast<char>(length & 0xffU);
  } else {
    out += static_cast<char>(0x80U);
    for (int shift = 24; shift >= 0; shift -= 8)
      out += static_cast<char>((length >> shift) & 0xffU);
  }
}

/// Reads a payload from its begin; every function gives nothing where the bytes end too early.
class PayloadReader {
 public:
  explicit PayloadReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }

  std::optional<unsigned char> byte() {
    if (bytes_.empty()) return std::nullopt;
    const auto first = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }

  std::optional<std::string> text() {
    constexpr unsigned char lzf = 0xC3;
    if (!bytes_.empty() && static_cast<unsigned char>(bytes_.front()) == lzf) {
      bytes_.remove_prefix(1);
      const auto packed_length = length();
      const auto plain_length = length();
      if (!packed_length || !plain_length || *plain_length > code_bytes_max) return std::nullopt;
      const auto packed = take(*packed_length);
      return packed ? unpacked(*packed, *plain_length) : std::nullopt;
    }
    const auto plain_length = length();
    if (!plain_length) return std::nullopt;
    const auto plain = take(*plain_length);
    return plain ? std::optional<std::string>(*plain) : std::nullopt;
  }

 private:
  std::optional<std::string_view> take(std::size_t count) {
    if (count > bytes_.size()) return std::nullopt;
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::optional<std::size_t> big_endian(int count) {
    std::size_t value = 0;
    for (int i = 0; i < count; ++i) {
      const auto next = byte();
      if (!next) return std::nullopt;
      value = value << 8U | *next;
    }
    return value;
  }

  std::optional<std::size_t> length() {
    const auto first = byte();
    if (!first) return std::nullopt;
    switch (*first >> 6U) {
      case 0:
        return *first;
      case 1: {
        const auto second = byte();
        if (!second) return std::nullopt;
        return (*first & 0x3fU) << 8U | *second;
      }
      case 2:
        if (*first == 0x80U) return big_endian(4);
        return *first == 0x81U ? big_endian(8) : std::nullopt;
      case 3:
        break;  // a number as text, which no code is
    }
    return std::nullopt;
  }

  /// LZF: runs of literal bytes, and references to bytes before.
  static std::optional<std::string> unpacked(std::string_view packed, std::size_t length) {
    PayloadReader reader(packed);
    std::string plain;
    while (const auto control = reader.byte()) {
      if (*control < 32) {
        const auto literals = reader.take(*control + std::size_t{1});
        if (!literals) return std::nullopt;
        plain += *literals;
      } else {
        std::size_t count = *control >> 5U;
        if (count == 7) {
          const auto more = reader.byte();
          if (!more) return std::nullopt;
          count += *more;
        }
        const auto low = reader.byte();
        if (!low) return std::nullopt;
        const std::size_t distance = ((*control & 0x1fU) << 8U | *low) + std::size_t{1};
        if (distance > plain.size()) return std::nullopt;
        for (std::size_t i = 0; i < count + 2; ++i) plain += plain[plain.size() - distance];
      }
      if (plain.size() > length) return std::nullopt;
    }
    return plain.size() == length ? std::optional<std::string>(plain) : std::nullopt;
  }

  std::string_view bytes_;
};

}  // namespace

std::string dump_of_libraries(std::span<const std::string> codes) {
  std::string payload;
  for (const std::string& code : codes) {
    payload += static_cast<char>(function_opcode);
    append_length(payload, code.size());
    payload += code;
  }
  append_little_endian(payload, rdb_version, 2);
  append_little_endian(payload, crc64(payload), 8);
  return payload;
}

std::optional<std::vector<std::string>> libraries_of_dump(std::string_view payload) {
  if (payload.size() < footer_bytes) return std::nullopt;
  const std::string_view checked = payload.substr(0, payload.size() - 8);
  std::string checksum;
  append_little_endian(checksum, crc64(checked), 8);
  if (payload.substr(checked.size()) != checksum) return std::nullopt;
  const auto version_at = checked.substr(checked.size() - 2);
  const unsigned version = static_cast<unsigned char>(version_at[0]) |
                           static_cast<unsigned>(static_cast<unsigned char>(version_at[1])) << 8U;
  if (version > rdb_version) return std::nullopt;
  PayloadReader reader(checked.substr(0, checked.size() - 2));
  std::vector<std::string> codes;
  while (!reader.is_at_end()) {
    if (reader.byte() != function_opcode) return std::nullopt;
    std::optional<std::string> code = reader.text();
    if (!code) return std::nullopt;
    codes.push_back(std::move(*code));
  }
  return codes;
}

}  // namespace lockstep::redis
