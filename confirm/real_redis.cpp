#include "confirm/real_redis.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace lockstep::confirm {
namespace {

constexpr int exec_failed = 127;
constexpr auto poll_interval = std::chrono::milliseconds(2);
constexpr int polls_max = 5'000;
constexpr std::string_view how_to_get_it =
    "install redis-server 7.0 or later (on Debian and Ubuntu: apt-get install redis-server)";
constexpr int oldest_major = 6;

std::vector<std::string> command_line(const std::string& directory, const std::string& socket_path,
                                      const RealRedisOptions& options) {
  std::vector<std::string> words{options.program.path,
                                 "--port",
                                 "0",
                                 "--unixsocket",
                                 socket_path,
                                 "--dir",
                                 directory,
                                 "--save",
                                 "",
                                 "--appendonly",
                                 "no",
                                 "--daemonize",
                                 "no",
                                 "--logfile",
                                 directory + "/log",
                                 "--repl-diskless-sync",
                                 "no",
                                 "--repl-ping-replica-period",
                                 "1000000000",
                                 "--repl-timeout",
                                 "1000000000",
                                 "--timeout",
                                 "0"};
  if (options.program.guards_debug()) {
    words.insert(words.end(), {"--enable-debug-command", "yes"});
  }
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  return words;
}

/// In the child: becomes redis-server, or ends.
[[noreturn]] void become_server(std::vector<std::string>& words, const std::string& library,
                                const std::string& clock_path, const std::string& offset,
                                const RealProgram& program, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);  // Ctrl-C is for us alone
  if (getppid() != parent) _exit(exec_failed);
  setenv("LD_PRELOAD", library.c_str(), 1);
  setenv("STEP_CLOCK_FILE", clock_path.c_str(), 1);
  setenv("STEP_CLOCK_OFFSET_US", offset.c_str(), 1);
  if (program.runs_timers_by_wall_clock()) setenv("STEP_CLOCK_TIME_WAVERS", "1", 1);
  if (program.reckons_with_monotonic_clock()) setenv("STEP_CLOCK_MONOTONIC_STEP_US", "1000", 1);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere >= 0) {
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  execvp(pointers[0], pointers.data());
  _exit(exec_failed);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The value of a line of INFO; empty if there is none.
std::string field_of(const std::string& info, std::string_view name) {
  const std::size_t begin = info.find("\n" + std::string(name) + ":");
  if (begin == std::string::npos) return {};
  const std::size_t value = begin + name.size() + 2;
  return info.substr(value, info.find('\r', value) - value);
}

}  // namespace

RealRedis::RealRedis(const StepClock& clock, const RealRedisOptions& options)
    : clock_(clock), options_(options), socket_path_(directory_.path() + "/redis.sock") {
  start();
}

RealRedis::~RealRedis() { stop(Stop::kill); }

void RealRedis::start(const std::vector<std::string>& more_arguments) {
  launch(more_arguments);
  try {
    wait_until_it_answers();
  } catch (...) {
    stop(Stop::kill);
    throw;
  }
}

void RealRedis::launch(const std::vector<std::string>& more_arguments) {
  std::vector<std::string> words = command_line(directory_.path(), socket_path_, options_);
  words.insert(words.end(), more_arguments.begin(), more_arguments.end());
  const std::string library = step_clock_library();
  const std::string offset = std::to_string(options_.clock_offset_us);
  const pid_t self = getpid();
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot fork for redis-server");
  if (process_ == 0) become_server(words, library, clock_.path(), offset, options_.program, self);
}

void RealRedis::wait_until_it_answers() {
  for (int polls = 0; polls < polls_max; ++polls) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      if (WIFEXITED(status) && WEXITSTATUS(status) == exec_failed) {
        throw RedisUnusable(options_.program.path + " is missing: " + std::string(how_to_get_it));
      }
      throw RedisUnusable("redis-server ended at its start; its log:\n" +
                          text_of(directory_.path() + "/log"));
    }
    if (RedisConnection::can_connect(socket_path_)) return prepare();
    std::this_thread::sleep_for(poll_interval);
  }
  throw RedisUnusable("redis-server did not start in time; its log:\n" +
                      text_of(directory_.path() + "/log"));
}

void RealRedis::prepare() {
  RedisConnection connection(socket_path_);
  redis::Reply reply = connection.command({"PING"});
  while (reply.is_error() && reply.text.starts_with("LOADING")) {
    std::this_thread::sleep_for(poll_interval);
    reply = connection.command({"PING"});
  }
  reply = connection.command({"INFO", "server"});
  const std::string valkey = field_of(reply.text, "valkey_version");
  const std::string redis = field_of(reply.text, "redis_version");
  version_ = valkey.empty() ? "redis-server " + redis : "valkey-server " + valkey;
  if (std::atoi(redis.c_str()) < oldest_major) {
    throw RedisUnusable(version_ + " is too old: " + std::string(how_to_get_it));
  }
  reply = connection.command({"TIME"});
  const std::int64_t now_us = clock_.now_us() + options_.clock_offset_us;
  if (reply.elements.size() != 2 || reply.elements[0].text != std::to_string(now_us / 1'000'000)) {
    throw RedisUnusable("redis-server does not read the stepped clock: " + step_clock_library() +
                        " was not preloaded");
  }
  reply = connection.command({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
  if (reply.is_error()) throw RedisUnusable("redis-server refused DEBUG: " + reply.text);
}

void RealRedis::stop(Stop how) {
  if (process_ < 0) return;
  kill(process_, how == Stop::kill ? SIGKILL : SIGTERM);
  waitpid(process_, nullptr, 0);
  process_ = -1;
  std::remove(socket_path_.c_str());  // what is left of a killed one would refuse connections
}

StreamCapture::StreamCapture(const RealRedis& server) : connection_(server.socket_path()) {
  connection_.send(std::vector<std::string_view>{"PSYNC", "?", "-1"});
  // +FULLRESYNC <id> <offset>, perhaps empty lines, $<length> and the snapshot of so many bytes.
  for (;;) {
    connection_.read_bytes(bytes_);
    const std::size_t snapshot = bytes_.find("\n$");
    if (snapshot == std::string::npos) continue;
    const std::size_t line_end = bytes_.find("\r\n", snapshot);
    if (line_end == std::string::npos) continue;
    const std::size_t stream =
        line_end + 2 + std::stoul(bytes_.substr(snapshot + 2, line_end - snapshot - 2));
    while (bytes_.size() < stream) connection_.read_bytes(bytes_);
    bytes_.erase(0, stream);
    return;
  }
}

std::string StreamCapture::take(RedisConnection& connection) {
  constexpr std::string_view marker = "*3\r\n$7\r\nPUBLISH\r\n$13\r\nend-of-stream\r\n$0\r\n\r\n";
  const redis::Reply reply = connection.command({"PUBLISH", "end-of-stream", ""});
  if (reply.is_error()) throw std::runtime_error("redis-server refused PUBLISH: " + reply.text);
  std::size_t end = bytes_.find(marker);
  while (end == std::string::npos) {
    connection_.read_bytes(bytes_);
    end = bytes_.find(marker);
  }
  std::string taken = bytes_.substr(0, end + marker.size());
  bytes_.erase(0, end + marker.size());
  return taken;
}

}  // namespace lockstep::confirm
