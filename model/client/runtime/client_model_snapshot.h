// What executing a client model's source has made, remembered so that the next run can begin with
// it.
//
// Executing the source for each client of each run was a tenth of a run (180,000 of 1,950,000
// instructions). What comes of it depends on the text alone, as long as the text doesn't name what
// is another in each run (`client.uuid`, `client.state`). So functions and tables that no run has
// changed are as good as new ones, and variables can be set back: no client model can tell. A table
// that was changed is not repaired, since what it held before may show in it; the source is
// executed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/runtime/lua_reference.h"

struct lua_State;

namespace lockstep::model {

/// What the text of a client model and its libraries says about executing it.
struct ClientModelTraits {
  bool depends_on_run = false;                  ///< it may see what differs from run to run
  std::set<std::string, std::less<>> assigned;  ///< every name that may be assigned to

  bool may_have_metatables = false;  ///< then any operator may be a call

  /// Takes another of its files in.
  void add(std::string_view source);
  void add(const ClientModelTraits& file);
};

class ClientModelSnapshot {
 public:
  /// Remembers everything that can be reached from the roots, but not through tables that are
  /// fixed, or their values: those never change. False where it holds something that can't be
  /// compared: then nothing is remembered.
  bool take(lua_State* lua, const ClientModelTraits& traits,
            std::span<const LuaReference* const> roots, std::span<const LuaReference* const> fixed);
  void forget();
  /// Sets the variables back, so that all of it is as it was. False where a table was changed, or
  /// nothing is remembered: then it can't be used any more.
  [[nodiscard]] bool restore(lua_State* lua) const;

 private:
  /// A value by its identity. What has an address is kept alive by kept_, so none is used twice.
  struct Value {
    int type = 0;
    bool is_integer = false;
    std::uint64_t bits = 0;
    const void* object = nullptr;

    bool operator==(const Value&) const = default;
  };
  struct Table {
    int place;  ///< in kept_
    Value metatable;
    std::size_t first;  ///< keys and values in values_, in the order of lua_next
    std::size_t count;
  };
  struct Variable {
    int function;  ///< one that sees it: its place in kept_
    int number;    ///< among that one's upvalues
    int value;     ///< its place in kept_
  };
  class Walk;

  [[nodiscard]] static Value value_at(lua_State* lua, int index);
  [[nodiscard]] static bool is_at(lua_State* lua, int index, const Value& value);
  [[nodiscard]] bool is_unchanged(lua_State* lua, const Table& table) const;

  LuaReference kept_;  // what has an address, 1, 2, …, and behind it what the variables held
  bool is_taken_ = false;
  std::vector<Table> tables_;
  std::vector<Value> values_;
  std::vector<Variable> variables_;
};

}  // namespace lockstep::model
