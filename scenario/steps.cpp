#include "scenario/steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>

#include "scenario/duration_range.h"
#include "scenario/located_numbers.h"
#include "scenario/step_forms.h"
#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/located_text.h"
#include "scenario/text/suggest.h"
#include "scenario/workload_spec.h"

namespace lockstep::scenario {
namespace {

constexpr std::size_t lock_name_bytes_max = 200;

constexpr std::int64_t amount_max = 1'000'000;
constexpr std::size_t lock_names_max = 100;

const StepForm& form_of_step(const LocatedText& word) {
  std::vector<std::string_view> words;
  for (const StepForm& form : step_forms()) {
    if (form.word == word.text) return form;
    words.push_back(form.word);
  }
  word.complain(fmt::format("unknown step {}{} (a step is {})", in_quotes(word.text),
                            did_you_mean(word.text, words), listed(words, "or")));
}

/// "a,b,c"; each a lock's name, none twice.
std::vector<std::string> read_lock_names(const LocatedText& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.text.size();) {
    const std::size_t end = std::min(list.text.find(',', begin), list.text.size());
    const LocatedText name = list.part(begin, end - begin);
    require_lock_name(name);
    if (std::find(names.begin(), names.end(), name.text) != names.end()) {
      name.complain(fmt::format("{} is named twice", in_quotes(name.text)));
    }
    if (names.size() == lock_names_max) {
      name.complain(fmt::format("a step has at most {} locks", lock_names_max));
    }
    names.emplace_back(name.text);
    begin = end + 1;
  }
  return names;
}

/// "1s" or "1s..5s".
void set_range(std::optional<sim::DurationNs>& least, std::optional<sim::DurationNs>& most,
               const LocatedText& value) {
  const DurationRange range =
      duration_range_of(value, DurationSign::positive, Granularity::milliseconds);
  least = range.min_ns;
  if (range.is_open()) most = range.max_ns;
}

void read_value(Step& step, const LocatedText& name, const LocatedText& value) {
  if (name.text == "name") {
    require_lock_name(value);
    step.lock_names = {std::string(value.text)};
  } else if (name.text == "names") {
    step.lock_names = read_lock_names(value);
  } else if (name.text == "lease") {
    set_range(step.lease_ns, step.lease_ns_max, value);
  } else if (name.text == "wait") {
    set_range(step.wait_ns, step.wait_ns_max, value);
  } else {
    step.amount = whole_number_of(value, 1, amount_max);
  }
}

void read_option(Step& step, const StepForm& form, const LocatedText& word, std::size_t equals,
                 std::vector<std::string_view>& given) {
  const LocatedText name = word.part(0, equals);
  if (std::find(form.options.begin(), form.options.end(), name.text) == form.options.end()) {
    name.complain(fmt::format("'{}' has no option {}{} (its options are {})", form.word,
                              in_quotes(name.text), did_you_mean(name.text, form.options),
                              listed(form.options)));
  }
  if (std::find(given.begin(), given.end(), name.text) != given.end()) {
    name.complain(fmt::format("{} is given twice", in_quotes(name.text)));
  }
  given.push_back(name.text);
  read_value(step, name, word.part(equals + 1));
}

std::int64_t amount_of(const Step& step) {
  return takes_amount(form_of(step.kind)) ? step.amount : 1;
}

[[noreturn]] void complain_surplus(const StepForm& form, const LocatedText& word) {
  const std::string expected = form.options.empty()
                                   ? std::string("nothing more")
                                   : fmt::format("{} with '=', as in '{}=…'",
                                                 listed(form.options, "or"), form.options.front());
  word.complain(fmt::format("unexpected {} after '{}'; expected {}", in_quotes(word.text),
                            form.word, expected));
}

}  // namespace

Step read_step(const LocatedText& text, std::string_view default_lock_name) {
  const std::vector<LocatedText> words = text.words();
  if (words.empty()) text.complain("this step is empty; expected one as in 'lock lease=10s'");
  const StepForm& form = form_of_step(words.front());
  Step step{form.kind, {}, {}, {}, 1, 0, words.front().place};
  std::size_t next = 1;
  if (form.has_duration) {
    if (words.size() < 2) {
      words.front().complain(
          fmt::format("'{}' lacks its duration, as in '{}'", form.word, form.example));
    }
    // Of a range the least may be nothing.
    const LocatedText& how_long = words[next++];
    const DurationRange range = duration_range_of(how_long, DurationSign::not_negative);
    if (range.max_ns == 0) (void)duration_of(how_long, DurationSign::positive);
    step.duration_ns = range.min_ns;
    if (range.is_open()) step.duration_ns_max = range.max_ns;
  }
  std::vector<std::string_view> given;
  for (; next < words.size(); ++next) {
    const std::size_t equals = words[next].text.find('=');
    if (equals == std::string_view::npos || form.options.empty()) {
      complain_surplus(form, words[next]);
    }
    read_option(step, form, words[next], equals, given);
  }
  if (takes_several_locks(form) && step.lock_names.empty()) {
    const std::string_view names = form.example == form.word ? " names=a,b" : "";
    words.front().complain(
        fmt::format("'{}' lacks the locks' names, as in '{}{}'", form.word, form.example, names));
  }
  const bool is_about_a_lock = !form.options.empty();
  if (is_about_a_lock && step.lock_names.empty()) {
    step.lock_names = {std::string(default_lock_name)};
  }
  return step;
}

