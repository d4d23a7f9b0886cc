#include "lua/interpreter/value_digest.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <lua.hpp>

namespace lockstep::lua {
namespace {

/// What a word says of the value that follows.
enum class Tag : std::uint8_t { nil, no, yes, integer, number, string, known, object };

constexpr int free_slots = 16;  // on a stack, for what is done here between two looks at it

bool is_named(const char* name) { return name != nullptr && name[0] != '('; }

int collect_code(lua_State* /*state*/, const void* bytes, std::size_t size, void* code) {
  static_cast<std::string*>(code)->append(static_cast<const char*>(bytes), size);
  return 0;
}

template <typename Pairs>
std::optional<std::uint32_t> find_in(const Pairs& pairs, const void* address) {
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), address,
                                      [](const auto& pair, const void* wanted) {
                                        return std::less<const void*>{}(pair.first, wanted);
                                      });
  if (found == pairs.end() || found->first != address) return std::nullopt;
  return found->second;
}

template <typename Pairs>
void insert_into(Pairs& pairs, const void* address, std::uint32_t number) {
  const auto place = std::lower_bound(pairs.begin(), pairs.end(), address,
                                      [](const auto& pair, const void* wanted) {
                                        return std::less<const void*>{}(pair.first, wanted);
                                      });
  pairs.insert(place, {address, number});
}

const void* address_of(lua_CFunction function) {
  const void* address = nullptr;
  static_assert(sizeof function == sizeof address);
  std::memcpy(&address, &function, sizeof address);
  return address;
}

}  // namespace

// -- what never changes --

std::optional<std::uint32_t> ValueDigest::known(const void* object) const {
  return find_in(known_, object);
}

void ValueDigest::learn(const void* object, const void* function) {
  insert_into(known_, object, static_cast<std::uint32_t>(known_.size()));
  if (function == nullptr || find_in(known_functions_, function)) return;
  insert_into(known_functions_, function, static_cast<std::uint32_t>(known_functions_.size()));
}

void ValueDigest::know() {
  lua_State* const lua = main_;
  luaL_checkstack(lua, free_slots, nullptr);
  const int type = lua_type(lua, -1);
  const bool is_object = type == LUA_TTABLE || type == LUA_TFUNCTION;
  if (!is_object || known(lua_topointer(lua, -1))) return lua_pop(lua, 1);
  const lua_CFunction function = lua_tocfunction(lua, -1);
  learn(lua_topointer(lua, -1), function == nullptr ? nullptr : address_of(function));
  if (type == LUA_TFUNCTION) {
    for (int i = 1; lua_getupvalue(lua, -1, i) != nullptr; ++i) know();
    return lua_pop(lua, 1);
  }
  if (lua_getmetatable(lua, -1) != 0) know();
  std::vector<std::string> names;
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    lua_pop(lua, 1);
    if (lua_type(lua, -1) == LUA_TSTRING) names.emplace_back(lua_tostring(lua, -1));
  }
  std::sort(names.begin(), names.end());  // a table has no order of its own
  for (const std::string& name : names) {
    lua_getfield(lua, -1, name.c_str());
    know();
  }
  lua_pop(lua, 1);
}

void ValueDigest::note_source(std::string_view chunk_name, std::string_view source) {
  constexpr std::string_view word = "function";
  constexpr std::string_view library = "table.";  // all but `pack` ask how long a list is
  for (std::size_t at = source.find(library); at != source.npos;
       at = source.find(library, at + 1)) {
    asks_lengths_ |= !source.substr(at + library.size()).starts_with("pack");
  }
  asks_lengths_ |= source.find('#') != source.npos;
  int line = 1;
  int on_line = 0;
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source[at] == '\n') {
      ++line;
      on_line = 0;
    } else if (source.substr(at, word.size()) == word && ++on_line == 2) {
      crowded_lines_.emplace(chunk_name, line);
    }
  }
}

// -- values --

