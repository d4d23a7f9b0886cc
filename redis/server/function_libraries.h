// The libraries of functions that a server has (FUNCTION LOAD), and their functions by name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/letter_case.h"
#include "redis/scripting/function_library.h"

namespace lockstep::redis {

struct VersionTraits;

struct FunctionLibrary {
  std::string code;  ///< with its `#!` line
  std::vector<LibraryFunction> functions;
};

class FunctionLibraries {
 public:
  struct NameOrder {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const {
      return std::lexicographical_compare(
          a.begin(), a.end(), b.begin(), b.end(),
          [](char x, char y) { return lower_case(x) < lower_case(y); });
    }
  };
  /// Cases count in names of libraries, but not of functions.
  using Libraries = std::map<std::string, FunctionLibrary, std::less<>>;

  [[nodiscard]] const Libraries& all() const { return libraries_; }
  [[nodiscard]] std::size_t function_count() const { return functions_.size(); }
  /// Null where there is none.
  [[nodiscard]] const LibraryFunction* find_function(std::string_view name) const;

  enum class Existing : bool { refused, replaced };
  /// Loads a library into a server of this version: its name, or nothing and why.
  std::optional<std::string> load(ScriptEngine& engine, const VersionTraits& version,
                                  std::string_view code, Existing existing, std::string& error);
  /// Takes over all of `others` at once, or none of them and says why.
  bool join(ScriptEngine& engine, FunctionLibraries& others, Existing existing, std::string& error);
  /// False where there is none.
  bool remove(ScriptEngine& engine, std::string_view name);
  void clear(ScriptEngine& engine);
  /// The code of all, by name: what replicas and files get.
  [[nodiscard]] std::vector<std::string> codes() const;
  /// Has exactly these from now on, none where one does not load.
  void replace_by(ScriptEngine& engine, const VersionTraits& version,
                  std::span<const std::string> codes);

 private:
  Libraries libraries_;
  std::map<std::string_view, const LibraryFunction*, NameOrder> functions_;
};

}  // namespace lockstep::redis
