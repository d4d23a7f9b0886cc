#include "scenario/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "scenario/file/file_keys.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

constexpr std::string_view mix_example = "mix = { lock = 5, try_lock = 3, write = 8 }";
constexpr std::int64_t turns_max = 10'000;
constexpr std::int64_t weight_max = 1'000;
constexpr std::int64_t reentrancy_max = 100;
constexpr std::int64_t permits_max = 1'000'000;
constexpr std::size_t locks_max = 100;

/// What a hold is needed for.
bool is_inside(const StepForm& form) {
  return form.kind == StepKind::write || form.role == StepRole::extends ||
         form.role == StepRole::asks;
}

bool is_outside(const StepForm& form) {
  return form.role == StepRole::takes || form.role == StepRole::asks ||
         form.role == StepRole::frees || form.role == StepRole::counts_down ||
         form.role == StepRole::awaits || form.kind == StepKind::crash;
}

class GenerateReader {
 public:
  GenerateReader(const TableReader& table, std::string_view default_lock_name)
      : table_(table), default_lock_name_(default_lock_name) {}

  GenerateSpec read() {
    table_.allow_only(key_names_of(TableName::generate));
    spec_.turns = static_cast<std::uint32_t>(
        table_.whole_number("steps", {1, turns_max}).value_or(spec_.turns));
    read_locks();
    lease_ = table_.duration_range("lease", DurationSign::positive, Granularity::milliseconds);
    wait_ = table_.duration_range("wait", DurationSign::positive, Granularity::milliseconds);
    spec_.think = table_.duration_range("think", DurationSign::not_negative).value_or(spec_.think);
    spec_.hold = table_.duration_range("hold", DurationSign::not_negative).value_or(spec_.hold);
    spec_.reentrancy = static_cast<std::uint32_t>(
        table_.whole_number("reentrancy", {1, reentrancy_max}).value_or(1));
    read_permits();
    read_mix();
    require_use();
    list_possible();
    return std::move(spec_);
  }

 private:
  void read_locks() {
    for (const LocatedText& name : table_.text_or_texts("locks")) {
      require_lock_name(name);
      auto& names = spec_.lock_names;
      if (std::find(names.begin(), names.end(), name.text) != names.end()) {
        name.complain(fmt::format("{} is named twice", in_quotes(name.text)));
      }
      if (names.size() == locks_max)
        name.complain(fmt::format("there are over {} locks", locks_max));
      names.emplace_back(name.text);
    }
    if (spec_.lock_names.empty()) spec_.lock_names = {std::string(default_lock_name_)};
  }

  /// A number, or "1..3".
  void read_permits() {
    const toml::node* node = table_.node("permits");
    if (node == nullptr) return;
    if (!node->is_string()) {
      spec_.amount_min = *table_.whole_number("permits", {1, permits_max});
      spec_.amount_max = spec_.amount_min;
      return;
    }
    const LocatedText text = *table_.text("permits");
    const std::size_t dots = text.text.find("..");
    if (dots == std::string_view::npos) {
      text.complain(fmt::format("{} is no range; expected a whole number, or one as in \"1..3\"",
                                in_quotes(text.text)));
    }
    spec_.amount_min = whole_number_of(text.part(0, dots), 1, permits_max);
    spec_.amount_max = whole_number_of(text.part(dots + 2), spec_.amount_min, permits_max);
  }

  void read_mix() {
    const auto mix = table_.table("mix");
    if (!mix) table_.complain_missing("mix", mix_example);
    for (const LocatedText& word : mix->keys()) {
      const StepForm& form = find_form(word);
      const auto weight =
          static_cast<std::uint32_t>(*mix->whole_number(word.text, {1, weight_max}));
      const GenerateSpec::WeightedStep drawn{step_of(form, word.place), weight};
      if (is_outside(form)) spec_.outside.push_back(drawn);
      if (is_inside(form)) spec_.inside.push_back(drawn);
    }
    if (spec_.outside.empty()) {
      throw InputError(table_.value_place("mix"),
                       fmt::format("nothing here takes a lock; expected as in {}", mix_example));
    }
  }

