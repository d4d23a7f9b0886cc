// A coroutine of a client model: a thread of the workload, or a background task.
//
// It runs until it asks for an interaction (a call, a subscription, a message, a sleep), yields,
// and is resumed with the result. The request is a plain value that the coroutine leaves here
// before it yields; the client carries it out once Lua is left, since whatever it does may pause or
// crash the process at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/runtime/errors.h"
#include "redis/protocol/arguments.h"
#include "sim/host.h"
#include "sim/time.h"
#include "sim/trace.h"

struct lua_State;

namespace lockstep::model {

class ClientComponents;
enum class OperationId : std::uint32_t;

/// A command or script as it is sent, over and over where it must be retried.
struct Command {
  static constexpr int no_script = -1;

  std::string_view label;             ///< interned
  int script = no_script;             ///< EVALSHA, or EVAL where the node does not know it yet
  redis::Arguments rest;              ///< what follows the command's name, or the SHA1
  std::uint64_t number = 0;           ///< of the request under way
  std::uint64_t first_number = 0;     ///< of its first request; 0: none was sent yet
  std::optional<sim::Payload> reply;  ///< of the attempt under way
};

/// What a coroutine asks for.
struct Interaction {
  enum class Kind : std::uint8_t {
    none,
    call,          ///< commands[0 … command_count), in one go on one connection
    subscribe,     ///< text
    wait_message,  ///< text, timeout_ns
    unsubscribe,   ///< text
    wait_signal,   ///< text, timeout_ns
    sleep,         ///< timeout_ns
  };
  Kind kind = Kind::none;
  std::size_t shard = 0;
  std::string text;                           ///< the channel, or the local semaphore
  std::optional<sim::DurationNs> timeout_ns;  ///< none: for ever
  std::size_t command_count = 0;
  std::vector<Command> commands;  ///< kept, so that their buffers are

  Command& add_command();
};

/// An operation that the client model has declared and not completed.
struct OpenOperation {
  OperationId id;
  std::uint32_t number;   ///< by which the client model knows it: the least that was free
  std::uint32_t thread;   ///< whose: the owner's
  std::uint32_t process;  ///< index into ServiceOperations' processes
};

struct Fiber {
  enum class State : std::uint8_t {
    unused,
    ready,    ///< in the queue of what runs next, with `results` values on its stack
    waiting,  ///< for the end of `interaction`
    running,
  };

  ClientComponents* client = nullptr;
  std::uint32_t index = 0;
  lua_State* lua = nullptr;
  int reference = 0;
  State state = State::unused;
  std::uint32_t thread = 0;            ///< the thread that it is, or that started it
  sim::ActorId actor = sim::no_actor;  ///< that thread's lane
  std::optional<std::uint32_t> task;   ///< its number, where it is a background task
  std::string task_name;
  Interaction interaction;
  int results = 0;
  int iterations = 0;       ///< since it was resumed (client_model_instrumentation.h)
  bool is_runaway = false;  ///< it was stopped, and whatever it does next raises again
  std::vector<OpenOperation> operations;

  // While a call or a subscription is under way.
  sim::TimerId timer{};
  bool is_postponed = false;  ///< what it waits for has come, and is held back (postponements.h)
  std::size_t postponed_for = 0;  ///< the fault
  std::uint32_t attempt = 0;
  std::uint32_t redirections = 0;  ///< of the call
  sim::ConnectionId connection{};  ///< of the attempt; none: it waits for one
  bool is_sent = false;            ///< the attempt's requests, and not all are answered
  std::size_t replies_missing = 0;
  std::string last_error;            ///< the reply that made the last attempt fail, if one did
  bool may_have_had_effect = false;  ///< an attempt went without a reply, or in part was executed
};

/// Raises the error that a client model is stopped with which never ends.
int raise_runaway(lua_State* lua, Fiber& fiber);

}  // namespace lockstep::model