void ValueDigest::begin(const sim::Digest& outer) {
  constexpr std::uint64_t no_history = 0;  // the outer digest has it, where that is needed
  constexpr sim::TimeNs no_instant = 0;    // no value is one: it is asked for at many instants
  own_.begin(no_instant, no_history, outer.network(), outer.grain());
  digest_ = &own_;
  met_ = 0;
  described_ = 0;
  variables_.clear();
  upvalues_.clear();
  luaL_checkstack(main_, free_slots, nullptr);
  lua_newtable(main_);
  objects_ = lua_gettop(main_);
}

void ValueDigest::add(lua_State* from, int index) {
  luaL_checkstack(from, 1, nullptr);
  lua_pushvalue(from, index);
  if (from != main_) lua_xmove(from, main_, 1);
  add_top();
}

void ValueDigest::add_top() {
  lua_State* const lua = main_;
  switch (lua_type(lua, -1)) {
    case LUA_TNIL:
      digest_->add(Tag::nil);
      break;
    case LUA_TBOOLEAN:
      digest_->add(lua_toboolean(lua, -1) != 0 ? Tag::yes : Tag::no);
      break;
    case LUA_TNUMBER:
      if (lua_isinteger(lua, -1) != 0) {
        digest_->add(Tag::integer);
        digest_->add(lua_tointeger(lua, -1));
      } else {
        digest_->add(Tag::number);
        digest_->add(lua_tonumber(lua, -1));
      }
      break;
    case LUA_TSTRING: {
      std::size_t length = 0;
      const char* const text = lua_tolstring(lua, -1, &length);
      digest_->add(Tag::string);
      digest_->add(std::string_view(text, length));
      break;
    }
    default:
      return note_object();
  }
  lua_pop(lua, 1);
}

/// The object on top of the stack, which is popped.
void ValueDigest::note_object() {
  const void* const address = lua_topointer(main_, -1);
  if (const auto number = known(address)) {
    digest_->add(Tag::known);
    digest_->add(*number);
    return lua_pop(main_, 1);
  }
  digest_->add(Tag::object);
  if (!digest_->is_new(sim::NamedKind::lua_object, reinterpret_cast<std::uintptr_t>(address))) {
    return lua_pop(main_, 1);
  }
  lua_rawseti(main_, objects_, ++met_);
}

// -- coroutines --

void ValueDigest::add_coroutine(lua_State* coroutine) {
  luaL_checkstack(coroutine, free_slots, nullptr);
  lua_Debug frame;
  digest_->add(lua_status(coroutine));
  if (lua_getstack(coroutine, 0, &frame) == 0) {  // it has not begun, or has come to an end
    const int count = lua_gettop(coroutine);
    digest_->add(count);
    for (int i = 1; i <= count; ++i) add(coroutine, i);
    return;
  }
  for (int level = 0; lua_getstack(coroutine, level, &frame) != 0; ++level) {
    digest_->add(level);
    add_frame(coroutine, level);
  }
  digest_->add(~std::uint64_t{0});
}

void ValueDigest::add_frame(lua_State* coroutine, int level) {
  lua_Debug frame;
  lua_getstack(coroutine, level, &frame);
  lua_getinfo(coroutine, "Slftu", &frame);  // pushes the function
  const bool is_lua = frame.what[0] != 'C';
  lua_xmove(coroutine, main_, 1);
  add_top();
  digest_->add(frame.currentline);
  digest_->add(frame.istailcall);
  const auto add_local = [&](int slot) {
    const char* const name = lua_getlocal(coroutine, &frame, slot);
    if (name == nullptr) return false;
    if (is_lua && slot > 0 && is_named(name)) {
      variables_.push_back(
          {coroutine, level, slot, name, static_cast<std::uint32_t>(variables_.size())});
    }
    lua_xmove(coroutine, main_, 1);
    add_top();
    return true;
  };
  int count = 0;
  while (add_local(count + 1)) ++count;
  digest_->add(count);
  int extra = 0;
  while (is_lua && frame.isvararg != 0 && add_local(-extra - 1)) ++extra;
  digest_->add(extra);
}

// -- objects --

