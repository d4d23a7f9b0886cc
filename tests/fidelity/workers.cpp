#include "tests/fidelity/workers.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "tests/fidelity/runner.h"

namespace lockstep::fidelity {
namespace {

struct TallyOfKind {
  std::size_t kind;
  Tally tally;
};

/// In the child: runs its share of every kind, writes the tallies into the pipe, and ends.
[[noreturn]] void work(const std::vector<PlannedKind>& plan, const RunOptions& options,
                       std::size_t worker, int pipe_end) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int code = 0;
  try {
    Runner runner(options.program, options.is_brief);
    for (std::size_t i = 0; i < plan.size(); ++i) {
      Share share{options.seed, worker, options.workers, plan[i].count};
      if (options.sequence) {
        share = {options.seed, *options.sequence, 1, worker == 0 ? *options.sequence + 1 : 0};
      }
      const TallyOfKind message{i, runner.run(plan[i], share)};
      if (write(pipe_end, &message, sizeof message) != sizeof message) code = 3;
    }
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "tools/fidelity: %s\n", failure.what());
    code = 2;
  }
  std::fflush(stdout);
  _exit(code);
}

}  // namespace

std::vector<Tally> run_plan(const std::vector<PlannedKind>& plan, const RunOptions& options) {
  if (plan.empty()) return {};
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
  std::fflush(stdout);
  std::vector<pid_t> children;
  for (std::size_t worker = 0; worker < options.workers; ++worker) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot fork a worker");
    if (child == 0) {
      close(ends[0]);
      work(plan, options, worker, ends[1]);
    }
    children.push_back(child);
  }
  close(ends[1]);
  std::vector<Tally> tallies(plan.size());
  TallyOfKind message{};
  while (read(ends[0], &message, sizeof message) == sizeof message) {
    tallies[message.kind].add(message.tally);
  }
  close(ends[0]);
  bool has_failed = false;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    has_failed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  }
  if (has_failed) throw std::runtime_error("a worker ended before its work did");
  return tallies;
}

}  // namespace lockstep::fidelity
