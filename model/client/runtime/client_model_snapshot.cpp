#include "model/client/runtime/client_model_snapshot.h"

#include <bit>
#include <lua.hpp>

#include "lua/source/tokens.h"

namespace lockstep::model {

// -- the text --

void ClientModelTraits::add(std::string_view source) {
  const std::vector<lua::ScriptToken> tokens = lua::read_tokens(source);
  const auto text_at = [&](std::size_t place) {
    return place < tokens.size() ? tokens[place].text : std::string_view();
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != lua::ScriptToken::Kind::name) continue;
    const std::string_view word = tokens[i].text;
    // It stands nowhere but in `client.name`, and `_ENV` nowhere: check_interactions sees to that.
    if (word == "client") {
      const std::string_view field = text_at(i + 2);
      if (text_at(i + 1) != "." || field == "uuid" || field == "state") depends_on_run = true;
    }
    if (word == "setmetatable") may_have_metatables = true;
    const std::string_view before = i > 0 ? text_at(i - 1) : std::string_view();
    const bool is_in_list = text_at(i + 1) == "=" || text_at(i + 1) == ",";
    const bool is_function = before == "function" && (i < 2 || text_at(i - 2) != "local");
    if ((is_in_list && before != "local") || is_function) assigned.emplace(word);
  }
}

void ClientModelTraits::add(const ClientModelTraits& file) {
  depends_on_run = depends_on_run || file.depends_on_run;
  may_have_metatables = may_have_metatables || file.may_have_metatables;
  assigned.insert(file.assigned.begin(), file.assigned.end());
}

// -- what it has made --

ClientModelSnapshot::Value ClientModelSnapshot::value_at(lua_State* lua, int index) {
  Value value;
  value.type = lua_type(lua, index);
  if (value.type == LUA_TNUMBER) {
    value.is_integer = lua_isinteger(lua, index) != 0;
    value.bits = value.is_integer ? static_cast<std::uint64_t>(lua_tointeger(lua, index))
                                  : std::bit_cast<std::uint64_t>(lua_tonumber(lua, index));
  } else if (value.type == LUA_TBOOLEAN) {
    value.bits = lua_toboolean(lua, index) != 0 ? 1 : 0;
  } else {
    value.object = lua_topointer(lua, index);
  }
  return value;
}

/// Goes through what can be reached. On the stack: kept, places (object → its place in kept, or 0
/// for what is fixed).
class ClientModelSnapshot::Walk {
 public:
  Walk(lua_State* lua, const ClientModelTraits& traits, ClientModelSnapshot& image)
      : lua_(lua), traits_(traits), image_(image) {
    lua_newtable(lua_);
    kept_ = lua_gettop(lua_);
    lua_newtable(lua_);
    places_ = lua_gettop(lua_);
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  ~Walk() { lua_settop(lua_, kept_ - 1); }

  /// The table on top of the stack never changes, nor does any value of it. Pops it.
  void fix_with_values() {
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) fix();
    fix();
  }

  /// Notes the value at the index, to be looked into in its turn.
  Value note(int index) {
    const Value value = value_at(lua_, index);
    if (value.type == LUA_TTHREAD || value.type == LUA_TUSERDATA) is_comparable_ = false;
    if (value.object == nullptr) return value;
    const int at = lua_absindex(lua_, index);
    if (lua_rawgetp(lua_, places_, value.object) == LUA_TNIL) {
      ++noted_;
      lua_pushvalue(lua_, at);
      lua_rawseti(lua_, kept_, noted_);
      lua_pushinteger(lua_, noted_);
      lua_rawsetp(lua_, places_, value.object);
    }
    lua_pop(lua_, 1);
    return value;
  }

  /// False where something can't be compared.
  bool go() {
    for (int place = 1; place <= noted_ && is_comparable_; ++place) {
      const int type = lua_rawgeti(lua_, kept_, place);
      if (type == LUA_TTABLE) look_into_table(place);
      if (type == LUA_TFUNCTION) look_into_function(place);
      lua_pop(lua_, 1);
    }
    int place = noted_;
    for (Variable& variable : image_.variables_) {
      variable.value = ++place;
      lua_rawgeti(lua_, kept_, variable.function);
      lua_getupvalue(lua_, -1, variable.number);
      lua_rawseti(lua_, kept_, variable.value);
      lua_pop(lua_, 1);
    }
    return is_comparable_;
  }

  void push_kept() { lua_pushvalue(lua_, kept_); }

