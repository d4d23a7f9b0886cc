// A program whose behaviour a test writes: what ProgramClient does with one, without a process.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "model/program/program.h"

namespace lockstep::model::test {

class ScriptedProgram final : public Program {
 public:
  /// Called each time that the program may go on; it waits for ever unless the step says otherwise.
  using Behaviour = std::function<void(ScriptedProgram&, ProgramStep&)>;

  explicit ScriptedProgram(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}

  void start(const Start& start) override {
    is_running = true;
    seed = start.seed;
    thread_order = start.thread_order;
    steps = 0;
    received.clear();
  }
  void go_on(const ProgramClocks& now, ProgramStep& step) override {
    clocks = now;
    step.deadline_ns = INT64_MAX;
    ++steps;
    behaviour_(*this, step);
  }
  void kill() override { is_running = false; }
  void opened(ProgramConnection connection) override { note(connection, "<opened>"); }
  void refused(ProgramConnection connection) override { note(connection, "<refused>"); }
  void deliver(ProgramConnection connection, std::string_view bytes) override {
    note(connection, bytes);
  }
  void closed(ProgramConnection connection) override { note(connection, "<closed>"); }
  void reset(ProgramConnection connection) override { note(connection, "<reset>"); }
  [[nodiscard]] std::string last_output() const override { return "its last line"; }

  /// What reached the connection since the last call.
  std::string take(int connection) { return std::exchange(received[connection], {}); }

  bool is_running = false;
  std::uint64_t seed = 0;
  std::uint64_t thread_order = 0;
  int steps = 0;  ///< in this run
  ProgramClocks clocks;
  std::map<int, std::string> received;

 private:
  void note(ProgramConnection connection, std::string_view what) {
    received[static_cast<int>(connection)] += what;
  }

  Behaviour behaviour_;
};

/// Gives each client the behaviour of its name.
class ScriptedLauncher final : public ProgramLauncher {
 public:
  std::map<std::string, ScriptedProgram::Behaviour, std::less<>> behaviours;
  std::vector<ProgramHost> hosts;  ///< as the last program was told

  [[nodiscard]] std::unique_ptr<Program> prepare(const scenario::ProgramSpec& /*program*/,
                                                 std::string_view name,
                                                 std::span<const ProgramHost> known,
                                                 std::int64_t /*wall_ns*/) override {
    hosts.assign(known.begin(), known.end());
    return std::make_unique<ScriptedProgram>(behaviours.find(name)->second);
  }
  [[nodiscard]] std::string likely_sources_of_differences() const override { return "the test"; }
};

constexpr std::uint32_t localhost = 0x7f000001;

inline ProgramStep::Connect connect_to(int connection, std::int32_t port,
                                       std::uint32_t address = localhost) {
  return {ProgramConnection{connection}, address, port};
}

/// "SET k v" as RESP.
inline std::string request(std::initializer_list<std::string_view> words) {
  std::string text = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string_view word : words) {
    text += "$" + std::to_string(word.size()) + "\r\n" + std::string(word) + "\r\n";
  }
  return text;
}

inline ProgramStep::Sent send_on(int connection, std::string bytes) {
  return {ProgramConnection{connection}, std::move(bytes)};
}

}  // namespace lockstep::model::test
