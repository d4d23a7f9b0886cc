#include <fmt/format.h>

#include <algorithm>

#include "checker/property.h"
#include "reports/formats/survival_comparison.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/text/text_file.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

constexpr const char* too_deep = "this is no survival table: it is nested too deeply";
constexpr int table_depth_max = 12;  // a table's own values have at most 7

/// Reads one document. Complains with the path of the member that it is at.
class SurvivalReader {
 public:
  SurvivalReader(const std::string& path, const std::string& text) : path_(path) {
    bool is_too_deep = false;
    const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
      is_too_deep = is_too_deep || depth > table_depth_max;
      return !is_too_deep;
    };
    try {
      document_ = Json::parse(text, shallow);
    } catch (const Json::parse_error& error) {
      if (is_too_deep) fail(too_deep);
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(
                                          text.size(), std::max<std::size_t>(error.byte, 1) - 1));
      fail("this is not JSON, or it is cut short",
           static_cast<std::uint32_t>(1 + std::count(text.begin(), end, '\n')));
    }
    if (is_too_deep) fail(too_deep);
  }

  std::vector<SurvivalSummary> read() {
    if (!document_.is_object() || document_.value("format", Json()) != "lockstep-survival") {
      fail("this is no survival table; `lockstep fuzz LOCK --format json` writes one");
    }
    const auto version = number_from(member(document_, "", "version"));
    if (version != survival_table_version) {
      fail(fmt::format("the table has version {}; this Lockstep reads version {}",
                       version ? fmt::format("{}", *version) : "?", survival_table_version));
    }
    std::vector<SurvivalSummary> all;
    each(document_, "", "targets",
         [&](const Json& of, const std::string& at) { all.push_back(target(of, at)); });
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::uint32_t line = 0) const {
    throw scenario::InputError::about(path_, what, line);
  }
  [[noreturn]] void expected(const std::string& at, std::string_view what) const {
    fail(fmt::format("{}: expected {}", at, what));
  }

  static std::string below(const std::string& at, std::string_view name) {
    return at.empty() ? std::string(name) : fmt::format("{}.{}", at, name);
  }

  const Json& member(const Json& of, const std::string& at, const char* name) const {
    if (!of.is_object()) expected(at, "an object");
    const auto found = of.find(name);
    if (found == of.end()) fail(fmt::format("{} is missing", below(at, name)));
    return *found;
  }

  template <typename Visit>
  void each(const Json& of, const std::string& at, const char* name, Visit visit) const {
    const Json& list = member(of, at, name);
    if (!list.is_array()) expected(below(at, name), "a list");
    for (std::size_t i = 0; i < list.size(); ++i) {
      visit(list[i], fmt::format("{}[{}]", below(at, name), i));
    }
  }

  [[nodiscard]] std::string text(const Json& value, const std::string& at) const {
    const auto* const words = value.get_ptr<const Json::string_t*>();
    if (words == nullptr) expected(at, "a text");
    return sanitized(*words);
  }

  bool is_true(const Json& of, const std::string& at, const char* name) const {
    const Json& value = member(of, at, name);
    if (!value.is_boolean()) expected(below(at, name), "true or false");
    return value.get<bool>();
  }

  /// A word of a closed list, by the function that knows it.
  template <typename Find>
  auto word(const Json& value, const std::string& at, std::string_view what, Find find) const {
    const std::string words = text(value, at);
    const auto known = find(words);
    if (!known) fail(fmt::format("{}: there is no {} '{}'", at, what, brief(words)));
    return *known;
  }
  checker::Property property(const Json& value, const std::string& at) const {
    return word(value, at, "property", checker::property_from);
  }
  model::Assumption assumption(const Json& value, const std::string& at) const {
    return word(value, at, "assumption", model::assumption_from);
  }

  SurvivalSummary target(const Json& of, const std::string& at) const;
  void contract(const Json& of, const std::string& at, SurvivalSummary& summary) const;
  void row(const Json& of, const std::string& at, SurvivalSummary& summary) const;
  SurvivalSummary::Found finding(const Json& of, const std::string& at) const;

  std::string path_;
  Json document_;
};

