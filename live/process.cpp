#include "live/process.h"

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "live/protocol.h"
#include "scenario/program_spec.h"
#include "scenario/text/input_error.h"
#include "sim/companion_file.h"

extern char** environ;

namespace lockstep::live {
namespace {

constexpr rlim_t open_files_max = 1'024;
constexpr rlim_t memory_bytes_max = rlim_t{8} << 30U;
constexpr rlim_t file_bytes_max = rlim_t{1} << 30U;
constexpr int exit_not_started = 127;

/// The caller's environment, what every program is given over it, and what the scenario says.
std::vector<std::string> environment_of(const ProcessStart& start) {
  std::map<std::string, std::string, std::less<>> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    const std::size_t equals = text.find('=');
    if (equals != text.npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  const bool is_forked = start.program.reuse == scenario::ProgramSpec::Reuse::fork;
  std::string& preload = variables["LD_PRELOAD"];
  preload = preload.empty() ? std::string(start.preload_library)
                            : std::string(start.preload_library) + ":" + preload;
  variables[mode_variable] = is_forked ? "fork" : "process";
  variables[report_variable] = std::to_string(report_fd);
  variables["LOCKSTEP_CLIENT"] = start.client_name;
  variables["HOSTNAME"] = start.client_name;
  // OpenSSL's random numbers come from the kernel then, not from the processor.
  variables["OPENSSL_ia32cap"] = "~0x4000000000000010:~0x40000";
  variables["GODEBUG"] = "asyncpreemptoff=1,netdns=cgo";
  variables["PYTHONDONTWRITEBYTECODE"] = "1";
  for (const auto& [name, value] : start.program.env) variables[name] = value;
  std::vector<std::string> texts;
  texts.reserve(variables.size());
  for (const auto& [name, value] : variables) texts.push_back(name + "=" + value);
  return texts;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Between fork and exec: nothing that allocates.

void limit(int what, rlim_t most) {
  rlimit limits{};
  getrlimit(static_cast<__rlimit_resource>(what), &limits);
  limits.rlim_cur = std::min(limits.rlim_max, most);
  setrlimit(static_cast<__rlimit_resource>(what), &limits);
}

/// None of the descriptors is where another is to be: those are high, these were opened before.
void place(int from, int to) {
  if (dup2(from, to) < 0) _exit(exit_not_started);
}

void say(const char* text) {
  const ssize_t ignored = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(ignored);
}

[[noreturn]] void become(const ProcessStart& start, char** words, char** variables,
                         const char* folder, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(exit_not_started);
  setsid();  // without a terminal: reading from it would stop the program
  // Where it is forbidden, the preflight finds what depends on addresses.
  personality(ADDR_NO_RANDOMIZE);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  // Whoever starts it may be bound to one, for its run.
  sched_setaffinity(0, sizeof start.processors, &start.processors);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  place(start.output, STDOUT_FILENO);
  place(start.output, STDERR_FILENO);
  place(start.control, control_fd);
  place(start.page, page_fd);
  place(start.report, report_fd);
  place(nothing, STDIN_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, open_files_max);
  limit(RLIMIT_DATA, memory_bytes_max);
  limit(RLIMIT_FSIZE, file_bytes_max);
  if (*folder != '\0' && chdir(folder) != 0) {
    say("lockstep: cannot enter the program's folder: ");
    say(std::strerror(errno));
    _exit(exit_not_started);
  }
  execvpe(words[0], words, variables);
  say("lockstep: cannot start ");
  say(words[0]);
  say(": ");
  say(std::strerror(errno));
  _exit(exit_not_started);
}

}  // namespace

Process::Process(const ProcessStart& start) {
  std::vector<std::string> words = start.program.command;
  std::vector<std::string> variables = environment_of(start);
  const std::vector<char*> word_pointers = pointers_to(words);
  const std::vector<char*> variable_pointers = pointers_to(variables);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a process");
  }
  if (pid_ == 0) {
    become(start, const_cast<char**>(word_pointers.data()),
           const_cast<char**>(variable_pointers.data()), start.program.folder.c_str(), parent);
  }
}

Process::Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  return *this;
}

Process::~Process() { kill(); }

int Process::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int Process::kill() {
  if (!is_running()) return -SIGKILL;
  ::kill(pid_, SIGKILL);
  return wait();
}

std::string what_starts(const scenario::ProgramSpec& program, std::string_view client_name) {
  std::string text(client_name);
  const auto add = [&text](std::string_view word) {
    text += '\0';
    text += word;
  };
  add(program.folder);
  for (const std::string& word : program.command) add(word);
  for (const auto& [name, value] : program.env) add(name + "=" + value);
  return text;
}

std::string preload_library() {
  constexpr std::string_view name = "lockstep_preload.so";
  if (const auto library = sim::companion_file(name)) return library->string();
  throw scenario::InputError::about(
      std::string(name), "is not beside the program; without it no real client can be run");
}

}  // namespace lockstep::live
