// Starts the real clients of scenarios. An engine that is given one can run them.
#pragma once

#include <sched.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "model/program/program.h"

namespace lockstep::live {

class ForkServers;

class Launcher final : public model::ProgramLauncher {
 public:
  Launcher();
  ~Launcher() override;
  [[nodiscard]] std::unique_ptr<model::Program> prepare(const scenario::ProgramSpec& program,
                                                        std::string_view name,
                                                        std::span<const model::ProgramHost> hosts,
                                                        std::int64_t wall_ns) override;
  [[nodiscard]] std::string likely_sources_of_differences() const override;

 private:
  const cpu_set_t processors_;
  std::unique_ptr<ForkServers> fork_servers_;
};

}  // namespace lockstep::live
