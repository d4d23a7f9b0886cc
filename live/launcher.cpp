#include "live/launcher.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/personality.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "live/fork_server.h"
#include "live/live_program.h"
#include "live/machine.h"
#include "live/one_processor.h"
#include "live/process.h"
#include "scenario/program_spec.h"
#include "scenario/text/input_error.h"

namespace lockstep::live {
namespace {

namespace fs = std::filesystem;

/// As execvp finds it, from the program's folder; empty where it does not.
fs::path find_program(const scenario::ProgramSpec& program) {
  std::error_code error;
  const std::string& name = program.command.front();
  if (name.find('/') != name.npos) {
    const fs::path path = fs::path(program.folder) / name;
    return fs::is_regular_file(path, error) ? path : fs::path();
  }
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const fs::path path = fs::path(folders.substr(0, end)) / name;
    if (fs::is_regular_file(path, error)) return path;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return {};
}

template <typename Part>
bool read_at(std::ifstream& file, std::uint64_t offset, Part& part) {
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&part), sizeof part));
}

bool has_dynamic_linker(std::ifstream& file, const Elf64_Ehdr& header) {
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!read_at(file, header.e_phoff + i * header.e_phentsize, segment)) return true;
    if (segment.p_type == PT_INTERP) return true;
  }
  return false;
}

/// Throws InputError at the command where it names a 64-bit ELF file without a dynamic linker, or
/// one of another architecture: the library can't be loaded into it. What is no ELF file (a
/// script), or can't be found, passes: starting it tells more.
void require_dynamic(const scenario::ProgramSpec& program) {
  const fs::path path = find_program(program);
  if (path.empty()) return;
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) {
    throw scenario::InputError(
        program.place, fmt::format("'{}' is of another architecture than x86-64, on which alone "
                                   "real clients can be run",
                                   path.string()));
  }
  if (has_dynamic_linker(file, header)) return;
  throw scenario::InputError(
      program.place,
      fmt::format(
          "'{}' is a static binary, into which Lockstep's library can't be loaded; expected "
          "a dynamic one (Go: CGO_ENABLED=1 go build -ldflags=-linkmode=external)",
          path.string()));
}

}  // namespace

Launcher::Launcher()
    : processors_(allowed_processors()), fork_servers_(std::make_unique<ForkServers>()) {}

Launcher::~Launcher() = default;

std::unique_ptr<model::Program> Launcher::prepare(const scenario::ProgramSpec& program,
                                                  std::string_view name,
                                                  std::span<const model::ProgramHost> hosts,
                                                  std::int64_t wall_ns) {
  require_dynamic(program);
  return std::make_unique<LiveProgram>(ClientProgram{program,
                                                     std::string(name),
                                                     {hosts.begin(), hosts.end()},
                                                     wall_ns,
                                                     preload_library(),
                                                     processors_},
                                       *fork_servers_);
}

std::string Launcher::likely_sources_of_differences() const {
  constexpr unsigned long ask = 0xffffffff;
  const int persona = personality(ask);
  const bool may_fix_addresses =
      persona >= 0 && personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) >= 0;
  if (persona >= 0) personality(static_cast<unsigned long>(persona));
  std::string sources;
  if (!may_fix_addresses) {
    sources =
        "addresses, which this container does not let Lockstep fix (allow personality(2) in its "
        "seccomp profile), ";
  }
  if (!can_forbid_time_stamps()) {
    sources +=
        "the time stamp counter (RDTSC), which this machine does not let Lockstep forbid "
        "(PR_SET_TSC has no effect), ";
  }
  return sources +
         "a time, a temporary name or another process's state read from a file (take it from the "
         "clock, or from a generator), threads that spin until another one has done something (let "
         "them wait for it), and "
         "what a fork shares with the runs before it (reuse = \"process\"); see "
         "docs/real-clients.md";
}

}  // namespace lockstep::live
