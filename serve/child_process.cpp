#include "serve/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "serve/service.h"
#include "serve/start_error.h"

namespace lockstep::serve {
namespace {

/// A pipe that tells the parent what came of the child: closed by exec, or with an errno.
struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw StartError("cannot make a pipe");
    from = sim::FileDescriptor(ends[0]);
    to = sim::FileDescriptor(ends[1]);
  }
  sim::FileDescriptor from;
  sim::FileDescriptor to;
};

void die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

void take_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

template <class Value>
void tell(const sim::FileDescriptor& to, const Value& value) {
  const ssize_t ignored = write(to.number(), &value, sizeof value);
  static_cast<void>(ignored);
}

/// False where the other end was closed without a word.
template <class Value>
bool hear(const sim::FileDescriptor& from, Value& value) {
  ssize_t count = -1;
  do {
    count = read(from.number(), &value, sizeof value);
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof value);
}

pid_t fork_or_throw() {
  const pid_t child = fork();
  if (child < 0) throw StartError(fmt::format("cannot make a process: {}", std::strerror(errno)));
  return child;
}

}  // namespace

int start_program(const std::vector<std::string>& command,
                  const std::map<std::string, std::string>& env) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  Pipe news;
  const pid_t parent = getpid();
  const pid_t child = fork_or_throw();
  if (child == 0) {
    die_with(parent);
    take_signals();
    for (const auto& [name, value] : env) setenv(name.c_str(), value.c_str(), 1);
    dup2(STDERR_FILENO, STDOUT_FILENO);  // what it prints is none of the recording's
    execvp(words.front(), words.data());
    tell(news.to, errno);
    _exit(127);
  }
  news.to.reset();
  int error = 0;
  if (hear(news.from, error)) {
    waitpid(child, nullptr, 0);
    throw StartError(fmt::format("cannot start {}: {}", command.front(), std::strerror(error)));
  }
  return child;
}

ServingChild start_serving_child() {
  Pipe news;
  const pid_t parent = getpid();
  const pid_t child = fork_or_throw();
  if (child == 0) {
    die_with(parent);
    setpgid(0, 0);  // Ctrl-C is its parent's, which ends it
    try {
      ServiceOptions options;
      options.port = 0;
      Service service(options);
      tell(news.to, service.port());
      service.run();
    } catch (const std::exception&) {
      _exit(1);
    }
    _exit(0);
  }
  news.to.reset();
  std::uint16_t port = 0;
  if (!hear(news.from, port)) {
    waitpid(child, nullptr, 0);
    throw StartError("cannot serve on a free port of 127.0.0.1");
  }
  return {child, port};
}

std::optional<int> ended(int process) {
  int status = 0;
  const pid_t found = waitpid(process, &status, WNOHANG);
  if (found == 0) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void end_child(int process) {
  kill(process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) continue;
}

}  // namespace lockstep::serve
