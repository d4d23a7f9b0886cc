// Reading and writing values of parameters.
#include "redis/server/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/config_parameters.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {
namespace {

constexpr std::string_view event_letters = "g$lshzxetdn";
constexpr std::string_view all_events = "g$lshzxetd";  // what 'A' stands for
constexpr std::string_view other_events = "KEm";
constexpr std::array<std::pair<char, KeyspaceEvent>, 14> event_of_letter{{
    {'K', KeyspaceEvent::keyspace},
    {'E', KeyspaceEvent::keyevent},
    {'g', KeyspaceEvent::generic},
    {'$', KeyspaceEvent::string},
    {'l', KeyspaceEvent::list},
    {'s', KeyspaceEvent::set},
    {'h', KeyspaceEvent::hash},
    {'z', KeyspaceEvent::sorted_set},
    {'x', KeyspaceEvent::expired},
    {'e', KeyspaceEvent::evicted},
    {'m', KeyspaceEvent::key_miss},
    {'n', KeyspaceEvent::created},
    {'t', KeyspaceEvent::other},
    {'d', KeyspaceEvent::other},
}};
constexpr std::array<std::string_view, 3> client_classes{"normal", "slave", "pubsub"};

std::string unsigned_text(std::uint64_t value) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

std::string integer_text(std::int64_t value) { return std::string(IntegerText(value).view()); }

/// Words as Redis parts them at single blanks: two blanks have an empty word between them.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  if (text.empty()) return words;
  for (;;) {
    const std::size_t blank = text.find(' ');
    words.push_back(text.substr(0, blank));
    if (blank == std::string_view::npos) return words;
    text.remove_prefix(blank + 1);
  }
}

