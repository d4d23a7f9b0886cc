#include "live/patience.h"

#include <fmt/format.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::live {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t ns_per_s = 1'000'000'000;
/// Who uses less between two looks is asleep: a signal that it ignores costs something, too.
constexpr std::int64_t asleep_ns_max = 1'000'000;

/// Of all its threads; negative where there is no such process.
std::int64_t processor_time_of(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
  return time.tv_sec * ns_per_s + time.tv_nsec;
}

std::vector<fs::path> threads_of(pid_t process) {
  std::error_code error;
  const fs::directory_iterator tasks(fmt::format("/proc/{}/task", process), error);
  std::vector<fs::path> threads;
  for (const fs::directory_entry& each : tasks) threads.push_back(each.path());
  return threads;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether all threads sleep: none runs, waits for a processor, or has been stopped by somebody.
bool is_asleep(pid_t process) {
  const std::vector<fs::path> threads = threads_of(process);
  return std::ranges::all_of(threads, [](const fs::path& thread) {
    const std::string text = text_of(thread / "stat");
    const std::size_t name_end = text.rfind(") ");  // the state comes next
    return name_end != text.npos && (text[name_end + 2] == 'S' || text[name_end + 2] == 'D');
  });
}

/// Calls that the library leaves to the kernel, and that may wait for another process.
constexpr std::array<std::pair<long, std::string_view>, 10> kernel_waits = {{
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_open, "open"},
    {SYS_openat, "open"},
    {SYS_flock, "flock"},
    {SYS_fcntl, "fcntl"},
    {SYS_wait4, "wait"},
    {SYS_waitid, "wait"},
    {SYS_semop, "semop"},
    {SYS_msgrcv, "msgrcv"},
}};

/// The call in which a thread sleeps, but for futexes: in these the library keeps all threads that
/// are not to run. Empty where there is none, or nobody may know.
std::string sleeping_call_of(pid_t process) {
  for (const fs::path& thread : threads_of(process)) {
    const std::string text = text_of(thread / "syscall");
    long number = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || number < 0 || number == SYS_futex) continue;
    const auto known =
        std::ranges::find(kernel_waits, number, [](const auto& each) { return each.first; });
    return known != kernel_waits.end() ? std::string(known->second)
                                       : fmt::format("system call {}", number);
  }
  return {};
}

}  // namespace

Patience::Verdict Patience::look(pid_t process, bool has_spoken) {
  const std::int64_t now_ns = processor_time_of(process);
  if (now_ns < 0) return Verdict::runs;
  if (first_ns_ < 0) first_ns_ = last_ns_ = now_ns;
  const std::int64_t used_ns = now_ns - std::exchange(last_ns_, now_ns);
  const bool was_asleep = !has_spoken && used_ns < asleep_ns_max && is_asleep(process);
  looks_asleep_ = was_asleep ? looks_asleep_ + 1 : 0;
  if (now_ns - first_ns_ >= limits_.processor_ns) return Verdict::spins;
  return looks_asleep_ >= limits_.looks_asleep ? Verdict::sleeps : Verdict::runs;
}

std::string Patience::describe(Verdict verdict, pid_t process) const {
  if (verdict == Verdict::spins) {
    return fmt::format(
        "it is stuck: it has computed for {} s of processor time and waited for nothing; expected "
        "a sleep in its loop",
        limits_.processor_ns / ns_per_s);
  }
  const std::string call = sleeping_call_of(process);
  return fmt::format(
      "it is stuck: it sleeps in the kernel{}, in which virtual time can't go on; expected it to "
      "wait for its sockets, its threads or the time alone, and for no other process",
      call.empty() ? std::string() : fmt::format(" ({})", call));
}

}  // namespace lockstep::live
