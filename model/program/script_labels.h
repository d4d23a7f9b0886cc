// Under which name a real program's requests are told: as the lock's client model would call them.
//
// A command is called by its name in lower case. A script is called as that one of the lock's that
// calls the same commands, or at least the same that write, whatever its text: the real library's
// release is "release" too. A script like none of the lock's is "eval", however it is sent.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::model {

struct LockPackage;

class ScriptLabels {
 public:
  explicit ScriptLabels(const LockPackage& package);

  /// Forgets the scripts that programs have sent: one may call what another has loaded.
  void start_run() { sent_.clear(); }
  /// Valid as long as this. REQUIRES: there is a word.
  [[nodiscard]] std::string_view label_of(std::span<const std::string_view> words);

 private:
  [[nodiscard]] std::string_view intern(std::string_view text);
  [[nodiscard]] std::string_view label_of_script(std::string_view body);

  std::vector<std::pair<std::set<std::string>, std::string>> scripts_;  // commands it calls, name
  std::map<std::string, std::string_view, std::less<>> sent_;           // by SHA-1
  std::set<std::string, std::less<>> labels_;  // kept over runs: messages name them
};

/// The commands that a script calls by a literal name, in lower case.
[[nodiscard]] std::set<std::string> commands_called(std::string_view script);

}  // namespace lockstep::model
