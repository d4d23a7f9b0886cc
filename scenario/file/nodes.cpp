#include "scenario/file/nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/file/file_keys.h"
#include "scenario/file/redis_config.h"

namespace lockstep::scenario {
namespace {

constexpr std::size_t links_max = 1'000;

/// The fake Redis is like this one; what others answer differently is not known to it.
constexpr std::string_view version_simulated = "7.0";

NodeSpec read_node(const TableReader& table, const LocatedText& name) {
  table.allow_only(key_names_of(TableName::node));
  NodeSpec node;
  node.name = name.text;
  node.place = name.place;
  node.wall_offset_ns = table.duration("wall_offset", DurationSign::any).value_or(0);
  node.drift_ppm = table.ppm("drift").value_or(0);
  if (const auto latency = table.text("latency")) node.latency = latency_of(*latency);
  if (const auto config = table.table("config")) node.settings = read_redis_config(*config);
  require_version(table);
  return node;
}

}  // namespace

void read_nodes(const TableReader& redis_table, Scenario& scenario) {
  const auto nodes = redis_table.table("nodes");
  if (!nodes) return;
  const Participants participants(scenario.redis, {});
  for (const LocatedText& name : nodes->keys()) {
    static_cast<void>(participants.node(name));
    scenario.redis.nodes.push_back(read_node(*nodes->table(name.text), name));
  }
}

void read_links(const std::vector<TableReader>& tables, const Participants& participants,
                Scenario& scenario) {
  for (const TableReader& table : tables) {
    table.allow_only(key_names_of(TableName::link));
    if (scenario.links.size() == links_max) {
      throw InputError(table.place(), fmt::format("there are more than {} links", links_max));
    }
    const auto from = table.text("from");
    const auto to = table.text("to");
    const auto latency = table.text("latency");
    if (!from) table.complain_missing("from", "from = \"a\"");
    if (!to) table.complain_missing("to", "to = \"n1\"");
    if (!latency) table.complain_missing("latency", "latency = \"20ms..30ms\"");
    const Participant& one = participants.host(*from);
    const Participant& other = participants.host(*to);
    if (!can_communicate(one, other)) {
      to->complain(fmt::format("'{}' and '{}' never talk to each other; expected two hosts that do",
                               one.name, other.name));
    }
    const auto same = std::find_if(
        scenario.links.begin(), scenario.links.end(),
        [&](const LinkSpec& link) { return link.from == one.name && link.to == other.name; });
    if (same != scenario.links.end()) {
      from->complain(
          fmt::format("there is a [[link]] from '{}' to '{}' already", one.name, other.name));
    }
    scenario.links.push_back({one.name, other.name, latency_of(*latency)});
  }
}

void require_version(const TableReader& table) {
  const auto version = table.text("version");
  if (!version || version->text == version_simulated) return;
  version->complain(fmt::format("there is no Redis {} here; the simulated one is {}",
                                in_quotes(version->text), version_simulated));
}

}  // namespace lockstep::scenario