ReleaseMatch matching_release(const std::vector<Step>& steps, std::size_t from) {
  const StepKind ended_by = form_of(steps[from].kind).ended_by;
  std::int64_t depth = 0;
  for (std::size_t i = from; i < steps.size(); ++i) {
    if (steps[i].lock_names != steps[from].lock_names) continue;
    const StepForm& form = form_of(steps[i].kind);
    if (form.role == StepRole::takes && form.ended_by == ended_by) depth += amount_of(steps[i]);
    if (steps[i].kind == ended_by && (depth -= amount_of(steps[i])) <= 0) {
      return {i + 1, depth == 0};
    }
  }
  return {steps.size(), true};
}

void require_locks_before_unlocks(const std::vector<Step>& steps) {
  std::map<std::pair<StepKind, std::vector<std::string>>, std::int64_t> holds;
  for (const Step& step : steps) {
    const StepForm& form = form_of(step.kind);
    const std::int64_t amount = amount_of(step);
    if (form.role == StepRole::takes) holds[{form.ended_by, step.lock_names}] += amount;
    if (form.role != StepRole::gives_back) continue;
    if ((holds[{step.kind, step.lock_names}] -= amount) >= 0) continue;
    std::vector<std::string_view> takers;
    for (const StepForm& each : step_forms()) {
      if (each.role == StepRole::takes && each.ended_by == step.kind) takers.push_back(each.word);
    }
    throw InputError(step.place,
                     fmt::format("there is no {} of '{}' before this {} that it could end",
                                 listed(takers, "or"), fmt::join(step.lock_names, ","), form.word));
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (form_of(steps[i].kind).role != StepRole::takes) continue;
    const ReleaseMatch match = matching_release(steps, i);
    if (match.is_exact) continue;
    const Step& release = steps[match.end - 1];
    throw InputError(
        release.place,
        fmt::format("this {} gives back more than '{}' takes, so it could not be "
                    "passed over where that is refused; expected one for each",
                    form_of(release.kind).word, write_step(steps[i], steps[i].lock_names.front())));
  }
}

void require_lock_name(const LocatedText& name) {
  if (name.text.empty()) name.complain("the lock's name is empty");
  if (name.text.size() > lock_name_bytes_max) {
    name.complain("the lock's name is over 200 bytes long");
  }
  const std::size_t blank = name.text.find_first_of(" \t\r\n=");
  if (blank != std::string_view::npos) {
    name.part(blank).complain("a lock's name has no blanks and no '='");
  }
  const bool has_control = std::any_of(name.text.begin(), name.text.end(), [](char byte) {
    return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
  });
  if (has_control) name.complain("a lock's name has no control characters");
}

std::string write_range(sim::DurationNs least_ns, std::optional<sim::DurationNs> most_ns) {
  if (!most_ns || *most_ns == least_ns) return format_duration(least_ns);
  return fmt::format("{}..{}", format_duration(least_ns), format_duration(*most_ns));
}

std::string write_step(const Step& step, std::string_view default_lock_name) {
  const StepForm& form = form_of(step.kind);
  std::string text(form.word);
  if (form.has_duration) {
    text += fmt::format(" {}", write_range(step.duration_ns, step.duration_ns_max));
  }
  if (takes_amount(form) && (step.amount != 1 || form.role == StepRole::sets)) {
    text += fmt::format(" {}={}", form.options.front(), step.amount);
  }
  if (step.wait_ns) text += fmt::format(" wait={}", write_range(*step.wait_ns, step.wait_ns_max));
  if (step.lease_ns) {
    text += fmt::format(" lease={}", write_range(*step.lease_ns, step.lease_ns_max));
  }
  if (takes_several_locks(form)) {
    text += fmt::format(" names={}", fmt::join(step.lock_names, ","));
  } else if (!step.lock_names.empty() && step.lock_names.front() != default_lock_name) {
    text += fmt::format(" name={}", step.lock_names.front());
  }
  return text;
}

std::string_view to_string(StepKind kind) { return form_of(kind).word; }

}  // namespace lockstep::scenario
