#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "scenario/file/client_fields.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

constexpr std::int64_t weight_max = 1'000;
constexpr std::int64_t permits_max = 1'000'000;
constexpr std::size_t locks_max = 100;

/// What `generate` says; the words of the mix have the leases and the waits.
struct GenerateTable {
  GenerateSpec spec;
  std::optional<DurationRange> lease;  ///< of the words that say none
  std::optional<DurationRange> wait;
};

/// What a hold is needed for.
bool is_inside(const StepForm& form) {
  return form.kind == StepKind::write || form.role == StepRole::extends ||
         form.role == StepRole::asks;
}

bool is_outside(const StepForm& form) {
  return form.role == StepRole::takes || form.role == StepRole::asks ||
         form.role == StepRole::frees || form.role == StepRole::counts_down ||
         form.role == StepRole::awaits || form.role == StepRole::sets ||
         form.kind == StepKind::crash;
}

const StepForm& form_named(const LocatedText& text) {
  const std::vector<LocatedText> parts = text.words();
  const LocatedText word = parts.empty() ? text : parts.front();
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

/// What is drawn by a key of its own can't stand in a word of the mix.
void require_left_open(const StepForm& form, const LocatedText& text) {
  for (const LocatedText& part : text.words()) {
    const std::string_view option = part.text.substr(0, part.text.find('='));
    const bool is_name = option == "name" || option == "names";
    if (is_name) part.complain("which lock is drawn; expected the names in 'locks'");
    if (option == "permits" && form.role == StepRole::takes)
      part.complain("how many is drawn; expected 'permits' beside the mix");
  }
}

void add_range(const std::optional<DurationRange>& range, std::optional<sim::DurationNs>& least,
               std::optional<sim::DurationNs>& most) {
  if (!range || least) return;
  least = range->min_ns;
  if (range->is_open()) most = range->max_ns;
}

/// A word, with options or without: "lock", "lock lease=5s..60s".
Step step_of(const StepForm& form, const LocatedText& text, const GenerateTable& generate) {
  const std::vector<std::string>& lock_names = generate.spec.lock_names;
  require_left_open(form, text);
  std::string sentence(text.text);
  if (takes_several_locks(form)) sentence += fmt::format(" names={}", fmt::join(lock_names, ","));
  Step step = read_step({sentence, text.place, false}, lock_names.front());
  if (takes_lease(form)) add_range(generate.lease, step.lease_ns, step.lease_ns_max);
  if (takes_wait(form)) add_range(generate.wait, step.wait_ns, step.wait_ns_max);
  return step;
}

using Row = Field<GenerateTable>;

void read_lock_names(const TableReader& table, const Row& self, const ReadContext& context,
                     GenerateTable& generate) {
  std::vector<std::string>& names = generate.spec.lock_names;
  for (const LocatedText& name : table.text_or_texts(self.form.key)) {
    require_lock_name(name);
    if (std::find(names.begin(), names.end(), name.text) != names.end()) {
      name.complain(fmt::format("{} is named twice", in_quotes(name.text)));
    }
    if (names.size() == locks_max) name.complain(fmt::format("there are over {} locks", locks_max));
    names.emplace_back(name.text);
  }
  if (names.empty()) names = {context.scenario.lock_name};
}

void write_lock_names(const Row& self, const GenerateTable& generate, const WriteContext& context,
                      TableText& text) {
  if (generate.spec.lock_names == std::vector{context.scenario.lock_name}) return;
  text.keys.add(self.form.key, toml_text_or_list(generate.spec.lock_names));
}

void read_permits(const TableReader& table, const Row& self, const ReadContext&,
                  GenerateTable& generate) {
  const auto range = table.number_range(self.form.key, {1, permits_max});
  if (!range) return;
  generate.spec.amount_min = range->min;
  generate.spec.amount_max = range->max;
}

void write_permits(const Row& self, const GenerateTable& generate, const WriteContext&,
                   TableText& text) {
  const GenerateSpec& spec = generate.spec;
  if (spec.amount_min != spec.amount_max) {
    text.keys.add_text(self.form.key, fmt::format("{}..{}", spec.amount_min, spec.amount_max));
  } else if (spec.amount_min != 1) {
    text.keys.add_number(self.form.key, spec.amount_min);
  }
}

void read_mix(const TableReader& table, const Row& self, const ReadContext&,
              GenerateTable& generate) {
  const auto mix = table.table(self.form.key);
  if (!mix) table.complain_missing(self.form.key, self.example);
  GenerateSpec& spec = generate.spec;
  for (const LocatedText& word : mix->keys()) {
    const StepForm& form = form_named(word);
    const auto weight = static_cast<std::uint32_t>(*mix->whole_number(word.text, {1, weight_max}));
    const GenerateSpec::WeightedStep drawn{step_of(form, word, generate), weight};
    if (is_outside(form)) spec.outside.push_back(drawn);
    if (is_inside(form)) spec.inside.push_back(drawn);
  }
  if (spec.outside.empty()) {
    throw InputError(table.value_place(self.form.key),
                     fmt::format("nothing here takes a lock; expected as in {}", self.example));
  }
}

/// What outside and inside have in common stands in both, in the order of the file.
std::vector<GenerateSpec::WeightedStep> mix_of(const GenerateSpec& generate) {
  std::vector<GenerateSpec::WeightedStep> mix;
  auto inner = generate.inside.begin();
  for (const GenerateSpec::WeightedStep& outer : generate.outside) {
    const auto same = std::find_if(inner, generate.inside.end(),
                                   [&](const auto& word) { return word.step == outer.step; });
    if (same != generate.inside.end()) {
      mix.insert(mix.end(), inner, same);
      inner = same + 1;
    }
    mix.push_back(outer);
  }
  mix.insert(mix.end(), inner, generate.inside.end());
  return mix;
}

/// The step without the lock, which is drawn.
std::string word_of(const Step& step) {
  if (!takes_several_locks(form_of(step.kind)))
    return write_step(step, step.lock_names.empty() ? "" : step.lock_names.front());
  std::string text = write_step(step, "");
  return text.erase(text.find(" names="));
}

void write_mix(const Row& self, const GenerateTable& generate, const WriteContext&,
               TableText& text) {
  TomlTable words;
  for (const GenerateSpec::WeightedStep& word : mix_of(generate.spec)) {
    Step said = word.step;
    if (generate.lease) said.lease_ns = said.lease_ns_max = std::nullopt;
    if (generate.wait) said.wait_ns = said.wait_ns_max = std::nullopt;
    words.add_number(word_of(said), word.weight);
  }
  text.keys.add(self.form.key, words.inline_text());
}

constexpr std::array spreads = {std::string_view("even"), std::string_view("log")};

void read_spread(const TableReader& table, const Row& self, const ReadContext&,
                 GenerateTable& generate) {
  const std::optional<LocatedText> word = table.text(self.form.key);
  if (!word) return;
  const auto found = std::find(spreads.begin(), spreads.end(), word->text);
  if (found == spreads.end()) {
    word->complain(fmt::format("unknown spread {}{} (it is {})", in_quotes(word->text),
                               did_you_mean(word->text, spreads), listed(spreads, "or")));
  }
  generate.spec.spread = static_cast<Spread>(found - spreads.begin());
}

void write_spread(const Row& self, const GenerateTable& generate, const WriteContext&,
                  TableText& text) {
  if (generate.spec.spread == Spread::even) return;
  text.keys.add_text(self.form.key, spreads[static_cast<std::size_t>(generate.spec.spread)]);
}

// The words of the mix have the names, the leases and the waits, so they are read last.
constexpr std::array generate_fields = {
    field<WholeNumber, &GenerateTable::spec, &GenerateSpec::turns>(
        "steps", "How many turns a thread takes", {.numbers = {1, 10'000}}),
    row<GenerateTable>("mix", KeyType::weights_by_name, "What is drawn in a turn, by weight")
        .requires_as_in("mix = { lock = 5, try_lock = 3, write = 8 }")
        .covers_members(3)  // outside, inside, possible
        .reads(read_mix, 4)
        .writes(write_mix),
    field<NanosecondRange, &GenerateTable::spec, &GenerateSpec::think>(
        "think", "How long a thread does nothing before each turn",
        {.sign = DurationSign::not_negative})
        .reads_at(2),
    field<NanosecondRange, &GenerateTable::spec, &GenerateSpec::hold>(
        "hold", "How long it keeps what it has taken", {.sign = DurationSign::not_negative})
        .reads_at(2),
    field<MillisecondRange, &GenerateTable::lease>("lease", "The leases that it asks for",
                                                   {.sign = DurationSign::positive})
        .covers_members(0)
        .reads_at(1),
    field<MillisecondRange, &GenerateTable::wait>("wait", "How long a try_… waits",
                                                  {.sign = DurationSign::positive})
        .covers_members(0)
        .reads_at(1),
    field<WholeNumber, &GenerateTable::spec, &GenerateSpec::reentrancy>(
        "reentrancy", "How deep it takes what it has already", {.numbers = {1, 100}})
        .reads_at(3),
    field<WholeNumber, &GenerateTable::spec, &GenerateSpec::nesting>(
        "nesting", "How many holds it has inside one another, each drawn and used",
        {.numbers = {1, 20}})
        .reads_at(3),
    row<GenerateTable>("spread", KeyType::text,
                       "Whether short and long times are drawn alike: even, or log")
        .covers_members(1)
        .reads(read_spread)
        .writes(write_spread),
    row<GenerateTable>("permits", KeyType::number_range, "How many permits it takes at once")
        .covers_members(2)
        .reads(read_permits, 3)
        .writes(write_permits),
    row<GenerateTable>("locks", KeyType::text_or_texts,
                       "The names of the locks, of which each turn has one")
        .covers_members(1)
        .reads(read_lock_names)
        .writes(write_lock_names),
};
static_assert(members_of(generate_fields) == member_count<GenerateSpec>());

/// What is said of the words must be said of one of them.
void require_use(const TableReader& table, const GenerateSpec& spec) {
  const auto any = [&spec](auto predicate) {
    return std::any_of(spec.outside.begin(), spec.outside.end(),
                       [&](const auto& word) { return predicate(form_of(word.step.kind)); }) ||
           std::any_of(spec.inside.begin(), spec.inside.end(),
                       [&](const auto& word) { return predicate(form_of(word.step.kind)); });
  };
  const auto takes = [](const StepForm& form) { return form.role == StepRole::takes; };
  const auto require = [&](std::string_view key, bool is_used, std::string_view words) {
    if (!table.has(key) || is_used) return;
    throw InputError(
        table.key_place(key),
        fmt::format("nothing of the mix has use for '{}'; expected {} in it", key, words));
  };
  require("lease", any(takes_lease), "lock, try_lock or the like");
  require("wait", any(takes_wait), "try_lock, try_acquire, await or the like");
  const auto takes_permits = [&](const StepForm& form) {
    return takes(form) && takes_amount(form);
  };
  require("permits", any(takes_permits), "acquire or try_acquire");
  require("hold", any(takes), "lock, acquire or the like");
  require("reentrancy",
          any([&](const StepForm& form) { return takes(form) && !takes_amount(form); }),
          "lock or the like");
  require("nesting", any(takes), "lock, acquire or the like");
  const bool needs_hold = std::any_of(spec.inside.begin(), spec.inside.end(), [](const auto& word) {
    return form_of(word.step.kind).role != StepRole::asks;
  });
  if (needs_hold && !any(takes)) {
    throw InputError(table.value_place("mix"),
                     "'write' and 'extend' need something that takes a lock; expected lock, "
                     "try_lock or the like too");
  }
}

void add_possible(Step step, GenerateSpec& spec) {
  const StepForm& form = form_of(step.kind);
  const bool is_drawn = form.role == StepRole::takes || form.role == StepRole::gives_back;
  if (takes_amount(form) && is_drawn) step.amount = spec.amount_max;
  const bool is_about_one = step.lock_names.size() == 1;
  if (!is_about_one || takes_several_locks(form)) {
    spec.possible.push_back(step);
    return;
  }
  for (const std::string& name : spec.lock_names) {
    step.lock_names = {name};
    spec.possible.push_back(step);
  }
}

void list_possible(GenerateSpec& spec) {
  for (const auto* words : {&spec.outside, &spec.inside}) {
    for (const GenerateSpec::WeightedStep& word : *words) {
      add_possible(word.step, spec);
      const StepForm& form = form_of(word.step.kind);
      if (form.role != StepRole::takes) continue;
      add_possible({form.ended_by, word.step.lock_names, {}, {}, 1, 0, word.step.place}, spec);
    }
  }
}

/// The lease, or the wait, that all words ask for that may; none where they differ.
std::optional<DurationRange> range_of(const GenerateSpec& spec, bool (*may_have)(const StepForm&),
                                      std::optional<sim::DurationNs> Step::*least,
                                      std::optional<sim::DurationNs> Step::*most) {
  std::optional<DurationRange> common;
  for (const GenerateSpec::WeightedStep& word : mix_of(spec)) {
    const Step& step = word.step;
    if (!may_have(form_of(step.kind))) continue;
    if (!(step.*least)) return std::nullopt;
    const DurationRange range{*(step.*least), (step.*most).value_or(*(step.*least))};
    if (common && *common != range) return std::nullopt;
    common = range;
  }
  return common;
}

}  // namespace

std::vector<KeyForm> generate_keys() { return forms_of(generate_fields); }

void read_generate(const TableReader& thread_table, const Field<ThreadSpec>& self,
                   const ReadContext& context, ThreadSpec& thread) {
  const auto table = thread_table.table(self.form.key);
  if (!table) return;
  GenerateTable generate;
  read_fields(generate_fields, *table, context, generate);
  require_use(*table, generate.spec);
  list_possible(generate.spec);
  thread.generate = std::move(generate.spec);
}

void write_generate(const Field<ThreadSpec>& self, const ThreadSpec& thread,
                    const WriteContext& context, TableText& text) {
  if (!thread.generate) return;
  const GenerateTable generate{
      *thread.generate,
      range_of(*thread.generate, takes_lease, &Step::lease_ns, &Step::lease_ns_max),
      range_of(*thread.generate, takes_wait, &Step::wait_ns, &Step::wait_ns_max)};
  TableText table = text.below_key(self.form.key);
  write_fields(generate_fields, generate, context, table);
  text.add(self.form.key, table);
}

}  // namespace lockstep::scenario
