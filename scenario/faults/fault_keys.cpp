// The keys of faults: what type each is of, and how it is read and written.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "scenario/faults/fault_parts.h"
#include "scenario/file/file_keys.h"
#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_text.h"

namespace lockstep::scenario {
namespace {

using KeyValue = std::optional<std::string>;  // as TOML; none where it is as by default

constexpr std::int64_t nth_max = 1'000'000;
constexpr std::int64_t connections_max = 1'000'000;
/// More than this many steps of a strobing clock would be the whole run.
constexpr sim::DurationNs strobe_ns_min = sim::millisecond_ns;

KeyValue text_unless_empty(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return toml_string(text);
}

// -- messages and callbacks --

void read_from(const FaultParse& text) {
  const auto from = text.table.text("from");
  if (from) text.fault.message_from = text.participants.actor(*from).name;
}

void read_to(const FaultParse& text) {
  const auto to = text.table.text("to");
  if (!to) return;
  const Participant& receiver = text.participants.actor(*to);
  text.fault.message_to = receiver.name;
  if (const auto from = text.table.text("from")) {
    require_communication(*to, text.participants.actor(*from), receiver);
  }
}

/// `task` or `reply`.
void read_callback(const FaultParse& text) {
  FaultSpec& fault = text.fault;
  const auto task = text.table.text("task");
  const auto reply = text.table.text("reply");
  if (task.has_value() == reply.has_value()) {
    throw InputError(text.table.key_place(form_of(fault.kind).word),
                     "a postponement is of one callback; expected either 'task' with the name of a "
                     "task, or 'reply' with the name of a script or command");
  }
  const LocatedText name = task ? *task : *reply;
  if (name.words().empty()) name.complain("the callback is not named; expected as in 'watchdog'");
  fault.callback = task ? CallbackKind::task : CallbackKind::reply;
  fault.callback_name = name.text;
}

KeyValue write_callback(const FaultSpec& fault, CallbackKind kind) {
  if (fault.callback != kind) return std::nullopt;
  return toml_string(fault.callback_name);
}

void read_nth(const FaultParse& text) {
  text.fault.nth =
      read_open_count(text.table, "nth", {1, nth_max}, OpenDuration::What::nth, text.fault)
          .value_or(1);
}

/// How many messages are struck.
void read_times(const FaultParse& text) {
  text.fault.times = read_open_times(text.table, OpenDuration::What::times, text.fault).value_or(1);
}

void read_behind(const FaultParse& text) {
  const auto behind = text.table.text("behind");
  if (!behind) text.table.complain_missing("behind", "behind = \"release\"");
  text.fault.behind_label = read_label(*behind);
}

void read_at_most(const FaultParse& text) {
  text.fault.by_ns =
      text.table.duration("at_most", DurationSign::positive).value_or(default_hold_back_ns);
}

KeyValue write_at_most(const FaultSpec& fault) {
  if (fault.by_ns == default_hold_back_ns) return std::nullopt;
  return toml_string(format_duration(fault.by_ns));
}

// -- amounts --

std::string_view example_of_by(Amount amount) {
  if (amount == Amount::step) return "-3s";
  return amount == Amount::strobe ? "200ms" : "2s";
}

void read_by(const FaultParse& text) {
  const bool is_step = text.form.amount == Amount::step;
  const auto by_ns =
      read_open_duration(text.table, "by", is_step ? DurationSign::any : DurationSign::positive,
                         OpenDuration::What::by, text.fault);
  if (!by_ns) {
    text.table.complain_missing("by", fmt::format("by = \"{}\"", example_of_by(text.form.amount)));
  }
  text.fault.by_ns = *by_ns;
  if (*by_ns == 0 && text.fault.open.empty()) {
    text.table.text("by")->complain("a step by zero is none; expected as in '-3s'");
  }
}

KeyValue write_by(const FaultSpec& fault) {
  return write_open_duration(fault, OpenDuration::What::by, fault.by_ns);
}

void read_rate(const FaultParse& text) {
  const auto word = text.table.has("rate") ? text.table.text("rate") : std::nullopt;
  if (!word) text.table.complain_missing("rate", "rate = \"200ppm\"");
  const std::size_t dots = word->text.find("..");
  if (dots == std::string_view::npos) {
    text.fault.drift_ppm = ppm_of(*word);
    return;
  }
  const OpenDuration open{OpenDuration::What::rate, ppm_of(word->part(0, dots)),
                          ppm_of(word->part(dots + 2))};
  if (open.max_ns < open.min_ns) {
    word->part(dots + 2).complain(
        fmt::format("{} ends before it begins; expected least..most", in_quotes(word->text)));
  }
  if (open.max_ns > open.min_ns) text.fault.open.push_back(open);
  text.fault.drift_ppm = open.min_ns;
}

KeyValue write_rate(const FaultSpec& fault) {
  if (const OpenDuration* const open = fault.find_open(OpenDuration::What::rate)) {
    return toml_string(fmt::format("{}ppm..{}ppm", open->min_ns, open->max_ns));
  }
  return toml_string(fmt::format("{}ppm", fault.drift_ppm));
}

constexpr std::array clock_choices = {ClockChoice::wall, ClockChoice::monotonic, ClockChoice::both};

void read_clock(const FaultParse& text) {
  const auto word = text.table.text("clock");
  if (!word) return;
  std::vector<std::string_view> words;
  for (const ClockChoice clock : clock_choices) words.push_back(to_string(clock));
  const auto found = std::find(words.begin(), words.end(), word->text);
  if (found == words.end()) {
    word->complain(fmt::format("{} is no clock{}; expected {}", in_quotes(word->text),
                               did_you_mean(word->text, words), listed(words, "or")));
  }
  text.fault.clock = clock_choices[static_cast<std::size_t>(found - words.begin())];
  if (text.fault.by_ns < 0 && text.fault.clock != ClockChoice::wall) {
    text.table.text("by")->complain(
        "a monotonic clock never goes back; expected a step forward, or clock = \"wall\"");
  }
}

KeyValue write_clock(const FaultSpec& fault) {
  if (fault.clock == form_of(fault.kind).clock) return std::nullopt;
  return toml_string(to_string(fault.clock));
}

void read_every(const FaultParse& text) {
  const auto every_ns = read_open_duration(text.table, "every", DurationSign::positive,
                                           OpenDuration::What::strobe, text.fault);
  if (!every_ns) text.table.complain_missing("every", "every = \"10ms\"");
  if (*every_ns < strobe_ns_min) {
    text.table.text("every")->complain("a clock strobes every 1ms at most; expected more");
  }
  text.fault.strobe_ns = *every_ns;
}

KeyValue write_every(const FaultSpec& fault) {
  return write_open_duration(fault, OpenDuration::What::strobe, fault.strobe_ns);
}

void read_limit(const FaultParse& text) {
  text.fault.limit = read_open_count(text.table, "limit", {0, connections_max},
                                     OpenDuration::What::limit, text.fault);
}

KeyValue write_limit(const FaultSpec& fault) {
  if (fault.find_open(OpenDuration::What::limit) != nullptr) {
    return write_open_count(fault, OpenDuration::What::limit, *fault.limit);
  }
  return fault.limit ? KeyValue(std::to_string(*fault.limit)) : std::nullopt;
}

// -- keys of locks --

void read_on(const FaultParse& text) {
  const auto on = text.table.text("on");
  if (!on) text.table.complain_missing("on", "on = \"n1\"");
  text.fault.target = text.participants.node(*on).name;
}

void read_key(const FaultParse& text) {
  const auto key = text.table.text("key");
  if (!key) return;
  if (key->text.empty()) key->complain("the key has no name; expected one as in '{name}:tickets'");
  text.fault.key_pattern = key->text;
}

// -- all of them --

struct OwnKey {
  std::string_view key;
  KeyType type;
  void (*read)(const FaultParse&);
  KeyValue (*write)(const FaultSpec&);
};

/// In the order in which they are read.
constexpr std::array own_keys = {
    OwnKey{"from", KeyType::text, read_from,
           [](const FaultSpec& fault) { return text_unless_empty(fault.message_from); }},
    OwnKey{"to", KeyType::text, read_to,
           [](const FaultSpec& fault) { return text_unless_empty(fault.message_to); }},
    OwnKey{"task", KeyType::text, read_callback,
           [](const FaultSpec& fault) { return write_callback(fault, CallbackKind::task); }},
    OwnKey{"reply", KeyType::text, [](const FaultParse&) { /* see task */ },
           [](const FaultSpec& fault) { return write_callback(fault, CallbackKind::reply); }},
    OwnKey{"nth", KeyType::number_range, read_nth,
           [](const FaultSpec& fault) {
             return write_open_count(fault, OpenDuration::What::nth, fault.nth);
           }},
    OwnKey{"times", KeyType::setting, read_times,
           [](const FaultSpec& fault) {
             return write_open_count(fault, OpenDuration::What::times, fault.times);
           }},
    OwnKey{"behind", KeyType::text, read_behind,
           [](const FaultSpec& fault) { return text_unless_empty(fault.behind_label); }},
    OwnKey{"at_most", KeyType::duration, read_at_most, write_at_most},
    OwnKey{"by", KeyType::duration_range, read_by, write_by},
    OwnKey{"rate", KeyType::ppm_range, read_rate, write_rate},
    OwnKey{"every", KeyType::duration_range, read_every, write_every},
    OwnKey{"clock", KeyType::text, read_clock, write_clock},
    OwnKey{"limit", KeyType::number_range, read_limit, write_limit},
    OwnKey{"on", KeyType::text, read_on,
           [](const FaultSpec& fault) { return text_unless_empty(fault.target); }},
    OwnKey{"key", KeyType::text, read_key,
           [](const FaultSpec& fault) { return text_unless_empty(fault.key_pattern); }},
};

/// Those that are read and written with the trigger.
constexpr std::array<std::pair<std::string_view, KeyType>, 6> common_keys = {{
    {"at", KeyType::duration_range},
    {"when", KeyType::text},
    {"after", KeyType::duration_range},
    {"before", KeyType::duration_range},
    {"for", KeyType::duration_range},
    {"stays", KeyType::boolean},
}};

/// `for = "8s"` as the kind's example has it.
std::string_view example_of_for(const FaultForm& form) {
  const std::size_t begin = form.example.find("for = ");
  const std::size_t end = form.example.find('"', form.example.find('"', begin) + 1);
  return form.example.substr(begin, end + 1 - begin);
}

}  // namespace

std::string_view to_string(ClockChoice clock) {
  switch (clock) {
    case ClockChoice::wall:
      return "wall";
    case ClockChoice::monotonic:
      return "monotonic";
    case ClockChoice::both:
      return "both";
  }
  return {};
}

void read_own_keys(const FaultParse& text) {
  for (const OwnKey& own : own_keys) {
    if (text.form.keys.contain(own.key)) own.read(text);
  }
  if (text.form.timing.lasting == Lasting::always && !text.table.has("for")) {
    text.table.complain_missing("for", std::string(example_of_for(text.form)));
  }
}

std::optional<std::string> write_own_key(std::string_view key, const FaultSpec& fault) {
  const auto* const found = std::find_if(own_keys.begin(), own_keys.end(),
                                         [key](const OwnKey& own) { return own.key == key; });
  if (found != own_keys.end()) return found->write(fault);
  throw std::out_of_range("nobody writes the key of faults '" + std::string(key) +
                          "': add it to own_keys in fault_keys.cpp");
}

KeyType type_of_fault_key(std::string_view key) {
  for (const OwnKey& own : own_keys) {
    if (own.key == key) return own.type;
  }
  for (const auto& [word, type] : common_keys) {
    if (word == key) return type;
  }
  throw std::out_of_range("no type for the key of faults '" + std::string(key) +
                          "': add it to own_keys in fault_keys.cpp");
}

std::optional<std::uint32_t> read_open_count(const TableReader& table, std::string_view key,
                                             NumberRange limits, OpenDuration::What what,
                                             FaultSpec& fault) {
  const std::optional<NumberRange> range = table.number_range(key, limits);
  if (!range) return std::nullopt;
  if (range->max > range->min) fault.open.push_back({what, range->min, range->max});
  return static_cast<std::uint32_t>(range->min);
}

std::optional<std::uint32_t> read_open_times(const TableReader& table, OpenDuration::What what,
                                             FaultSpec& fault) {
  constexpr std::int64_t times_max = 1'000'000;
  const auto* const node = table.node("times");
  const bool is_word = node != nullptr && node->is_string() &&
                       table.text("times")->text.find("..") == std::string_view::npos;
  if (!is_word) return read_open_count(table, "times", {1, times_max}, what, fault);
  const LocatedText word = *table.text("times");
  if (word.text != "always") {
    word.complain(
        fmt::format("{} is no number of times; expected a whole number, a range as in "
                    "\"1..3\", or \"always\"",
                    in_quotes(word.text)));
  }
  return unlimited_times;
}

std::optional<sim::DurationNs> read_open_duration(const TableReader& table, std::string_view key,
                                                  DurationSign sign, OpenDuration::What what,
                                                  FaultSpec& fault) {
  const toml::node* const node = table.node(key);
  if (node == nullptr || !node->is_string()) return table.duration(key, sign);
  const auto text = table.text(key);
  const std::size_t dots = text->text.find("..");
  if (dots == std::string_view::npos) return duration_of(*text, sign);
  const OpenDuration open{what, duration_of(text->part(0, dots), sign),
                          duration_of(text->part(dots + 2), sign)};
  if (open.max_ns < open.min_ns) {
    text->part(dots + 2).complain(
        fmt::format("{} ends before it begins; expected least..most", in_quotes(text->text)));
  }
  if (open.max_ns > open.min_ns) fault.open.push_back(open);
  return open.min_ns;
}

}  // namespace lockstep::scenario