struct MemoryUnit {
  std::string_view name;
  std::uint64_t bytes;
};
constexpr std::array<MemoryUnit, 8> memory_units{{{"", 1},
                                                  {"b", 1},
                                                  {"k", 1000},
                                                  {"kb", 1024},
                                                  {"m", 1'000'000},
                                                  {"mb", 1'048'576},
                                                  {"g", 1'000'000'000},
                                                  {"gb", 1'073'741'824}}};

/// "1mb" and the like. As in Redis no digits are 0, a number too large is the largest there is, and
/// a product wraps.
std::optional<std::uint64_t> parse_memory(std::string_view text) {
  constexpr std::size_t digits_max = 127;
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto is_unit = [&](const MemoryUnit& unit) {
    return equals_ignoring_case(text.substr(length), unit.name);
  };
  const auto unit = std::find_if(memory_units.begin(), memory_units.end(), is_unit);
  if (unit == memory_units.end() || length > digits_max) return std::nullopt;
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + length, value);
  if (read.ec == std::errc::result_out_of_range) value = std::numeric_limits<std::uint64_t>::max();
  return value * unit->bytes;
}

std::string range_error(const ConfigParameter& parameter) {
  return "argument must be between " + integer_text(parameter.least) + " and " +
         unsigned_text(parameter.most) + " inclusive";
}

std::string word_error(const ConfigParameter& parameter) {
  std::string text = "argument(s) must be one of the following: ";
  for (const std::string_view word : parameter.words) {
    if (word != parameter.words.front()) text += ", ";
    text += word;
  }
  return text;
}

/// A value in the form in which CONFIG GET writes it, or why it is none.
struct Checked {
  std::string text;
  std::string error;
};

Checked check_yes_no(std::string_view text) {
  if (equals_ignoring_case(text, "yes")) return {"yes", {}};
  if (equals_ignoring_case(text, "no")) return {"no", {}};
  return {{}, "argument must be 'yes' or 'no'"};
}

Checked check_integer(const ConfigParameter& parameter, std::string_view text) {
  const std::optional<std::int64_t> value = parse_integer(text);
  if (!value) return {{}, "argument couldn't be parsed into an integer"};
  const bool is_small_enough = *value < 0 || static_cast<std::uint64_t>(*value) <= parameter.most;
  if (*value < parameter.least || !is_small_enough) return {{}, range_error(parameter)};
  return {integer_text(*value), {}};
}

Checked check_memory(const ConfigParameter& parameter, std::string_view text) {
  const std::optional<std::uint64_t> value = parse_memory(text);
  if (!value) return {{}, "argument must be a memory value"};
  if (*value < static_cast<std::uint64_t>(parameter.least) || *value > parameter.most) {
    return {{}, range_error(parameter)};
  }
  return {unsigned_text(*value), {}};
}

Checked check_memory_or_percent(const ConfigParameter& parameter, std::string_view text) {
  constexpr std::uint64_t percent_max = 100;
  constexpr std::string_view error = "argument must be a memory or percent value";
  const bool is_percent = text.ends_with('%');
  std::optional<std::uint64_t> value;
  if (is_percent) {
    const std::optional<std::int64_t> percent = parse_integer(text.substr(0, text.size() - 1));
    if (percent && *percent >= 0) value = static_cast<std::uint64_t>(*percent);
  } else {
    value = parse_memory(text);
  }
  if (!value) return {{}, std::string(error)};
  // Redis keeps a percentage as a negative number, and takes what is too large for one.
  const bool is_negative =
      !is_percent && *value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!is_percent && !is_negative) return check_memory(parameter, text);
  const std::uint64_t percent = is_negative ? std::uint64_t{0} - *value : *value;
  if (percent > percent_max) return {{}, "percentage argument must be less or equal to 100"};
  return {percent == 0 ? "0" : unsigned_text(percent) + "%", {}};
}

Checked check_word(const ConfigParameter& parameter, std::string_view text) {
  for (const std::string_view word : parameter.words) {
    if (equals_ignoring_case(text, word)) return {std::string(word), {}};
  }
  return {{}, word_error(parameter)};
}

Checked check(const ConfigParameter& parameter, std::string_view text) {
  switch (parameter.kind) {
    case ConfigKind::yes_no:
      return check_yes_no(text);
    case ConfigKind::integer:
      return check_integer(parameter, text);
    case ConfigKind::memory:
      return check_memory(parameter, text);
    case ConfigKind::memory_or_percent:
      return check_memory_or_percent(parameter, text);
    case ConfigKind::word:
      return check_word(parameter, text);
    case ConfigKind::text:
    case ConfigKind::save_points:
    case ConfigKind::keyspace_events:
    case ConfigKind::buffer_limits:
      break;
  }
  return {std::string(text), {}};
}

std::string set_save_points(Config& config, std::string_view text) {
  std::string error = "Invalid save parameters";
  const std::vector<std::string_view> words = split(text);
  if (words.size() % 2 != 0) return error;
  if (words.size() > 2 * SavePoints::size_max) return error;
  SavePoints points;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::optional<std::int64_t> seconds = parse_integer(words[i]);
    const std::optional<std::int64_t> changes = parse_integer(words[i + 1]);
    if (!seconds || !changes || *seconds < 1 || *changes < 0) return error;
    points.add({*seconds, *changes});
  }
  config.save = points;
  return {};
}

std::string save_points_text(const Config& config) {
  std::string text;
  for (const SavePoint& point : config.save) {
    if (!text.empty()) text += ' ';
    text += IntegerText(point.seconds).view();
    text += ' ';
    text += IntegerText(point.changes).view();
  }
  return text;
}

std::string set_keyspace_events(Config& config, std::string_view text) {
  std::string chosen(text);
  if (const std::size_t all = chosen.find('A'); all != std::string::npos) chosen += all_events;
  const auto has = [&](char letter) { return chosen.find(letter) != std::string::npos; };
  constexpr std::string_view known = "Ag$lshzxeKEtmdn";
  if (chosen.find_first_not_of(known) != std::string::npos) {
    return "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.";
  }
  config.keyspace_events = {};
  for (const auto& [letter, event] : event_of_letter) {
    if (has(letter)) config.keyspace_events.add(event);
  }
  std::string canonical;
  const bool is_all = std::all_of(all_events.begin(), all_events.end(), has);
  if (is_all) canonical += 'A';
  if (!is_all)
    std::copy_if(event_letters.begin(), event_letters.end(), std::back_inserter(canonical), has);
  std::copy_if(other_events.begin(), other_events.end(), std::back_inserter(canonical), has);
  config.notify_keyspace_events = std::move(canonical);
  return {};
}

std::optional<std::size_t> client_class(std::string_view name) {
  if (equals_ignoring_case(name, "replica")) name = "slave";
  for (std::size_t i = 0; i < client_classes.size(); ++i) {
    if (equals_ignoring_case(name, client_classes[i])) return i;
  }
  return std::nullopt;
}

std::string set_buffer_limits(Config& config, std::string_view text) {
  const std::vector<std::string_view> words = split(text);
  if (words.size() % 4 != 0) {
    return "Wrong number of arguments in buffer limit configuration.";
  }
  auto limits = config.client_output_buffer_limits;
  for (std::size_t i = 0; i < words.size(); i += 4) {
    const std::optional<std::size_t> index = client_class(words[i]);
    if (!index) return "Invalid client class specified in buffer limit configuration.";
    const std::optional<std::uint64_t> hard = parse_memory(words[i + 1]);
    const std::optional<std::uint64_t> soft = parse_memory(words[i + 2]);
    const std::optional<std::int64_t> seconds = parse_integer(words[i + 3]);
    if (!hard || !soft || !seconds || *seconds < 0) {
      return "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
    }
    limits[*index] = {*hard, *soft, *seconds};
  }
  config.client_output_buffer_limits = limits;
  return {};
}

std::string buffer_limits_text(const Config& config) {
  std::string text;
  for (std::size_t i = 0; i < client_classes.size(); ++i) {
    const OutputBufferLimit& limit = config.client_output_buffer_limits[i];
    if (i > 0) text += ' ';
    text += client_classes[i];
    for (const std::uint64_t bytes : {limit.hard_bytes, limit.soft_bytes}) {
      text += ' ';
      text += unsigned_text(bytes);
    }
    text += ' ';
    text += IntegerText(limit.soft_seconds).view();
  }
  return text;
}

std::size_t index_of(std::span<const std::string_view> words, std::string_view word) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

/// Puts a checked text where the parameter is kept.
struct Storing {
  Config& config;
  const ConfigParameter& parameter;
  const std::string& text;

  void operator()(std::monostate /*field*/) const {
    auto& others = config.others;
    others.erase(std::remove_if(others.begin(), others.end(),
                                [&](const auto& other) { return other.first == &parameter; }),
                 others.end());
    if (text != parameter.initial_text) others.emplace_back(&parameter, text);
  }
  void operator()(bool Config::*field) const { config.*field = text == "yes"; }
  void operator()(std::int64_t Config::*field) const {
    config.*field = parse_integer(text).value_or(config.*field);
  }
  void operator()(std::uint64_t Config::*field) const {
    config.*field = parse_memory(text).value_or(config.*field);
  }
  void operator()(std::string Config::*field) const { config.*field = text; }
  template <class Enumeration>
  void operator()(Enumeration Config::*field) const {
    config.*field = static_cast<Enumeration>(index_of(parameter.words, text));
  }
};

struct Reading {
  const Config& config;
  const ConfigParameter& parameter;

  std::string operator()(std::monostate /*field*/) const {
    for (const auto& [other, text] : config.others) {
      if (other == &parameter) return text;
    }
    return std::string(parameter.initial_text);
  }
  std::string operator()(bool Config::*field) const { return config.*field ? "yes" : "no"; }
  std::string operator()(std::int64_t Config::*field) const { return integer_text(config.*field); }
  std::string operator()(std::uint64_t Config::*field) const {
    return unsigned_text(config.*field);
  }
  std::string operator()(std::string Config::*field) const { return config.*field; }
  template <class Enumeration>
  std::string operator()(Enumeration Config::*field) const {
    return std::string(parameter.words[static_cast<std::size_t>(config.*field)]);
  }
};

}  // namespace

