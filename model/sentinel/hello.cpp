#include "model/sentinel/hello.h"

#include <array>
#include <cstddef>

#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"

namespace lockstep::model {
namespace {

constexpr std::size_t field_count = 8;

/// The fields between commas; none where they are not as many as there should be.
std::optional<std::array<std::string_view, field_count>> split(std::string_view text) {
  std::array<std::string_view, field_count> fields;
  for (std::size_t i = 0; i < field_count; ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == field_count)) return std::nullopt;
    fields[i] = text.substr(0, comma);
    if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
  }
  return fields;
}

}  // namespace

std::string write_hello(const Hello& hello) {
  std::string text = hello.sentinel;
  text.append(",").append(redis::IntegerText(sentinel_port).view());
  text.append(",").append(hello.sentinel);
  text.append(",").append(redis::IntegerText(hello.current_epoch).view());
  text.append(",").append(master_name).append(",").append(hello.master);
  text.append(",").append(redis::IntegerText(node_port).view());
  text.append(",").append(redis::IntegerText(hello.config_epoch).view());
  return text;
}

std::optional<Hello> read_hello(std::string_view text) {
  const auto fields = split(text);
  if (!fields || (*fields)[4] != master_name) return std::nullopt;
  const auto current_epoch = redis::parse_integer((*fields)[3]);
  const auto config_epoch = redis::parse_integer((*fields)[7]);
  if (!current_epoch || !config_epoch) return std::nullopt;
  return Hello{std::string((*fields)[0]), *current_epoch, std::string((*fields)[5]), *config_epoch};
}

}  // namespace lockstep::model
