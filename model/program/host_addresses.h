// Which host and port of a program is which host of the scenario.
//
// Each host of the scenario has its own name and address. `localhost:6379` is the first master,
// 6380 the second, and so on; the scenario's `connect` comes before all that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/program/program.h"
#include "scenario/program_spec.h"
#include "sim/host.h"

namespace lockstep::model {

class HostAddresses {
 public:
  static constexpr std::int32_t any_port = 0;
  static constexpr std::int32_t sentinel_port = 26379;

  explicit HostAddresses(const scenario::ProgramSpec& program) : program_(program) {}

  /// A host of the scenario that listens on this port, or on any (0). To be called for each of
  /// them: masters, replicas, then the others.
  void add(std::string_view name, sim::HostId host, std::int32_t port);
  /// After the last add(): what `connect` says. REQUIRES: its hosts were added.
  void finish();
  /// The names that programs may look up.
  [[nodiscard]] const std::vector<ProgramHost>& names() const { return names_; }
  /// None: nobody is there.
  [[nodiscard]] std::optional<sim::HostId> find(std::uint32_t address, std::int32_t port) const;
  /// As `connect` says it: "redis-1:6379", "10.0.0.1:6379".
  [[nodiscard]] std::string describe(std::uint32_t address, std::int32_t port) const;

 private:
  [[nodiscard]] std::uint32_t address_of(std::string_view name);

  const scenario::ProgramSpec& program_;
  std::vector<ProgramHost> names_;
  std::vector<std::pair<std::string, sim::HostId>> hosts_;
  std::map<std::pair<std::uint32_t, std::int32_t>, sim::HostId> places_;
};

}  // namespace lockstep::model
