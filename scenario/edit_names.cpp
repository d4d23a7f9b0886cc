#include "scenario/edit_names.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lockstep::scenario {
namespace {

/// "a" and "a/1" for "a".
bool is_or_is_of(std::string_view name, std::string_view whose) {
  return name == whose || (name.starts_with(whose) && name.substr(whose.size()).starts_with('/'));
}

template <typename Visit>
void visit_names(FaultSpec& fault, Visit visit) {
  for (std::string* name : {&fault.target, &fault.other, &fault.message_from, &fault.message_to}) {
    visit(*name);
  }
  for (auto& group : fault.groups) std::for_each(group.begin(), group.end(), visit);
  std::for_each(fault.targets.begin(), fault.targets.end(), visit);
  if (!fault.trigger.when) return;
  visit(fault.trigger.when->actor);
  visit(fault.trigger.when->to);
  visit(fault.trigger.when->requested_by);
  visit(fault.trigger.when->detail);  // a host: whom a sentinel takes for the master
}

/// The phrase with each word replaced that is the name.
std::string renamed_words(std::string_view phrase, std::string_view name,
                          const std::string& new_name) {
  std::string text;
  for (std::size_t begin = 0; begin <= phrase.size();) {
    const std::size_t end = std::min(phrase.find(' ', begin), phrase.size());
    const std::string_view word = phrase.substr(begin, end - begin);
    text += word == name ? std::string_view(new_name) : word;
    if (end < phrase.size()) text += ' ';
    begin = end + 1;
  }
  return text;
}

}  // namespace

void rename_actor(Scenario& scenario, std::string_view name, const std::string& new_name) {
  const std::string old_name(name);
  const auto rename = [&](std::string& each) {
    if (each == old_name) each = new_name;
  };
  for (FaultSpec& fault : scenario.faults) visit_names(fault, rename);
  for (LinkSpec& link : scenario.links) {
    rename(link.from);
    rename(link.to);
  }
  for (NodeSpec& node : scenario.redis.nodes) rename(node.name);
  for (Sometimes& each : scenario.expect.sometimes) {
    each.text = renamed_words(each.text, old_name, new_name);
  }
}

void remove_actor(Scenario& scenario, std::string_view name) {
  const std::string gone(name);
  const auto is_gone = [&gone](const std::string& each) { return is_or_is_of(each, gone); };
  std::erase_if(scenario.redis.nodes, [&](const NodeSpec& node) { return node.name == gone; });
  for (FaultSpec& fault : scenario.faults) {
    for (auto& group : fault.groups) std::erase_if(group, is_gone);
    std::erase_if(fault.groups, [](const auto& group) { return group.empty(); });
    if (std::erase_if(fault.targets, is_gone) == 0 || fault.targets.empty()) continue;
    fault.target = fault.targets.front();
    if (fault.targets.size() == 1) fault.targets.clear();
  }
}

}  // namespace lockstep::scenario
