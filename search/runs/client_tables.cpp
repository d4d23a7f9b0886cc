#include "search/runs/client_tables.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "scenario/scenario.h"
#include "search/runs/likely_changes.h"

namespace lockstep::search {
namespace {

using scenario::ClientSpec;
using Clients = std::vector<ClientSpec>;

bool are_of_one_table(const ClientSpec& one, const ClientSpec& other) {
  return one.place.line != 0 && one.place.line == other.place.line &&
         one.place.file == other.place.file;
}

/// One behind the last that is of the same table.
std::size_t end_of_table(const Clients& clients, std::size_t from) {
  std::size_t end = from + 1;
  while (end < clients.size() && are_of_one_table(clients[from], clients[end])) ++end;
  return end;
}

/// "w", of w1. REQUIRES: it is the first of several.
std::string name_of_table(const ClientSpec& first) {
  return first.name.substr(0, first.name.size() - 1);
}

}  // namespace

void change_whole_table(const scenario::Scenario& scenario, LikelyChange& change) {
  const Clients& clients = scenario.clients;
  bool has_tables = false;
  for (std::size_t from = 0; from < clients.size(); from = end_of_table(clients, from)) {
    const std::size_t end = end_of_table(clients, from);
    if (end == from + 1) continue;
    has_tables = true;
    for (std::size_t i = from; i < end; ++i) {
      const std::string of_one = "# of " + clients[i].name + ": ";
      const std::size_t at = change.lines.find(of_one);
      if (at == std::string::npos) continue;
      change.lines.replace(at, of_one.size(), "# of " + name_of_table(clients[from]) + ": ");
    }
  }
  if (!has_tables) return;
  change.apply = [alone = std::move(change.apply)](scenario::Scenario& changed) {
    const Clients before = changed.clients;
    alone(changed);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (changed.clients[i].threads == before[i].threads) continue;
      const std::vector<scenario::ThreadSpec> threads = changed.clients[i].threads;
      for (std::size_t other = 0; other < before.size(); ++other) {
        if (are_of_one_table(before[i], before[other])) changed.clients[other].threads = threads;
      }
    }
  };
}

}  // namespace lockstep::search
