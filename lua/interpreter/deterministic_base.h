// A deterministic standard library: nothing in it depends on time, addresses, hash seeds, the
// garbage collector or the machine.
//
// Differences from stock Lua 5.4:
//   pairs, next        in a fixed order (ordered_traversal.h); tables keyed by objects are refused
//   tostring, %s       tables, functions, threads and userdata without an address (text.h)
//   string.format      refuses %p
//   table.sort         without the stock library's clock-driven pivot (sort.h)
//   setmetatable       refuses __gc and __mode, which depend on the collector
//   collectgarbage     does nothing and returns 0
//   math.random        absent until install_random gives it a generator
//   absent             load, loadstring, dofile, loadfile, require, print, warn, io, os, package,
//                      debug, utf8, string.dump
#pragma once

struct lua_State;

namespace lockstep::lua {

/// Puts the base functions and fresh string, table, math and coroutine tables into the table at
/// `environment_index`, with `_G` and `_VERSION`. The functions are shared by all environments, the
/// library tables are not, so one environment's changes to its libraries touch no other.
/// REQUIRES: the state is a lua::State's. May raise "not enough memory".
void install_deterministic_base(lua_State* state, int environment_index);

/// Pops a table and makes it the methods of strings, as in `("x"):len()`, for the whole state.
/// Cheap enough to switch per run. The arithmetic coercions of strings stay stock.
void set_string_methods(lua_State* state);

/// Pushes the present methods of strings.
void push_string_methods(lua_State* state);

/// Opens the stock libraries, hidden from scripts, as a source for install_deterministic_base.
/// lua::State calls it once.
void open_stock_libraries(lua_State* state);

/// Lua's setmetatable over the stock one (upvalue 1): refuses __gc and __mode.
int set_metatable_without_collector(lua_State* state);

/// Pushes the unchanged stock function `library.name` ("base" for the base library), for building
/// other environments. REQUIRES: it exists.
void push_stock_function(lua_State* state, const char* library, const char* name);

}  // namespace lockstep::lua
