#include "tests/support/real_redis.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace lockstep::test {
namespace {

constexpr int exec_failed = 127;
constexpr auto poll_interval = std::chrono::milliseconds(2);
constexpr int polls_max = 5'000;
constexpr std::string_view how_to_get_it =
    "tests compare with the real Redis: install redis-server 7.0 or later "
    "(apt-get install redis-server; tools/test does it)";

std::vector<std::string> command_line(const std::string& directory, const std::string& socket_path,
                                      const RealRedisOptions& options) {
  std::vector<std::string> words{"redis-server",
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
                                 "--enable-debug-command",
                                 "yes",
                                 "--repl-diskless-sync",
                                 "no",
                                 "--repl-ping-replica-period",
                                 "1000000000",
                                 "--repl-timeout",
                                 "1000000000",
                                 "--timeout",
                                 "0"};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  return words;
}

/// In the child: becomes redis-server, or ends.
[[noreturn]] void become_server(std::vector<std::string>& words, const std::string& clock_path,
                                const std::string& offset, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(exec_failed);
  setenv("LD_PRELOAD", LOCKSTEP_STEP_CLOCK_LIBRARY, 1);
  setenv("STEP_CLOCK_FILE", clock_path.c_str(), 1);
  setenv("STEP_CLOCK_OFFSET_US", offset.c_str(), 1);
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

std::string version_in(const std::string& info) {
  constexpr std::string_view name = "redis_version:";
  const std::size_t begin = info.find(name);
  if (begin == std::string::npos) return "unknown";
  const std::size_t value = begin + name.size();
  return info.substr(value, info.find('\r', value) - value);
}

}  // namespace

RealRedis::RealRedis(const StepClock& clock, const RealRedisOptions& options)
    : socket_path_(directory_.path() + "/redis.sock") {
  start(clock, options);
  try {
    wait_until_it_answers();
  } catch (...) {
    stop();
    throw;
  }
}

RealRedis::~RealRedis() { stop(); }

void RealRedis::start(const StepClock& clock, const RealRedisOptions& options) {
  std::vector<std::string> words = command_line(directory_.path(), socket_path_, options);
  const std::string offset = std::to_string(options.clock_offset_us);
  const std::string clock_path = clock.path();
  const pid_t self = getpid();
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot fork for redis-server");
  if (process_ == 0) become_server(words, clock_path, offset, self);
}

void RealRedis::wait_until_it_answers() {
  for (int polls = 0; polls < polls_max; ++polls) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      const bool is_missing = WIFEXITED(status) && WEXITSTATUS(status) == exec_failed;
      throw std::runtime_error(is_missing ? "redis-server is missing: " + std::string(how_to_get_it)
                                          : "redis-server ended at its start; its log:\n" +
                                                text_of(directory_.path() + "/log"));
    }
    if (RedisConnection::is_possible(socket_path_)) return prepare();
    std::this_thread::sleep_for(poll_interval);
  }
  throw std::runtime_error("redis-server did not start in time; its log:\n" +
                           text_of(directory_.path() + "/log"));
}

void RealRedis::prepare() {
  RedisConnection connection(socket_path_);
  version_ = version_in(connection.command({"INFO", "server"}).text);
  if (std::atoi(version_.c_str()) < 7) {
    throw std::runtime_error("redis-server " + version_ +
                             " is too old: " + std::string(how_to_get_it));
  }
  const redis::Reply reply = connection.command({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
  if (reply.is_error()) throw std::runtime_error("redis-server refused DEBUG: " + reply.text);
}

void RealRedis::stop() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
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

}  // namespace lockstep::test
