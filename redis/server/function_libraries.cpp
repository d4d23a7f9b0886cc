#include "redis/server/function_libraries.h"

#include <utility>

#include "redis/scripting/script_shebang.h"

namespace lockstep::redis {
namespace {

/// The first line of a library: `#!lua name=mylib`.
struct LibraryHead {
  std::string name;
  std::size_t length = 0;  ///< of the line, without its end
};

std::optional<LibraryHead> read_head(std::string_view code, std::string& error) {
  const auto refuse = [&](std::string text) {
    error = std::move(text);
    return std::nullopt;
  };
  LibraryHead head;
  if (!code.starts_with("#!")) return refuse("Missing library metadata");
  head.length = code.find('\n');
  if (head.length == std::string_view::npos) return refuse("Invalid library metadata");
  const auto words = shebang_words(code.substr(0, head.length));
  if (!words) return refuse("Invalid library metadata");
  bool has_name = false;
  for (std::size_t i = 1; i < words->size(); ++i) {
    constexpr std::string_view prefix = "name=";
    const std::string_view word = (*words)[i];
    const bool is_name =
        word.size() >= prefix.size() && equals_ignoring_case(word.substr(0, prefix.size()), prefix);
    if (!is_name) return refuse("Invalid metadata value given: " + std::string(word));
    if (has_name) {
      return refuse("Invalid metadata value, name argument was given multiple times");
    }
    has_name = true;
    head.name = word.substr(prefix.size());
  }
  if (!has_name) return refuse("Library name was not given");
  if (!is_library_name(head.name)) {
    return refuse(
        "Library names can only contain letters, numbers, or underscores(_) and must be at least "
        "one character long");
  }
  const std::string engine = words->front().substr(2);
  if (!equals_ignoring_case(engine, "lua")) return refuse("Engine '" + engine + "' not found");
  return head;
}

}  // namespace

const LibraryFunction* FunctionLibraries::find_function(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

std::optional<std::string> FunctionLibraries::load(ScriptEngine& engine,
                                                   const VersionTraits& version,
                                                   std::string_view code, Existing existing,
                                                   std::string& error) {
  const std::optional<LibraryHead> head = read_head(code, error);
  if (!head) return std::nullopt;
  const auto old = libraries_.find(head->name);
  if (old != libraries_.end() && existing == Existing::refused) {
    error = "Library '" + head->name + "' already exists";
    return std::nullopt;
  }
  auto loaded = engine.load_library(code.substr(head->length), version);
  if (auto* const complaint = std::get_if<std::string>(&loaded)) {
    error = std::move(*complaint);
    return std::nullopt;
  }
  auto& functions = std::get<std::vector<LibraryFunction>>(loaded);
  for (const LibraryFunction& each : functions) {
    const LibraryFunction* const same = find_function(each.name);
    const bool is_of_old = old != libraries_.end() && same != nullptr &&
                           same >= old->second.functions.data() &&
                           same < old->second.functions.data() + old->second.functions.size();
    if (same == nullptr || is_of_old) continue;
    error = "Function " + each.name + " already exists";
    engine.release(functions);
    return std::nullopt;
  }
  if (old != libraries_.end()) remove(engine, head->name);
  FunctionLibrary& added = libraries_[head->name];
  added.code = code;
  added.functions = std::move(functions);
  for (const LibraryFunction& each : added.functions) functions_.emplace(each.name, &each);
  return head->name;
}

bool FunctionLibraries::join(ScriptEngine& engine, FunctionLibraries& others, Existing existing,
                             std::string& error) {
  for (const auto& [name, library] : others.libraries_) {
    if (existing == Existing::replaced || !libraries_.contains(name)) continue;
    error = "Library " + name + " already exists";  // without the quotes that `load` has, as Redis
    return false;
  }
  for (const auto& [name, library] : libraries_) {
    if (others.libraries_.contains(name)) continue;
    for (const LibraryFunction& each : library.functions) {
      const LibraryFunction* const same = others.find_function(each.name);
      if (same == nullptr) continue;
      error = "Function " + same->name + " already exists";
      return false;
    }
  }
  for (const auto& [name, library] : others.libraries_) remove(engine, name);
  libraries_.merge(others.libraries_);
  functions_.merge(others.functions_);
  return true;
}

bool FunctionLibraries::remove(ScriptEngine& engine, std::string_view name) {
  const auto found = libraries_.find(name);
  if (found == libraries_.end()) return false;
  for (const LibraryFunction& each : found->second.functions) functions_.erase(each.name);
  engine.release(found->second.functions);
  libraries_.erase(found);
  return true;
}

void FunctionLibraries::clear(ScriptEngine& engine) {
  while (!libraries_.empty()) remove(engine, std::string(libraries_.begin()->first));
}

std::vector<std::string> FunctionLibraries::codes() const {
  std::vector<std::string> all;
  for (const auto& [name, library] : libraries_) all.push_back(library.code);
  return all;
}

void FunctionLibraries::replace_by(ScriptEngine& engine, const VersionTraits& version,
                                   std::span<const std::string> codes) {
  clear(engine);
  std::string error;
  for (const std::string& code : codes) {
    if (!load(engine, version, code, Existing::refused, error)) return clear(engine);
  }
}

}  // namespace lockstep::redis
