// Lua values and suspended coroutines as a part of a state (sim/digest.h).
//
// Numbers, strings and booleans are written by content. Objects are numbered in the order of their
// first visit, so sharing and cycles differ from mere equality; the content of each is written
// once. A function is its position in its source, its upvalues, and with whom it shares each of
// them: other functions, and variables of a suspended coroutine. A coroutine is its frames from the
// innermost: the function, its current line, and every slot of its stack.
//
// Sound only if a line has at most one place at which a coroutine can be suspended
// (model/lock/interaction_check.h). If two functions begin on one line, their code is compared.
//
// Values without an order or a content that can be written make the whole state unmergeable
// (Digest::mark_unmergeable): userdata; C functions that were not made known; tables with a key
// that is an object not visited before; and, if a source takes lengths of lists, lists with holes,
// whose length depends on their history.
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

  /// Makes the value on top of the main stack known, and pops it. A known value and everything
  /// reachable from it never change, so their numbers stand for them. The order of the calls
  /// counts. REQUIRES: all keys in it have an order.
  void know();
  /// Prepares for functions from this source: notes lines on which several begin, and whether it
  /// takes lengths of lists.
  void note_source(std::string_view chunk_name, std::string_view source);

  /// REQUIRES for all below: the memory is unlimited; nothing runs.
  /// Begins a separate digest of values only, which stays the same as long as they do.
  void begin(const sim::Digest& outer);
  /// Adds the value at an index of any stack of the state.
  void add(lua_State* from, int index);
  /// Adds the value on top of the main stack, and pops it.
  void add_top();
  /// Adds a coroutine's whole stack: suspended, not yet started, or finished.
  void add_coroutine(lua_State* coroutine);
  struct Values {
    sim::Digest::Value value;
    bool is_unmergeable = false;
  };
  /// Adds the contents of all objects visited since begin(), and returns the digest.
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
    std::uint32_t function;  // its number among the objects visited
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
  // By address, for look-ups only; the number identifies the value.
  std::vector<std::pair<const void*, std::uint32_t>> known_;
  std::vector<std::pair<const void*, std::uint32_t>> known_functions_;  // in C
  std::set<std::pair<std::string, int>> crowded_lines_;  // where several functions may begin
  bool asks_lengths_ = false;
  int objects_ = 0;              // the main stack's index of the list of objects visited
  std::uint32_t met_ = 0;        // how many objects were visited…
  std::uint32_t described_ = 0;  // …and how many of those were written
  std::vector<Variable> variables_;
  std::vector<Upvalue> upvalues_;
  std::vector<Key> keys_;  // memory for add_table
  std::string code_;       // memory for add_code
};

}  // namespace lockstep::lua
