// The client models and libraries that an engine has compiled, by their text.
//
// A search prepares thousands of scenarios of one lock, most of them while it makes its findings
// small, and each has several clients: reading, rewriting and compiling the same text for each of
// them was half of a search. Each client still gets functions of its own (push_with_environment).
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "lua/interpreter/state.h"
#include "model/client/runtime/client_model_snapshot.h"
#include "model/client/runtime/lua_reference.h"

namespace lockstep::model {

struct CompiledSource {
  ClientModelTraits traits;
  bool has_checked_interactions = false;
  /// The rewritten source as a function, once somebody has compiled it; the second where a file of
  /// the client model may set metatables (client_model_instrumentation.h).
  std::array<LuaReference, 2> chunks;
};

class CompiledSources {
 public:
  explicit CompiledSources(lua::State& state) : state_(state) {}
  CompiledSources(const CompiledSources&) = delete;
  CompiledSources& operator=(const CompiledSources&) = delete;
  ~CompiledSources() = default;

  [[nodiscard]] lua::State& state() const { return state_; }
  /// What is known of this text of this file; a new one knows its traits only. Valid until the next
  /// call.
  CompiledSource& find(const std::string& path, std::string_view source);

 private:
  lua::State& state_;
  std::map<std::string, CompiledSource, std::less<>> sources_;  // by path and text
};

/// Pops a table, and pushes the chunk with the table as its environment. REQUIRES: it is called, if
/// ever, before it is pushed again; the functions that it makes keep their environment.
void push_with_environment(lua_State* lua, const LuaReference& chunk);

}  // namespace lockstep::model
