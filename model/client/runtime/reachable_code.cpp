// Which code of a client model a workload can ever reach, so that what it does not mention is not
// done: a client model that reads a clock in a function which no step calls reads none.
//
// A function reaches what its upvalues hold, its own functions included, and the contents of
// tables. The dump of its code has the functions within it, and every name that they look up.
#include <lua.hpp>
#include <set>
#include <string>

#include "model/client/runtime/client_model.h"

namespace lockstep::model {
namespace {

int append_code(lua_State* /*lua*/, const void* bytes, std::size_t size, void* code) {
  static_cast<std::string*>(code)->append(static_cast<const char*>(bytes), size);
  return 0;
}

class Reach {
 public:
  explicit Reach(lua_State* lua) : lua_(lua) {
    lua_newtable(lua_);
    list_ = lua_gettop(lua_);
  }
  Reach(const Reach&) = delete;
  Reach& operator=(const Reach&) = delete;
  ~Reach() { lua_settop(lua_, list_ - 1); }

  /// The value on top of the stack, which is popped.
  void add() {
    const int type = lua_type(lua_, -1);
    const bool is_new = (type == LUA_TFUNCTION || type == LUA_TTABLE) &&
                        seen_.insert(lua_topointer(lua_, -1)).second;
    if (is_new) return lua_rawseti(lua_, list_, ++count_);
    lua_pop(lua_, 1);
  }

  [[nodiscard]] std::string code() {
    std::string code;
    for (lua_Integer next = 1; next <= count_; ++next) {
      lua_rawgeti(lua_, list_, next);
      if (lua_isfunction(lua_, -1)) {
        constexpr int strip = 1;
        if (lua_iscfunction(lua_, -1) == 0) lua_dump(lua_, &append_code, &code, strip);
        for (int i = 1; lua_getupvalue(lua_, -1, i) != nullptr; ++i) add();
      } else {
        add_members();
      }
      lua_pop(lua_, 1);
    }
    return code;
  }

 private:
  void add_members() {
    if (lua_getmetatable(lua_, -1) != 0) add();
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      add();
      lua_pushvalue(lua_, -1);
      add();
    }
  }

  lua_State* const lua_;
  int list_ = 0;
  lua_Integer count_ = 0;
  std::set<const void*> seen_;  // to ask only
};

}  // namespace

std::string ClientModel::reachable_code(std::span<const scenario::StepKind> functions) const {
  const lua::Memory::Unlimited unlimited(runtime_.state.memory());
  Reach reach(runtime_.main);
  luaL_checkstack(runtime_.main, 16, nullptr);
  for (const scenario::StepKind function : functions) {
    push_function(runtime_.main, function);
    reach.add();
  }
  return reach.code();
}

}  // namespace lockstep::model