 private:
  void fix() {
    lua_pushinteger(lua_, 0);
    if (const void* object = lua_topointer(lua_, -2); object != nullptr) {
      lua_rawsetp(lua_, places_, object);
    } else {
      lua_pop(lua_, 1);
    }
    lua_pop(lua_, 1);
  }

  void look_into_table(int place) {
    Table table{.place = place, .metatable = {}, .first = image_.values_.size(), .count = 0};
    if (lua_getmetatable(lua_, -1) != 0) {
      table.metatable = note(-1);
      lua_pop(lua_, 1);
    }
    const auto length = static_cast<lua_Integer>(lua_rawlen(lua_, -1));
    lua_Integer places = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      if (lua_isinteger(lua_, -2) != 0 && lua_tointeger(lua_, -2) > 0) {
        ++places;
        // The length of a list with holes depends on what the table held before.
        if (lua_tointeger(lua_, -2) > length) is_comparable_ = false;
      }
      const Value key = note(-2);
      image_.values_.push_back(key);
      const Value value = note(-1);
      image_.values_.push_back(value);
      ++table.count;
      lua_pop(lua_, 1);
    }
    if (places != length) is_comparable_ = false;
    image_.tables_.push_back(table);
  }

  void look_into_function(int place) {
    const bool is_ours = lua_iscfunction(lua_, -1) != 0;  // never assigns its upvalues
    for (int number = 1;; ++number) {
      const char* name = lua_getupvalue(lua_, -1, number);
      if (name == nullptr) return;
      static_cast<void>(note(-1));
      lua_pop(lua_, 1);
      if (is_ours || !traits_.assigned.contains(name)) continue;
      if (!seen_.insert(lua_upvalueid(lua_, -1, number)).second) continue;
      image_.variables_.push_back({place, number, 0});
    }
  }

  lua_State* lua_;
  const ClientModelTraits& traits_;
  ClientModelSnapshot& image_;
  int kept_ = 0;
  int places_ = 0;
  int noted_ = 0;
  bool is_comparable_ = true;
  std::set<const void*> seen_;  // variables; only ever asked whether one is in it
};

bool ClientModelSnapshot::take(lua_State* lua, const ClientModelTraits& traits,
                               std::span<const LuaReference* const> roots,
                               std::span<const LuaReference* const> fixed) {
  forget();
  Walk walk(lua, traits, *this);
  for (const LuaReference* reference : fixed) {
    reference->push(lua);
    walk.fix_with_values();
  }
  for (const LuaReference* reference : roots) {
    reference->push(lua);
    static_cast<void>(walk.note(-1));
    lua_pop(lua, 1);
  }
  if (!walk.go()) {
    forget();
    return false;
  }
  walk.push_kept();
  kept_ = LuaReference(lua);
  is_taken_ = true;
  return true;
}

void ClientModelSnapshot::forget() {
  is_taken_ = false;
  kept_ = LuaReference();
  tables_.clear();
  values_.clear();
  variables_.clear();
}

/// Whether the value at the index is this one. An address is enough: the object is kept alive.
bool ClientModelSnapshot::is_at(lua_State* lua, int index, const Value& value) {
  if (value.object != nullptr) return lua_topointer(lua, index) == value.object;
  return value_at(lua, index) == value;
}

bool ClientModelSnapshot::is_unchanged(lua_State* lua, const Table& table) const {
  Value metatable;
  if (lua_getmetatable(lua, -1) != 0) {
    metatable = value_at(lua, -1);
    lua_pop(lua, 1);
  }
  if (!(metatable == table.metatable)) return false;
  std::size_t next = table.first;
  const std::size_t end = table.first + 2 * table.count;
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    if (next == end) return false;
    if (!is_at(lua, -2, values_[next]) || !is_at(lua, -1, values_[next + 1])) return false;
    next += 2;
    lua_pop(lua, 1);
  }
  return next == end;
}

bool ClientModelSnapshot::restore(lua_State* lua) const {
  if (!is_taken_) return false;
  const int top = lua_gettop(lua);
  const int kept = top + 1;
  kept_.push(lua);
  for (const Table& table : tables_) {
    lua_rawgeti(lua, kept, table.place);
    const bool is_same = is_unchanged(lua, table);
    lua_settop(lua, is_same ? kept : top);
    if (!is_same) return false;
  }
  for (const Variable& variable : variables_) {
    lua_rawgeti(lua, kept, variable.function);
    lua_rawgeti(lua, kept, variable.value);
    lua_setupvalue(lua, -2, variable.number);
    lua_settop(lua, kept);
  }
  lua_settop(lua, top);
  return true;
}

}  // namespace lockstep::model
