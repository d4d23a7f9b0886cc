// The simulator's end of a program's connection: bytes wait here until the program has room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/file_descriptor.h"

namespace lockstep::live {

class ProgramSocket {
 public:
  enum class State : std::uint8_t { connecting, open, closed };

  ProgramSocket(sim::FileDescriptor socket, std::int32_t filler_bytes);

  [[nodiscard]] State state() const { return state_; }
  void open();
  /// Ends the stream once all that was written has been taken.
  void end();
  void write(std::string_view bytes);
  /// Hands on what waits; true where some of it went.
  bool flush();
  /// Appends what the program has written. Returns false once its stream has ended.
  [[nodiscard]] bool read(std::string& bytes);

 private:
  sim::FileDescriptor socket_;
  std::int32_t filler_bytes_;
  State state_ = State::connecting;
  bool is_ending_ = false;
  std::string waiting_;
};

}  // namespace lockstep::live
