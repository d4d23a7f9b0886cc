#include "model/scenario/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>

#include "model/scenario/durations.h"
#include "model/scenario/placed_numbers.h"
#include "model/scenario/suggest.h"

namespace lockstep::model {
namespace {

/// What a step may say besides its word.
struct StepForm {
  StepKind kind;
  std::string_view word;
  bool has_duration;
  std::span<const std::string_view> options;
  std::string_view example;
};

constexpr std::array<std::string_view, 2> lock_options = {"lease", "name"};
constexpr std::array<std::string_view, 3> try_lock_options = {"wait", "lease", "name"};
constexpr std::array<std::string_view, 1> name_option = {"name"};
constexpr std::array forms = {
    StepForm{StepKind::lock, "lock", false, lock_options, "lock lease=10s"},
    StepForm{StepKind::try_lock, "try_lock", false, try_lock_options, "try_lock wait=1s lease=10s"},
    StepForm{StepKind::unlock, "unlock", false, name_option, "unlock"},
    StepForm{StepKind::force_unlock, "force_unlock", false, name_option, "force_unlock"},
    StepForm{StepKind::write, "write", false, name_option, "write"},
    StepForm{StepKind::sleep, "sleep", true, {}, "sleep 5s"},
    StepForm{StepKind::crash, "crash", false, {}, "crash"},
};

constexpr std::size_t lock_name_bytes_max = 200;

const StepForm& form_of(StepKind kind) {
  return *std::find_if(forms.begin(), forms.end(),
                       [kind](const StepForm& form) { return form.kind == kind; });
}

const StepForm& find_form(const PlacedText& word) {
  std::array<std::string_view, forms.size()> words;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (forms[i].word == word.text) return forms[i];
    words[i] = forms[i].word;
  }
  word.complain(fmt::format("unknown step {}{} (a step is {})", in_quotes(word.text),
                            did_you_mean(word.text, words), listed(words, "or")));
}

void read_option(Step& step, const StepForm& form, const PlacedText& word, std::size_t equals) {
  const PlacedText name = word.part(0, equals);
  const PlacedText value = word.part(equals + 1);
  if (std::find(form.options.begin(), form.options.end(), name.text) == form.options.end()) {
    name.complain(fmt::format("'{}' has no option {}{} (its options are {})", form.word,
                              in_quotes(name.text), did_you_mean(name.text, form.options),
                              listed(form.options)));
  }
  const bool is_given_twice = (name.text == "lease" && step.lease_ns) ||
                              (name.text == "wait" && step.wait_ns) ||
                              (name.text == "name" && !step.lock_name.empty());
  if (is_given_twice) name.complain(fmt::format("{} is given twice", in_quotes(name.text)));
  if (name.text == "name") {
    require_lock_name(value);
    step.lock_name = value.text;
  } else {
    (name.text == "lease" ? step.lease_ns : step.wait_ns) =
        milliseconds_of(value, DurationSign::positive);
  }
}

[[noreturn]] void complain_surplus(const StepForm& form, const PlacedText& word) {
  const std::string expected = form.options.empty()
                                   ? std::string("nothing more")
                                   : fmt::format("{} with '=', as in '{}=…'",
                                                 listed(form.options, "or"), form.options.front());
  word.complain(fmt::format("unexpected {} after '{}'; expected {}", in_quotes(word.text),
                            form.word, expected));
}

}  // namespace

Step read_step(const PlacedText& text, std::string_view default_lock_name) {
  const std::vector<PlacedText> words = text.words();
  if (words.empty()) text.complain("this step is empty; expected one as in 'lock lease=10s'");
  const StepForm& form = find_form(words.front());
  Step step{form.kind, {}, {}, {}, 0, words.front().place};
  std::size_t next = 1;
  if (form.has_duration) {
    if (words.size() < 2) {
      words.front().complain(
          fmt::format("'{}' lacks its duration, as in '{}'", form.word, form.example));
    }
    step.duration_ns = duration_of(words[next++], DurationSign::positive);
  }
  for (; next < words.size(); ++next) {
    const std::size_t equals = words[next].text.find('=');
    if (equals == std::string_view::npos || form.options.empty()) {
      complain_surplus(form, words[next]);
    }
    read_option(step, form, words[next], equals);
  }
  const bool is_about_a_lock = !form.options.empty();
  if (is_about_a_lock && step.lock_name.empty()) step.lock_name = default_lock_name;
  return step;
}

void require_locks_before_unlocks(const std::vector<Step>& steps) {
  std::map<std::string_view, int> holds;
  for (const Step& step : steps) {
    if (step.kind == StepKind::lock || step.kind == StepKind::try_lock) ++holds[step.lock_name];
    if (step.kind != StepKind::unlock) continue;
    if (--holds[step.lock_name] < 0) {
      throw InputError(
          step.place,
          fmt::format("there is no lock or try_lock of '{}' before this unlock that it could end",
                      step.lock_name));
    }
  }
}

void require_lock_name(const PlacedText& name) {
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

std::string write_step(const Step& step, std::string_view default_lock_name) {
  std::string text(to_string(step.kind));
  if (step.kind == StepKind::sleep) text += fmt::format(" {}", write_duration(step.duration_ns));
  if (step.wait_ns) text += fmt::format(" wait={}", write_duration(*step.wait_ns));
  if (step.lease_ns) text += fmt::format(" lease={}", write_duration(*step.lease_ns));
  if (!step.lock_name.empty() && step.lock_name != default_lock_name) {
    text += fmt::format(" name={}", step.lock_name);
  }
  return text;
}

std::string_view to_string(StepKind kind) { return form_of(kind).word; }

}  // namespace lockstep::model
