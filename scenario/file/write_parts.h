// The parts of write_scenario, each for its tables: text that ends in a line's end.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "scenario/text/toml_text.h"

namespace lockstep::scenario {

/// All [[client]] tables, each as an item. Clients that differ in nothing but their number are one
/// table with a `count`.
[[nodiscard]] std::vector<std::string> write_clients(const std::vector<ClientSpec>& clients,
                                                     const std::string& lock_name);
/// One [[fault]] table.
[[nodiscard]] std::string write_fault(const FaultSpec& fault);
/// [redis] and the tables below it; empty where everything is as by default.
[[nodiscard]] std::vector<std::string> write_redis(const RedisSpec& redis,
                                                   const sim::Latency& latency);
/// "200us..400us"
[[nodiscard]] std::string write_latency(const sim::Latency& latency);

/// `child` under `key`: on the line itself where it is short, else as a table [header] of its own,
/// which is added to `later`.
void add_table(TomlTable& parent, std::string_view key, const TomlTable& child,
               std::string_view header, std::string& later, std::size_t indent = 0);

}  // namespace lockstep::scenario
