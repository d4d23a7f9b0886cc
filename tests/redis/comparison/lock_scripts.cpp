// The locks' own scripts with random keys and arguments, and commands that get in their way.
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "redis/scripting/script_engine.h"
#include "tests/redis/comparison/command_sequences.h"
#include "tests/support/source_folder.h"

namespace lockstep::redis::test {
namespace {

std::string script_of(std::string_view path) {
  std::ifstream file(source_folder().append("/scripts/").append(path));
  if (!file) throw std::runtime_error("no script " + std::string(path));
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Call {
  std::string_view script;
  std::string_view words;
};

/// As the client models call them.
constexpr Call lock_calls[] = {
    {"plain/acquire.lua", "1 $lock $ms $owner"},
    {"plain/release.lua", "3 $lock news $key 0 $ms $owner publish $ms"},
    {"plain/release-unlatched.lua", "2 $lock news 0 $ms $owner"},
    {"plain/release-oldest.lua", "2 $lock news 0 $ms $owner"},
    {"plain/renew.lua", "1 $lock $ms $owner"},
    {"plain/renew_batch.lua", "2 $lock $lock $ms $owner $owner"},
    {"plain/force_release.lua", "2 $lock news 0"},
    {"fenced/acquire.lua", "2 $lock $key $ms $owner"},
    {"setnx/release.lua", "1 $key $text"},
    {"redlock/release.lua", "1 $key $text"},
    {"redlock/extend.lua", "1 $key $text $ms"},
    {"redlock/force_release.lua", "1 $key"},
    {"fair/acquire.lua", "3 $lock queue deadlines $ms $owner $ms $number"},
    {"fair/acquire-old.lua", "3 $lock queue deadlines $ms $owner $ms $number"},
    {"fair/acquire_failed.lua", "2 queue deadlines $owner $ms"},
    {"fair/try.lua", "3 $lock queue deadlines $ms $owner $number $ms"},
    {"fair/release.lua", "5 $lock queue deadlines news $key 0 $ms $owner $number publish $ms"},
    {"fair/release-old.lua", "4 $lock queue deadlines news 0 $ms $owner $number"},
    {"fair/force_release.lua", "4 $lock queue deadlines news 0 $number"},
    // A lock of their own: they count through holds, of which $number may be more than many.
    {"readwrite/read_acquire.lua", "2 rwlock {rwlock}:a:rwlock_timeout $ms a a:write"},
    {"readwrite/read_acquire.lua", "2 rwlock {rwlock}:b:rwlock_timeout $ms b b:write"},
    {"readwrite/read_release.lua",
     "5 rwlock news {rwlock}:a:rwlock_timeout {rwlock} $key 0 a publish $ms"},
    {"readwrite/read_release-older.lua", "4 rwlock news {rwlock}:b:rwlock_timeout {rwlock} 0 b"},
    {"readwrite/read_release-forgets-writer.lua",
     "4 rwlock news {rwlock}:a:rwlock_timeout {rwlock} 0 a"},
    {"readwrite/read_renew.lua", "2 rwlock {rwlock} $ms a"},
    {"readwrite/read_renew-everybody.lua", "2 rwlock {rwlock} $ms b"},
    {"readwrite/read_renew-lock-only.lua", "2 rwlock {rwlock} $ms a"},
    {"readwrite/write_acquire.lua", "1 rwlock $ms a:write"},
    {"readwrite/write_release.lua", "3 rwlock news $key 0 $ms a:write publish $ms"},
    {"readwrite/write_release-older.lua", "2 rwlock news 0 $ms a:write"},
    {"semaphore/acquire.lua", "1 $lock $number"},
    {"semaphore/release.lua", "2 $lock news $number"},
    {"semaphore/try_set_permits.lua", "2 $lock news $number"},
    {"latch/try_set_count.lua", "2 $lock news 1 $number"},
    {"latch/count_down.lua", "2 $lock news 0"},
};

constexpr std::string_view commands[] = {"SET $key $text NX PX $ms",
                                         "PTTL $lock",
                                         "HGETALL $lock",
                                         "DEL $lock",
                                         "GET $lock",
                                         "EXISTS $lock",
                                         "PEXPIRE $lock $ms",
                                         "HSET $lock $owner $number",
                                         "SET $lock $text",
                                         "PERSIST $lock",
                                         "DEL rwlock",
                                         "PTTL rwlock",
                                         "HGETALL rwlock",
                                         "ZREM deadlines $owner",
                                         "LRANGE queue 0 -1"};

struct LockScripts {
  std::vector<std::string> scripts;
  std::vector<std::string> lines;

  LockScripts() {
    for (const Call& call : lock_calls) {
      scripts.push_back(script_of(call.script));
      std::string line = "EVALSHA " + sha1_hex(scripts.back()) + " ";
      lines.push_back(line.append(call.words));
    }
  }
};

}  // namespace

SequenceKind lock_scripts_kind() {
  static const LockScripts locks;
  SequenceKind kind;
  kind.scripts = locks.scripts;
  kind.sessions = 2;
  for (int times = 0; times < 4; ++times) {
    kind.templates.insert(kind.templates.end(), locks.lines.begin(), locks.lines.end());
  }
  kind.templates.insert(kind.templates.end(), std::begin(commands), std::end(commands));
  return kind;
}

}  // namespace lockstep::redis::test