ValueDigest::Values ValueDigest::end() {
  while (described_ < met_) {
    lua_rawgeti(main_, objects_, ++described_);
    add_contents();
  }
  add_shared_variables();
  lua_settop(main_, objects_ - 1);
  digest_ = nullptr;
  return {own_.value(), own_.is_unmergeable()};
}

/// Of the object on top of the stack, which is popped.
void ValueDigest::add_contents() {
  luaL_checkstack(main_, free_slots, nullptr);
  const int type = lua_type(main_, -1);
  digest_->add(type);
  if (type == LUA_TTABLE) return add_table();
  if (type == LUA_TFUNCTION) return add_function();
  digest_->mark_unmergeable();
  lua_pop(main_, 1);
}

bool ValueDigest::is_less(const Key& a, const Key& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  switch (a.kind) {
    case Key::Kind::number:
      return a.number < b.number;
    case Key::Kind::string:
      return a.text < b.text;
    case Key::Kind::integer:
    case Key::Kind::boolean:
    case Key::Kind::object:
      return a.integer < b.integer;
  }
  return false;
}

void ValueDigest::add_table() {
  lua_State* const lua = main_;
  const int table = lua_gettop(lua);
  if (lua_getmetatable(lua, table) != 0) {
    add_top();
  } else {
    digest_->add(Tag::nil);
  }
  lua_Integer length = 0;
  while (lua_rawgeti(lua, table, length + 1) != LUA_TNIL) {
    ++length;
    add_top();
  }
  lua_pop(lua, 1);
  digest_->add(length);
  // The other keys, each value kept on the stack below the key that lua_next goes on from.
  keys_.clear();
  lua_pushnil(lua);
  while (lua_next(lua, table) != 0) {
    const bool is_listed = lua_isinteger(lua, -2) != 0 && lua_tointeger(lua, -2) >= 1 &&
                           lua_tointeger(lua, -2) <= length;
    if (is_listed) {
      lua_pop(lua, 1);
      continue;
    }
    luaL_checkstack(lua, free_slots, nullptr);
    lua_insert(lua, -2);
    const int value = lua_gettop(lua) - 1;
    keys_.push_back(read_key(value + 1, value));
  }
  std::sort(keys_.begin(), keys_.end(), &is_less);
  digest_->add(keys_.size());
  for (const Key& key : keys_) {
    write_key(key);
    add(lua, key.value);
  }
  lua_settop(lua, table - 1);
}

ValueDigest::Key ValueDigest::read_key(int index, int value) {
  Key key{Key::Kind::object, 0, 0, {}, value};
  switch (lua_type(main_, index)) {
    case LUA_TNUMBER:
      if (lua_isinteger(main_, index) != 0) {
        key.kind = Key::Kind::integer;
        key.integer = lua_tointeger(main_, index);
        if (key.integer >= 1 && asks_lengths_) digest_->mark_unmergeable();  // a list with a hole
      } else {
        key.kind = Key::Kind::number;
        key.number = lua_tonumber(main_, index);
      }
      return key;
    case LUA_TSTRING: {
      std::size_t length = 0;
      const char* const text = lua_tolstring(main_, index, &length);
      key.kind = Key::Kind::string;
      key.text = {text, length};
      return key;
    }
    case LUA_TBOOLEAN:
      key.kind = Key::Kind::boolean;
      key.integer = lua_toboolean(main_, index);
      return key;
    default: {
      const void* const address = lua_topointer(main_, index);
      const auto number = reinterpret_cast<std::uintptr_t>(address);
      if (const auto constant = known(address)) {
        key.integer = -1 - static_cast<std::int64_t>(*constant);
      } else if (const auto name = digest_->find_name(sim::NamedKind::lua_object, number)) {
        key.integer = *name;
      } else {
        digest_->mark_unmergeable();
      }
      return key;
    }
  }
}

void ValueDigest::write_key(const Key& key) {
  digest_->add(key.kind);
  if (key.kind == Key::Kind::string) return digest_->add(key.text);
  if (key.kind == Key::Kind::number) return digest_->add(key.number);
  digest_->add(key.integer);
}

