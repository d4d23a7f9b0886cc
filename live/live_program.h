// A program in a process of its own, with the library of live/preload inside.
//
// It runs only between a `resume` and its next `idle`; here one waits for that. With `reuse =
// "fork"` each run is a fork of a server, which is started where there is none to take over.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/channel.h"
#include "live/client_program.h"
#include "live/fork_server.h"
#include "live/one_processor.h"
#include "live/output_tail.h"
#include "live/page_memory.h"
#include "live/patience.h"
#include "live/process.h"
#include "live/program_socket.h"
#include "model/program/program.h"

namespace lockstep::live {

class LiveProgram final : public model::Program {
 public:
  LiveProgram(ClientProgram program, ForkServers& fork_servers);
  ~LiveProgram() override;

  void start(const Start& start) override;
  void go_on(const model::ProgramClocks& clocks, model::ProgramStep& step) override;
  void kill() override;
  void opened(model::ProgramConnection connection) override;
  void refused(model::ProgramConnection connection) override;
  void deliver(model::ProgramConnection connection, std::string_view bytes) override;
  void closed(model::ProgramConnection connection) override;
  void reset(model::ProgramConnection connection) override;
  [[nodiscard]] std::string last_output() const override {
    return server_words_.empty() ? output_.tail() : server_words_;
  }

 private:
  enum class Awaited : std::uint8_t { idle, ended, failed };

  [[nodiscard]] Awaited await(model::ProgramStep& step);
  [[nodiscard]] bool is_stuck(Patience& patience, bool has_spoken, model::ProgramStep& step);
  void accept(Received received, model::ProgramStep& step);
  void collect(model::ProgramStep& step);
  void read_reports(model::ProgramStep& step);
  [[nodiscard]] static std::string& sent_on(model::ProgramConnection connection,
                                            model::ProgramStep& step);
  [[nodiscard]] bool exchange(model::ProgramStep& step);
  void end(model::ProgramStep& step);
  void fail_to_begin(model::ProgramStep& step);
  void fail(model::ProgramStep& step, std::string why);
  void add_result(model::ProgramConnection connection, Packet::Result result);
  [[nodiscard]] bool is_forked() const;

  const ClientProgram program_;
  ForkServers& fork_servers_;
  PageMemory page_;
  Process process_;                     // of this run, unless it is a fork
  std::shared_ptr<ForkServer> server_;  // null: none yet
  sim::FileDescriptor control_;         // of this run, as the next ones
  sim::FileDescriptor report_;
  OutputTail output_;
  std::string report_bytes_;  // of a line that is not complete
  std::uint64_t reported_bytes_ = 0;
  std::uint64_t sent_bytes_ = 0;
  std::string server_words_;  // of a fork server that has ended
  std::map<model::ProgramConnection, ProgramSocket> sockets_;
  std::vector<Packet::ConnectionResult> results_;
  std::optional<Packet> last_packet_;
  OneProcessor processor_;
  bool has_begun_ = false;  // it has come to its first wait
  pid_t process_id_ = 0;    // of this run, once it has begun
};

}  // namespace lockstep::live