std::string config_text(const Config& config, const ConfigParameter& parameter) {
  switch (parameter.kind) {
    case ConfigKind::save_points:
      return save_points_text(config);
    case ConfigKind::keyspace_events:
      return config.notify_keyspace_events;
    case ConfigKind::buffer_limits:
      return buffer_limits_text(config);
    case ConfigKind::yes_no:
    case ConfigKind::integer:
    case ConfigKind::memory:
    case ConfigKind::memory_or_percent:
    case ConfigKind::word:
    case ConfigKind::text:
      break;
  }
  return std::visit(Reading{config, parameter}, parameter.field);
}

std::string set_config(Config& config, const ConfigParameter& parameter, std::string_view text) {
  constexpr std::uint64_t backlog_bytes_min = 16'384;
  switch (parameter.kind) {
    case ConfigKind::save_points:
      return set_save_points(config, text);
    case ConfigKind::keyspace_events:
      return set_keyspace_events(config, text);
    case ConfigKind::buffer_limits:
      return set_buffer_limits(config, text);
    case ConfigKind::yes_no:
    case ConfigKind::integer:
    case ConfigKind::memory:
    case ConfigKind::memory_or_percent:
    case ConfigKind::word:
    case ConfigKind::text:
      break;
  }
  if (parameter.name == "requirepass" && !text.empty()) return "passwords are not simulated";
  const Checked checked = check(parameter, text);
  if (!checked.error.empty()) return checked.error;
  std::visit(Storing{config, parameter, checked.text}, parameter.field);
  config.repl_backlog_size_bytes = std::max(config.repl_backlog_size_bytes, backlog_bytes_min);
  return {};
}

std::string Config::set(std::string_view name, std::string_view value) {
  const ConfigParameter* const parameter = find_config_parameter(name);
  if (parameter == nullptr) return "Bad directive or wrong number of arguments";
  return set_config(*this, *parameter, value);
}

std::string Config::get(std::string_view name) const {
  const ConfigParameter* const parameter = find_config_parameter(name);
  return parameter == nullptr ? std::string() : config_text(*this, *parameter);
}

Config config_of(const VersionTraits& version) {
  Config config;
  config.lazy_free_eviction = version.frees_lazily;
  config.lazy_free_expire = version.frees_lazily;
  config.lazy_free_server_del = version.frees_lazily;
  config.lazy_free_user_del = version.frees_lazily;
  config.lazy_free_user_flush = version.frees_lazily;
  return config;
}

}  // namespace lockstep::redis