/// Of the function on top of the stack, which is popped.
void ValueDigest::add_function() {
  lua_State* const lua = main_;
  if (const lua_CFunction function = lua_tocfunction(lua, -1); function != nullptr) {
    const auto number = find_in(known_functions_, address_of(function));
    digest_->add(number.has_value());
    if (number) {
      digest_->add(*number);
    } else {
      digest_->mark_unmergeable();
    }
    int count = 0;
    for (; lua_getupvalue(lua, -1, count + 1) != nullptr; ++count) add_top();
    digest_->add(count);
    return lua_pop(lua, 1);
  }
  lua_Debug info;
  lua_pushvalue(lua, -1);
  lua_getinfo(lua, ">Su", &info);
  if (digest_->is_new(sim::NamedKind::lua_object, reinterpret_cast<std::uintptr_t>(info.source))) {
    digest_->add(std::string_view(info.source, info.srclen));
  }
  digest_->add(info.linedefined);
  digest_->add(info.lastlinedefined);
  digest_->add(info.nparams);
  if (!crowded_lines_.empty() && crowded_lines_.contains({info.source, info.linedefined})) {
    add_code();
  }
  add_upvalues(info.nups);
  lua_pop(lua, 1);
}

/// Of the function on top of the stack.
void ValueDigest::add_upvalues(int count) {
  digest_->add(count);
  for (int place = 1; place <= count; ++place) {
    const void* const id = lua_upvalueid(main_, -1, place);
    if (!digest_->is_new(sim::NamedKind::lua_object, reinterpret_cast<std::uintptr_t>(id)))
      continue;
    const char* const name = lua_getupvalue(main_, -1, place);
    upvalues_.push_back({described_, place, name, static_cast<std::uint32_t>(upvalues_.size())});
    add_top();
  }
}

void ValueDigest::add_code() {
  code_.clear();
  constexpr int strip = 1;
  lua_dump(main_, &collect_code, &code_, strip);
  digest_->add(std::string_view(code_));
}

// -- variables that a function shares with the one that made it, which goes on some time --

void ValueDigest::add_shared_variables() {
  for (const Variable& variable : variables_) {
    for (const Upvalue& upvalue : upvalues_) {
      const bool may_be = variable.name == upvalue.name ||
                          (*variable.name == *upvalue.name &&  // mostly they differ there
                           std::strcmp(variable.name, upvalue.name) == 0);
      if (!may_be || !is_shared(variable, upvalue)) continue;
      digest_->add(variable.number);
      digest_->add(upvalue.number);
    }
  }
}

/// Lua tells nobody: so the variable is set to something that no other has, and the upvalue looked
/// at.
bool ValueDigest::is_shared(const Variable& variable, const Upvalue& upvalue) {
  lua_State* const coroutine = variable.coroutine;
  lua_Debug frame;
  lua_getstack(coroutine, variable.level, &frame);
  lua_getlocal(coroutine, &frame, variable.slot);  // stays on its stack
  lua_rawgeti(main_, objects_, upvalue.function);
  lua_getupvalue(main_, -1, upvalue.place);
  lua_pushvalue(coroutine, -1);
  lua_xmove(coroutine, main_, 1);
  const bool are_equal = lua_rawequal(main_, -1, -2) != 0;
  lua_pop(main_, 2);
  bool is_shared = false;
  if (are_equal) {
    lua_pushlightuserdata(coroutine, this);
    lua_setlocal(coroutine, &frame, variable.slot);
    lua_getupvalue(main_, -1, upvalue.place);
    is_shared = lua_islightuserdata(main_, -1) && lua_touserdata(main_, -1) == this;
    lua_pop(main_, 1);
    lua_pushvalue(coroutine, -1);
    lua_setlocal(coroutine, &frame, variable.slot);
  }
  lua_pop(coroutine, 1);
  lua_pop(main_, 1);
  return is_shared;
}

}  // namespace lockstep::lua
