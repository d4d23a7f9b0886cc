// Lua values and suspended coroutines as a part of a state (sim/digest.h).
//
// Numbers, strings and booleans are written by content. Objects are named in the order in which
// they are met, so that what is shared, and what goes round in circles, is told apart from what is
// only equal; the content of each is written once. A function is its place in its source, its
// upvalues, and which of these it shares with whom: with other functions, and with the variables of
// a coroutine that is in the midst of them. A coroutine is its frames, from the innermost: the
// function, the line that it is on, and every slot of its stack.
//
// Sound only where a line holds at most one place at which a coroutine can be suspended
// (model/lock/interaction_check.h). Where two functions begin on one line, their code is
// compared.
//
// What has no order or no content that could be written keeps the whole state apart
// (Digest::mark_unmergeable): userdata, functions in C that nobody made known, tables with an
// object as a key that is met there first, and, where a source asks how long lists are, those with
// holes: the answer depends on how they came about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/digest.h"

struct lua_State;

namespace lockstep::lua {

class ValueDigest {
 public:
  explicit ValueDigest(lua_State* main) : main_(main) {}
  ValueDigest(const ValueDigest&) = delete;
  ValueDigest& operator=(const ValueDigest&) = delete;
  ~ValueDigest() = default;

  /// Makes known the value on top of the main stack, and pops it: it and everything that can be
  /// reached from it never change, so that a name is enough. The order of the calls counts.
  /// REQUIRES: all keys in it have an order.
  void know();
  /// A source of functions to come: where several begin on one line, and whether it asks how long
  /// lists are.
  void note_source(std::string_view chunk_name, std::string_view source);

  /// REQUIRES for all below: the memory is unlimited; nothing runs.
  /// Begins a digest of its own, of nothing but values: it is the same as long as they are.
  void begin(const sim::Digest& outer);
  /// The value at an index of any stack of the state.
  void add(lua_State* from, int index);
  /// The value on top of the main stack, which is popped.
  void add_top();
  /// All of a coroutine's stack: suspended, not yet begun, or at rest.
  void add_coroutine(lua_State* coroutine);
  struct Values {
    sim::Digest::Value value;
    bool is_unmergeable = false;
  };
  /// With the contents of everything that was met since begin().
  Values end();

 private:
  /// A variable of a suspended function, as a slot of its frame.
  struct Variable {
    lua_State* coroutine;
    int level;
    int slot;
    const char* name;
    std::uint32_t number;
  };
  struct Upvalue {
    std::uint32_t function;  // its place among the objects met
    int place;
    const char* name;
    std::uint32_t number;
  };
  struct Key {
    enum class Kind : std::uint8_t { integer, number, string, boolean, object };
    Kind kind;
    std::int64_t integer;  // of an object: its name
    double number;
    std::string_view text;
    int value;  // its place on the stack
  };

  void learn(const void* object, const void* function);
  [[nodiscard]] std::optional<std::uint32_t> known(const void* object) const;
  void note_object();
  void add_frame(lua_State* coroutine, int level);
  void add_contents();
  void add_table();
  [[nodiscard]] Key read_key(int index, int value);
  [[nodiscard]] static bool is_less(const Key& a, const Key& b);
  void write_key(const Key& key);
  void add_function();
  void add_upvalues(int count);
  void add_code();
  void add_shared_variables();
  [[nodiscard]] bool is_shared(const Variable& variable, const Upvalue& upvalue);

  lua_State* const main_;
  sim::Digest own_;
  sim::Digest* digest_ = nullptr;
  // By address, for looking up only: the number says which it is.
  std::vector<std::pair<const void*, std::uint32_t>> known_;
  std::vector<std::pair<const void*, std::uint32_t>> known_functions_;  // in C
  std::set<std::pair<std::string, int>> crowded_lines_;  // where several functions may begin
  bool asks_lengths_ = false;
  int objects_ = 0;              // the place on the main stack of a list of those that were met
  std::uint32_t met_ = 0;        // how many they are…
  std::uint32_t described_ = 0;  // …and how many of them were written
  std::vector<Variable> variables_;
  std::vector<Upvalue> upvalues_;
  std::vector<Key> keys_;  // memory for add_table
  std::string code_;       // memory for add_code
};

}  // namespace lockstep::lua
