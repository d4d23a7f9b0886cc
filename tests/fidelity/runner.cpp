#include "tests/fidelity/runner.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "tests/redis/comparison/restart_pair.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::fidelity {
namespace {

using redis::test::Difference;
using redis::test::Sequence;
using redis::test::Step;

constexpr std::size_t differences_max = 5;  // of a kind in a worker; then it goes on with the next

/// Another number for each kind and index, the same on every machine.
std::uint64_t seed_of(std::uint64_t seed, std::string_view kind, std::size_t index) {
  std::uint64_t mixed = 14695981039346656037U ^ seed;
  for (const char letter : kind) {
    mixed = (mixed ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  }
  return redis::test::Dice(mixed + index).next();
}

std::string described(const Sequence& sequence) {
  std::ostringstream text;
  for (const Step& step : sequence) text << step;
  return text.str();
}

/// Each sequence has a disk of its own.
redis::test::ComparedCounts compare_restarts(const redis::test::SequenceKind& kind,
                                             const Sequence& sequence,
                                             const confirm::RealProgram& program) {
  for (const redis::test::PersistenceSetup& each : redis::test::persistence_setups()) {
    if (each.name != kind.storing) continue;
    redis::test::RestartPair pair(each, kind.sessions, program);
    for (const Step& step : sequence) {
      if (step.words[0] == "RESTART") {
        const bool is_killed = step.words[1] == "kill";
        pair.restart(is_killed ? confirm::Stop::kill : confirm::Stop::terminate,
                     std::stoll(step.words[2]));
      } else {
        pair.take(step);
      }
    }
    pair.compare_rest();
    return pair.counts();
  }
  throw std::logic_error("no such way of storing");
}

/// What a crash of the simulated server was about.
std::array<char, 256> at_work{};

void tell_crash(int signal) {
  const std::string_view text(at_work.data());
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(4);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

std::string one_line(std::string text) {
  for (char& letter : text) {
    if (letter == '\n' || letter == '\r' || letter == '\t' || letter == '\0') letter = ' ';
  }
  return text;
}

Runner::Runner(confirm::RealProgram program, bool is_brief)
    : program_(std::move(program)), is_brief_(is_brief) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS}) std::signal(signal, tell_crash);
}

Tally Runner::run(const PlannedKind& kind, const Share& share) {
  Tally tally;
  for (std::size_t i = share.first; i < share.count; i += share.step) {
    std::snprintf(at_work.data(), at_work.size(),
                  "\nCRASH in %s: tools/fidelity --only %s --seed %llu --sequence %zu\n",
                  kind.name.c_str(), kind.name.c_str(), static_cast<unsigned long long>(share.seed),
                  i);
    const Sequence sequence =
        redis::test::make_sequence(kind.sequences, seed_of(share.seed, kind.name, i));
    const std::optional<std::string> difference = compare(kind, sequence, &tally);
    if (!difference) continue;
    ++tally.differences;
    if (is_brief_) {
      std::printf("difference\t%s\t%zu\t%s\n", kind.name.c_str(), i, one_line(*difference).c_str());
      continue;
    }
    report(kind, share, i, sequence, *difference);
    if (tally.differences == differences_max) break;
  }
  return tally;
}

std::optional<std::string> Runner::compare(const PlannedKind& kind, const Sequence& sequence,
                                           Tally* tally) {
  constexpr std::size_t scripts_renewed_after = 200;  // each sequence brings new scripts
  if (++sequences_run_ % scripts_renewed_after == 0) redis::test::renew_script_engine();
  try {
    const auto counts = compare_on(kind.sequences.players, kind.sequences, sequence);
    if (tally != nullptr) tally->add(counts);
    return std::nullopt;
  } catch (const Difference& difference) {
    return difference.what();
  } catch (const std::exception& failure) {
    server_.reset();  // perhaps they are no longer there
    replicas_.reset();
    return std::string("no comparison: ") + failure.what();
  }
}

redis::test::ComparedCounts Runner::compare_on(redis::test::ServerSetup players,
                                               const redis::test::SequenceKind& kind,
                                               const Sequence& sequence) {
  switch (players) {
    case redis::test::ServerSetup::one_server:
      if (!server_) server_ = std::make_unique<redis::test::StreamedServer>(program_);
      return redis::test::compare_servers(*server_, kind, sequence);
    case redis::test::ServerSetup::replicas:
      if (!replicas_) replicas_ = std::make_unique<redis::test::RealReplicas>(program_);
      return redis::test::compare_replicas(*replicas_, kind, sequence);
    case redis::test::ServerSetup::restarts:
      return compare_restarts(kind, sequence, program_);
  }
  throw std::logic_error("no such players");
}

void Runner::report(const PlannedKind& kind, const Share& share, std::size_t index,
                    const Sequence& sequence, const std::string& first_text) {
  constexpr auto shrinking_max = std::chrono::seconds(15);
  const auto end = std::chrono::steady_clock::now() + shrinking_max;
  Sequence smallest = sequence;
  std::string text = first_text;
  for (bool is_smaller = true; is_smaller;) {
    is_smaller = false;
    auto candidates = redis::test::smaller_sequences(smallest);
    while (const auto candidate = candidates.next()) {
      if (std::chrono::steady_clock::now() > end) break;
      const std::optional<std::string> difference = compare(kind, *candidate, nullptr);
      if (!difference) continue;
      smallest = *candidate;
      text = *difference;
      is_smaller = true;
      break;
    }
  }
  std::ostringstream out;
  out << "\nDIFFERENCE in " << kind.name << ", sequence " << index << ", made small; again: "
      << "tools/fidelity --only " << kind.name << " --seed " << share.seed << " --sequence "
      << index << described(smallest) << "\n"
      << text << "\n";
  const std::string text_out = out.str();  // NULs included
  std::fwrite(text_out.data(), 1, text_out.size(), stdout);
  std::fflush(stdout);
}

}  // namespace lockstep::fidelity