SurvivalSummary SurvivalReader::target(const Json& of, const std::string& at) const {
  SurvivalSummary summary;
  summary.lock = text(member(of, at, "lock"), below(at, "lock"));
  contract(member(of, at, "contract"), below(at, "contract"), summary);
  each(of, at, "promises", [&](const Json& value, const std::string& where) {
    summary.promises.push_back(property(value, where));
  });
  each(of, at, "rows",
       [&](const Json& value, const std::string& where) { row(value, where, summary); });
  each(of, at, "findings", [&](const Json& value, const std::string& where) {
    summary.findings.push_back(finding(value, where));
  });
  return summary;
}

void SurvivalReader::contract(const Json& of, const std::string& at,
                              SurvivalSummary& summary) const {
  summary.is_standard = is_true(of, at, "standard");
  summary.renews = is_true(of, at, "renews");
  const Json& assumes = member(of, at, "assumes");
  if (!assumes.is_object()) expected(below(at, "assumes"), "an object");
  for (const auto& [promise, list] : assumes.items()) {
    const std::string where = below(at, "assumes");
    model::AssumptionSet& assumed = summary.assumes[property(promise, where)];
    each(assumes, where, promise.c_str(), [&](const Json& value, const std::string& place) {
      assumed.insert(assumption(value, place));
    });
  }
  each(of, at, "executed_once", [&](const Json& value, const std::string& where) {
    summary.executed_once.push_back(text(value, where));
  });
  each(of, at, "known", [&](const Json& value, const std::string& where) {
    summary.known.push_back({property(member(value, where, "property"), below(where, "property")),
                             text(member(value, where, "what"), below(where, "what"))});
  });
}

void SurvivalReader::row(const Json& of, const std::string& at, SurvivalSummary& summary) const {
  const std::string words = text(member(of, at, "faults"), below(at, "faults"));
  const std::optional<scenario::FaultGroup> group = scenario::fault_group_from(words);
  if (!group && words != row_words(std::nullopt)) {
    fail(fmt::format("{}: there is no row '{}'", below(at, "faults"), brief(words)));
  }
  const Json& cells = member(of, at, "cells");
  if (!cells.is_object()) expected(below(at, "cells"), "an object");
  for (const auto& [promise, value] : cells.items()) {
    const std::string where = below(below(at, "cells"), brief(promise));
    const auto held = unsigned_from(member(value, where, "held"));
    if (!held) expected(below(where, "held"), "a whole number, at least 0");
    summary.cells[{group, property(promise, where)}] = {
        word(member(value, where, "state"), below(where, "state"), "state", cell_state_from),
        *held};
  }
}

SurvivalSummary::Found SurvivalReader::finding(const Json& of, const std::string& at) const {
  SurvivalSummary::Found found;
  found.kind =
      word(member(of, at, "kind"), below(at, "kind"), "kind of finding", finding_kind_from);
  found.property = property(member(of, at, "property"), below(at, "property"));
  each(of, at, "also", [&](const Json& value, const std::string& where) {
    found.also.push_back(property(value, where));
  });
  each(of, at, "kinds", [&](const Json& value, const std::string& where) {
    const std::string words = text(value, where);
    const scenario::FaultForm* const form = scenario::find_form(words);
    if (form == nullptr) fail(fmt::format("{}: there is no fault '{}'", where, brief(words)));
    found.kinds.push_back(form->kind);
  });
  each(of, at, "broken", [&](const Json& value, const std::string& where) {
    found.broken.insert(assumption(value, where));
  });
  return found;
}

}  // namespace

std::vector<SurvivalSummary> read_survival(const std::string& path) {
  return SurvivalReader(path, scenario::read_text_file(path)).read();
}

const SurvivalSummary& summary_of_lock(const std::vector<SurvivalSummary>& all,
                                       const std::string& lock, const std::string& path) {
  const std::string name = sanitized(lock);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const SurvivalSummary& each) { return each.lock == name; });
  if (found != all.end()) return *found;
  std::vector<std::string_view> locks;
  for (const SurvivalSummary& each : all) locks.push_back(each.lock);
  throw scenario::InputError::about(
      path, fmt::format("it has no table of '{}', but of {}", name, scenario::listed(locks)));
}

}  // namespace lockstep::reports