  const StepForm& find_form(const LocatedText& word) const {
    std::vector<std::string_view> words;
    for (const StepForm& form : step_forms()) {
      if (!is_outside(form) && !is_inside(form)) continue;
      if (form.word == word.text) return form;
      words.push_back(form.word);
    }
    const bool gives_back =
        word.text.ends_with("unlock") || word.text == "release" || word.text == "unlock_all";
    word.complain(fmt::format(
        "{} can't be drawn{} (what can is {})", in_quotes(word.text),
        gives_back ? ": what is taken is given back anyway" : did_you_mean(word.text, words),
        listed(words, "or")));
  }

  Step step_of(const StepForm& form, const SourceLocation& place) const {
    Step step{form.kind, {}, {}, {}, 1, 0, place};
    if (takes_several_locks(form)) {
      step.lock_names = spec_.lock_names;
    } else if (!form.options.empty()) {
      step.lock_names = {spec_.lock_names.front()};
    }
    if (lease_ && takes_lease(form)) {
      step.lease_ns = lease_->min_ns;
      if (lease_->is_open()) step.lease_ns_max = lease_->max_ns;
    }
    if (wait_ && takes_wait(form)) {
      step.wait_ns = wait_->min_ns;
      if (wait_->is_open()) step.wait_ns_max = wait_->max_ns;
    }
    return step;
  }

  /// What is said of the words must be said of one of them.
  void require_use() const {
    const auto any = [this](auto predicate) {
      return std::any_of(spec_.outside.begin(), spec_.outside.end(),
                         [&](const auto& word) { return predicate(form_of(word.step.kind)); }) ||
             std::any_of(spec_.inside.begin(), spec_.inside.end(),
                         [&](const auto& word) { return predicate(form_of(word.step.kind)); });
    };
    const auto takes = [](const StepForm& form) { return form.role == StepRole::takes; };
    const auto require = [&](std::string_view key, bool is_used, std::string_view words) {
      if (!table_.has(key) || is_used) return;
      throw InputError(
          table_.key_place(key),
          fmt::format("nothing of the mix has use for '{}'; expected {} in it", key, words));
    };
    require("lease", any(takes_lease), "lock, try_lock or the like");
    require("wait", any(takes_wait), "try_lock, try_acquire, await or the like");
    require("permits", any(takes_amount), "acquire or try_acquire");
    require("hold", any(takes), "lock, acquire or the like");
    require("reentrancy",
            any([&](const StepForm& form) { return takes(form) && !takes_amount(form); }),
            "lock or the like");
    const bool needs_hold = std::any_of(
        spec_.inside.begin(), spec_.inside.end(),
        [](const auto& word) { return form_of(word.step.kind).role != StepRole::asks; });
    if (needs_hold && !any(takes)) {
      throw InputError(table_.value_place("mix"),
                       "'write' and 'extend' need something that takes a lock; expected lock, "
                       "try_lock or the like too");
    }
  }

  void list_possible() {
    for (const auto* words : {&spec_.outside, &spec_.inside}) {
      for (const GenerateSpec::WeightedStep& word : *words) {
        add_possible(word.step);
        const StepForm& form = form_of(word.step.kind);
        if (form.role != StepRole::takes) continue;
        Step release{form.ended_by, word.step.lock_names, {}, {}, 1, 0, word.step.place};
        add_possible(release);
      }
    }
  }

  void add_possible(Step step) {
    if (takes_amount(form_of(step.kind))) step.amount = spec_.amount_max;
    const bool is_about_one = step.lock_names.size() == 1;
    if (!is_about_one || takes_several_locks(form_of(step.kind))) {
      spec_.possible.push_back(step);
      return;
    }
    for (const std::string& name : spec_.lock_names) {
      step.lock_names = {name};
      spec_.possible.push_back(step);
    }
  }

  const TableReader& table_;
  std::string_view default_lock_name_;
  GenerateSpec spec_;
  std::optional<DurationRange> lease_;
  std::optional<DurationRange> wait_;
};

}  // namespace

GenerateSpec read_generate(const TableReader& table, std::string_view default_lock_name) {
  return GenerateReader(table, default_lock_name).read();
}

}  // namespace lockstep::scenario
