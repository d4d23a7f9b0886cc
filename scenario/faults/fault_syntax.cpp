#include "scenario/faults/fault_syntax.h"

#include <fmt/format.h>

#include <array>

#include "scenario/located_numbers.h"

namespace lockstep::scenario {
namespace {

struct ThemeText {
  void (*read)(const FaultParse&);
  std::string (*tell)(const FaultSpec&);
};

/// By Theme.
constexpr std::array<ThemeText, theme_count> themes = {{
    {&read_process_fault, &describe_process_fault},
    {&read_network_fault, &describe_network_fault},
    {&read_message_fault, &describe_message_fault},
    {&read_replication_fault, &describe_replication_fault},
    {&read_clock_fault, &describe_clock_fault},
    {&read_operator_fault, &describe_operator_fault},
    {&read_client_fault, &describe_client_fault},
}};

const ThemeText& theme_text(FaultKind kind) {
  return themes[static_cast<std::size_t>(form_of(kind).theme)];
}

}  // namespace

void read_fault_text(const FaultParse& text) { theme_text(text.form.kind).read(text); }

std::string describe_fault(const FaultSpec& fault) { return theme_text(fault.kind).tell(fault); }

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

void read_by(const FaultParse& text, DurationSign sign, std::string_view example) {
  const auto by_ns = read_open_duration(text.table, "by", sign, OpenDuration::What::by, text.fault);
  if (!by_ns) text.table.complain_missing("by", fmt::format("by = \"{}\"", example));
  text.fault.by_ns = *by_ns;
}

void require_communication(const LocatedText& at, const Participant& one,
                           const Participant& other) {
  if (one.name == other.name) at.complain("a host can't be parted from itself; expected another");
  if (!can_communicate(one, other)) {
    at.complain(
        fmt::format("'{}' and '{}' never talk to each other; expected a client and a node or the "
                    "resource, or two nodes of one shard",
                    one.name, other.name));
  }
}

}  // namespace lockstep::scenario
