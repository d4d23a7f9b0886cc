// Which Redis commands the sources of a lock may ever name: so that what no command tells of is no
// part of a state.
//
// A command's name is a string in the code of a script or of the client model; comments are none. A
// client model has other strings, too ("info" is how an operation ends, and a command). Where it
// names every command where it sends it, as in client.command(node, "SET", …), and no script takes
// a command's name from its arguments, only these count; otherwise every string does, those among
// the lock's options, too. Where it sends programs, or puts a name together where it sends it, or a
// script hides what it calls, any command may be named.
//
// Not covered: names that are put together elsewhere, of parts that are none.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::scenario {
struct Options;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct LockPackage;

class SourceCommands {
 public:
  explicit SourceCommands(const LockPackage& package);

  /// Whether one of these words, in lower case, ends a string that may name a command: "time" is
  /// the end of "EXPIRETIME", too.
  [[nodiscard]] bool may_name(std::span<const std::string_view> words) const;

 private:
  void take_words(const scenario::Options& options);

  std::vector<std::string> names_;  // in lower case
  bool is_opaque_ = false;          // something in them is not as it looks: any command
};

}  // namespace lockstep::model
