#include "confirm/real_program.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "confirm/real_redis.h"

namespace lockstep::confirm {
namespace {

constexpr std::string_view how_to_fetch = "tools/servers fetches real servers";

std::string in_shell_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

/// What `PROGRAM --version` prints; empty if it cannot be started.
std::string printed_version(const std::string& path) {
  FILE* const pipe = popen((in_shell_quotes(path) + " --version 2>/dev/null").c_str(), "re");
  if (pipe == nullptr) return {};
  std::array<char, 512> buffer{};
  const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe);
  pclose(pipe);
  return {buffer.data(), size};
}

/// "redis-7.0.15" of "Redis server v=7.0.15 sha=…", "valkey-8.0.1" of "Valkey server v=8.0.1 …".
std::string release_in(std::string_view printed) {
  for (const auto& [begin, product] :
       {std::pair{std::string_view("Redis server v="), "redis-"},
        std::pair{std::string_view("Valkey server v="), "valkey-"}}) {
    if (!printed.starts_with(begin)) continue;
    printed.remove_prefix(begin.size());
    return product + std::string(printed.substr(0, printed.find(' ')));
  }
  return {};
}

std::optional<RealProgram> try_identify(const std::string& path) {
  RealProgram program;
  program.path = path;
  program.release = release_in(printed_version(path));
  if (program.release.empty()) return std::nullopt;
  program.version = redis::version_of_release(program.release);
  return program;
}

bool is_path(std::string_view word) { return word.find('/') != std::string_view::npos; }

/// "redis-8.0" means redis-8.0.2 but not redis-8.01.
bool means(std::string_view word, std::string_view release) {
  return release.starts_with(word) && (release.size() == word.size() ||
                                       release[word.size()] == '.' || release[word.size()] == '-');
}

}  // namespace

RealProgram identify_program(const std::string& path) {
  const auto program = try_identify(path);
  if (!program) throw RedisUnusable("'" + path + "' is no redis-server or valkey-server");
  return *program;
}

std::string servers_folder() {
  const auto value_of = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (std::string folder = value_of("LOCKSTEP_SERVERS"); !folder.empty()) return folder;
  if (std::string cache = value_of("XDG_CACHE_HOME"); !cache.empty()) {
    return cache + "/lockstep/servers";
  }
  return value_of("HOME") + "/.cache/lockstep/servers";
}

std::vector<RealProgram> programs_at_hand() {
  std::vector<RealProgram> programs;
  if (auto own = try_identify("redis-server")) programs.push_back(std::move(*own));
  std::error_code error;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(servers_folder(), error)) {
    const std::filesystem::path starter = entry.path() / "server";
    if (std::filesystem::exists(starter, error)) paths.push_back(starter.string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    auto program = try_identify(path);
    const bool is_new =
        program && std::none_of(programs.begin(), programs.end(),
                                [&](const auto& each) { return each.release == program->release; });
    if (is_new) programs.push_back(std::move(*program));
  }
  std::sort(programs.begin(), programs.end(),
            [](const auto& a, const auto& b) { return a.release < b.release; });
  return programs;
}

std::vector<RealProgram> find_programs(std::span<const std::string> words) {
  std::vector<RealProgram> found;
  const std::vector<RealProgram> known = programs_at_hand();
  for (const std::string& word : words) {
    if (is_path(word)) {
      found.push_back(identify_program(word));
      continue;
    }
    const std::size_t before = found.size();
    std::string names;
    for (const RealProgram& each : known) {
      names.append(names.empty() ? "" : ", ").append(each.release);
      if (word == "all" || means(word, each.release)) found.push_back(each);
    }
    if (found.size() > before) continue;
    throw RedisUnusable("there is no real server '" + word + "' here; there are " +
                        (names.empty() ? "none" : names) + "; " + std::string(how_to_fetch));
  }
  return found;
}

}  // namespace lockstep::confirm
