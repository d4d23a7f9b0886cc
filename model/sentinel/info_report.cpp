#include "model/sentinel/info_report.h"

#include "redis/protocol/integers.h"

namespace lockstep::model {
namespace {

constexpr std::int64_t ms_per_s = 1000;

/// "slave0:ip=n1-replica-1,port=6379,…": the host, empty where the line is another.
std::string_view replica_in(std::string_view name, std::string_view value) {
  constexpr std::string_view prefix = "slave";
  constexpr std::string_view beginning = "ip=";
  if (!name.starts_with(prefix) || !value.starts_with(beginning)) return {};
  value.remove_prefix(beginning.size());
  return value.substr(0, value.find(','));
}

void read_line(std::string_view name, std::string_view value, InfoReport& report) {
  if (name == "role") {
    report.is_master = value == "master";
  } else if (name == "run_id") {
    report.run_id = value;
  } else if (name == "master_host") {
    report.master = value;
  } else if (name == "master_link_status") {
    report.master_link_is_up = value == "up";
  } else if (name == "master_link_down_since_seconds") {
    report.master_link_down_ms = redis::parse_integer(value).value_or(0) * ms_per_s;
  } else if (name == "slave_priority") {
    report.priority = redis::parse_integer(value).value_or(report.priority);
  } else if (name == "slave_repl_offset") {
    report.offset = redis::parse_integer(value).value_or(0);
  } else if (const std::string_view replica = replica_in(name, value); !replica.empty()) {
    report.replicas.push_back(replica);
  }
}

}  // namespace

InfoReport read_info(std::string_view text) {
  InfoReport report;
  while (!text.empty()) {
    const std::size_t end = text.find("\r\n");
    const std::string_view line = text.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      read_line(line.substr(0, colon), line.substr(colon + 1), report);
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
  }
  return report;
}

}  // namespace lockstep::model
