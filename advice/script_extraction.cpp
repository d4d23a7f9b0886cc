#include "advice/script_extraction.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "advice/host/host_formats.h"
#include "advice/host/host_scopes.h"
#include "advice/host/host_values.h"
#include "advice/script_calls.h"
#include "lua/source/parser.h"

namespace lockstep::advice {
namespace {

bool calls_redis(std::string_view text) {
  for (const std::string_view sign : {"redis.call", "redis.pcall", "server.call", "server.pcall"}) {
    for (std::size_t at = text.find(sign); at != std::string_view::npos;
         at = text.find(sign, at + 1)) {
      std::size_t end = at + sign.size();
      while (end < text.size() && text[end] == ' ') ++end;
      if (end < text.size() &&
          std::string_view("('\"[").find(text[end]) != std::string_view::npos) {
        return true;
      }
    }
  }
  return false;
}

bool names_arguments(std::string_view text) {
  return text.find("KEYS[") != std::string_view::npos ||
         text.find("ARGV[") != std::string_view::npos;
}

/// Whether it begins as a line of Lua does, and calls nothing of Redis.
bool is_lua_piece(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const std::string_view word : {"return", "local", "if", "end", "else", "elseif", "for"}) {
    if (!text.starts_with(word)) continue;
    const char behind = text.size() > word.size() ? text[word.size()] : ' ';
    if (std::string_view(" ;\t\n({").find(behind) != std::string_view::npos) {
      return !calls_redis(text);
    }
  }
  return false;
}

/// Why it does not compile; empty: it does.
std::string fault_of(std::string_view program) {
  const auto parsed = lua::parse_either(program);
  const auto* const error = std::get_if<lua::SyntaxError>(&parsed);
  return error == nullptr ? std::string() : error->what;
}

std::string file_name(std::string_view name) {
  std::string result;
  for (const char letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
    result += is_plain ? letter : '-';
  }
  constexpr std::size_t characters_max = 80;
  result.resize(std::min(result.size(), characters_max));
  const bool says_nothing = result.find_first_not_of('-') == std::string::npos;
  return says_nothing ? "script" : result;
}

std::string one_line(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter == '\n' || letter == '\r') letter = ' ';
  }
  return result;
}

/// The text, and a mark or another text in place of each hole.
std::string with_holes(const HostText& value, std::optional<std::string_view> stand_in) {
  std::string result;
  std::size_t at = 0;
  for (const TextHole& hole : value.holes) {
    result.append(value.text, at, hole.at - at);
    at = hole.at;
    if (stand_in) {
      result += *stand_in;
    } else {
      result.append("<<").append(one_line(hole.expression)).append(">>");
    }
  }
  return result.append(value.text, at, std::string::npos);
}

class Extractor {
 public:
  Extractor(std::string_view source, HostLanguage language, bool is_markup)
      : read_(read_host(source, language, is_markup)),
        tokens_(read_.list),
        syntax_(syntax_of(language)),
        scopes_(tokens_, syntax_),
        values_(tokens_, scopes_, syntax_) {}

  Extraction run() {
    find_adding_calls();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool is_literal = tokens_[i].kind == HostToken::Kind::text && !tokens_[i].is_character;
      if (is_literal && !values_.is_used(i)) find_script(i);
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (const auto begin = values_.joins_list_of_constant(i)) find_joined(*begin);
    }
    for (HostComplaint& each : read_.embedded) {
      result_.unresolved.push_back({each.place, each.what, each.what, false});
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (scopes_.is(i, "(")) look_at_call(i);
      if (names_file(i)) tell_of_file(i);
    }
    drop_parts();
    std::stable_sort(found_.begin(), found_.end(), [](const Found& one, const Found& other) {
      return one.script.place < other.script.place;
    });
    for (Found& each : found_) result_.scripts.push_back(std::move(each.script));
    result_.complaints = std::move(read_.complaints);
    return std::move(result_);
  }

 private:
  struct Found {
    std::size_t begin;            ///< the first token
    bool is_taken;                ///< by a call that runs scripts
    std::set<std::size_t> parts;  ///< constants inside, by their first tokens
    ExtractedScript script;
  };

  /// The whole of what a literal is a part of.
  void find_script(std::size_t literal) {
    std::size_t begin = values_.whole_expression(literal);
    // Ruby's +"…" and -"…".
    const bool has_sign = syntax_.language == HostLanguage::ruby && begin > 1 &&
                          (scopes_.is(begin - 1, "+") || scopes_.is(begin - 1, "-")) &&
                          (scopes_.is(begin - 2, "=") || scopes_.is(begin - 2, "("));
    if (has_sign) --begin;
    HostValue value = values_.evaluate(begin, tokens_.size());
    std::optional<HostValue> built = values_.built_by_statements(begin);
    const bool is_built = built.has_value();
    if (built) value = std::move(*built);
    if (!value.has_text || is_documentation(begin)) return;
    // What is added on some ways only is a hole.
    const bool is_strong = calls_redis(value.text.text) ||
                           (!value.text.holes.empty() && calls_redis(tokens_[literal].text.text));
    if (!is_strong && !names_arguments(value.text.text)) return;
    add(begin, value, is_strong, is_built);
  }

  /// Calls by which pieces of Lua are added to something, by function and name.
  void find_adding_calls() {
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != HostToken::Kind::text || !is_lua_piece(tokens_[i].text.text)) continue;
      const std::string call = adding_call(i);
      if (!call.empty()) adding_.insert({scopes_.function_of(i), call});
    }
  }

  /// `parts.push("…")`, `write!(text, "…")`, `$parts[] = "…"`: "push", "write", "[]".
  [[nodiscard]] std::string adding_call(std::size_t begin) const {
    if (begin > 2 && scopes_.is(begin - 1, "=") && scopes_.is(begin - 2, "]") &&
        scopes_.is(begin - 3, "[")) {
      return "[]";
    }
    const std::size_t bracket = scopes_.around(begin);
    if (bracket >= tokens_.size() || !scopes_.is(bracket, "(")) return {};
    const std::size_t callee = scopes_.callee_of(bracket);
    if (callee == HostScopes::none) return {};
    constexpr std::array<std::string_view, 14> names = {
        "push",   "add",      "Add",   "append",    "write",        "writeln", "Fprintf",
        "Fprint", "Fprintln", "Write", "WriteLine", "AppendFormat", "Append",  "extend"};
    const std::string_view name = scopes_.word_at(callee);
    const bool adds = std::find(names.begin(), names.end(), name) != names.end();
    return adds ? std::string(name) : std::string();
  }

  /// Why what begins here may be only a part of a script; empty: nothing says so.
  [[nodiscard]] std::string doubt_at(std::size_t begin, bool is_built) const {
    if (is_beside_pieces(begin)) return "the strings beside it look like more of it";
    const std::string call = adding_call(begin);
    if (!is_built && !call.empty() && adding_.contains({scopes_.function_of(begin), call})) {
      return "more is added to it in a way that is not known here";
    }
    const std::size_t bracket = scopes_.around(begin);
    if (bracket >= tokens_.size()) return {};
    if (scopes_.is(bracket, "[") && values_.is_list_joined(bracket)) {
      return "it is joined with more in a way that is not known here";
    }
    const std::size_t callee =
        scopes_.is(bracket, "(") ? scopes_.callee_of(bracket) : HostScopes::none;
    if (callee == HostScopes::none) return {};
    const std::string spelling = values_.spelling_of(scopes_.call_begin(bracket), bracket);
    return is_unknown_function(spelling) ? "what " + spelling + " makes of it is not known here"
                                         : std::string();
  }

  /// A list that a constant holds, joined.
  void find_joined(std::size_t begin) {
    if (index_.contains(begin)) return;
    const HostValue value = values_.evaluate(begin, tokens_.size());
    const bool is_script =
        value.has_text && !values_.parts().empty() && calls_redis(value.text.text);
    if (is_script) add(begin, value, true);
  }

  /// Whether strings beside it, in brackets, are Lua that calls nothing: pieces that are put
  /// together in a way that is not known here.
  [[nodiscard]] bool is_beside_pieces(std::size_t begin) const {
    const std::size_t bracket = scopes_.around(begin);
    if (bracket >= tokens_.size() || bracket + 1 > begin) return false;
    const auto is_piece = [this](std::size_t token) {
      return tokens_[token].kind == HostToken::Kind::text && is_lua_piece(tokens_[token].text.text);
    };
    const std::size_t end = values_.expression_end(begin);
    const bool has_next = scopes_.is(end, ",") && end + 1 < tokens_.size() && is_piece(end + 1) &&
                          scopes_.around(end + 1) == bracket;
    const bool has_last = begin > bracket + 2 && scopes_.is(begin - 1, ",") &&
                          is_piece(begin - 2) && scopes_.around(begin - 2) == bracket;
    return has_next || has_last;
  }

  /// A literal that is a statement of its own.
  [[nodiscard]] bool is_documentation(std::size_t begin) const {
    if (syntax_.language != HostLanguage::python) return false;
    const std::size_t end = values_.expression_end(begin);
    const bool is_statement =
        tokens_[begin].begins_line && (end >= tokens_.size() || tokens_[end].begins_line);
    const std::size_t bracket = scopes_.around(begin);
    return is_statement && bracket >= tokens_.size();
  }

  /// `is_sure`: it is a script, whether it compiles or not.
  /// `is_built`: from all statements that add to it.
  void add(std::size_t begin, const HostValue& value, bool is_sure, bool is_built = false) {
    if (index_.contains(begin)) return;
    std::string program = with_holes(value.text, " x ");
    // StackExchange.Redis puts KEYS and ARGV in the places of @name.
    const bool has_names = syntax_.language == HostLanguage::csharp;
    if (has_names) std::replace(program.begin(), program.end(), '@', ' ');
    std::string fault = fault_of(program);
    if (!fault.empty() && !is_sure) return;
    // What stands in for a part need not fit.
    if (!value.text.holes.empty()) fault.clear();
    Found found{begin, false, values_.parts(), {}};
    ExtractedScript& script = found.script;
    script.fault = std::move(fault);
    script.body = with_holes(value.text, std::nullopt);
    for (const TextHole& hole : value.text.holes) {
      script.holes.push_back({hole.place, hole.expression});
    }
    // Its first literal may be a constant's.
    const std::size_t end = std::min(values_.expression_end(begin), tokens_.size());
    const bool is_inside =
        value.place >= tokens_[begin].place && value.place <= tokens_[end - 1].place;
    script.place = is_inside ? value.place : tokens_[begin].place;
    if (script.fault.empty()) script.fault = doubt_at(begin, is_built);
    script.short_name = file_name(scopes_.name_of(begin));
    const std::string owner = scopes_.class_of(begin);
    script.name = owner.empty() || owner == script.short_name
                      ? script.short_name
                      : file_name(owner) + "." + script.short_name;
    index_.insert({begin, found_.size()});
    found_.push_back(std::move(found));
  }

  /// Constants that are only parts of other scripts; and what is no script although a part of it is
  /// one: "this failed: " + SCRIPT.
  void drop_parts() {
    std::set<std::size_t> whole;
    for (const Found& each : found_) {
      if (each.script.fault.empty()) whole.insert(each.begin);
    }
    const auto has_whole = [&whole](const Found& each) {
      return std::any_of(each.parts.begin(), each.parts.end(),
                         [&whole](std::size_t part) { return whole.contains(part); });
    };
    std::erase_if(found_, [&](const Found& each) {
      return !each.script.fault.empty() && !each.is_taken && has_whole(each);
    });
    std::set<std::size_t> parts;
    for (const Found& each : found_) parts.insert(each.parts.begin(), each.parts.end());
    std::erase_if(found_, [&parts](const Found& each) {
      return !each.is_taken && parts.contains(each.begin);
    });
  }

  // -- scripts in files --

  [[nodiscard]] bool names_file(std::size_t token) const {
    if (tokens_[token].kind != HostToken::Kind::text) return false;
    const std::string& text = tokens_[token].text.text;
    constexpr std::size_t path_bytes_max = 300;
    return text.size() > 4 && text.size() < path_bytes_max && text.ends_with(".lua") &&
           text.find_first_of(" \t\r\n") == std::string::npos;
  }

  void tell_of_file(std::size_t token) {
    result_.unresolved.push_back({tokens_[token].place, std::string(tokens_[token].spelling),
                                  tokens_[token].text.text, false});
  }

  // -- calls that take a script --

  void look_at_call(std::size_t open) {
    const std::size_t callee = scopes_.callee_of(open);
    if (callee == HostScopes::none) return;
    std::optional<ScriptCall> call = script_call(scopes_.word_at(callee));
    if (!call) return look_at_path_call(callee, open);
    const bool is_member =
        callee > 0 && (scopes_.is(callee - 1, ".") || scopes_.is(callee - 1, "->") ||
                       scopes_.is(callee - 1, "?->") || scopes_.is(callee - 1, "?.") ||
                       scopes_.is(callee - 1, "&."));
    if (call->is_method && !is_member) return;
    if (call->name == "Prepare" && !scopes_.is(callee - 2, "LuaScript")) return;
    const std::vector<HostValues::Element> arguments = values_.elements(open);
    if (arguments.size() < call->arguments_min) return;
    take(arguments, nominal(*call, arguments));
  }

  /// Rust's Script::new, Java's RedisScript.of, redis.script(:load, …).
  void look_at_path_call(std::size_t callee, std::size_t open) {
    const std::string_view name = scopes_.word_at(callee);
    const std::vector<HostValues::Element> arguments = values_.elements(open);
    if (arguments.empty() || callee < 2) return;
    const std::string_view owner = scopes_.word_at(callee - 2);
    const bool makes_script =
        (name == "new" && owner == "Script") || (name == "of" && owner == "RedisScript");
    if (makes_script) return take(arguments, 0);
    const std::string_view command = tokens_[arguments[0].begin].kind == HostToken::Kind::text
                                         ? std::string_view(tokens_[arguments[0].begin].text.text)
                                         : std::string_view();
    const bool is_eval = command == "EVAL" || command == "eval";
    if (is_eval && arguments.size() > 1) return take(arguments, 1);
    if (name == "script" && arguments.size() > 1) {
      const std::size_t word = arguments[0].begin;
      const bool loads = scopes_.word_at(arguments[0].end - 1) == "load" ||
                         (tokens_[word].kind == HostToken::Kind::text &&
                          (tokens_[word].text.text == "load" || tokens_[word].text.text == "LOAD"));
      if (loads) take(arguments, 1);
    }
  }

  /// Where the script is, as overloads have it.
  [[nodiscard]] std::size_t nominal(const ScriptCall& call,
                                    const std::vector<HostValues::Element>& arguments) const {
    const bool counts_keys = call.name == "NewScript" && arguments.size() > 1 &&
                             tokens_[arguments[0].begin].kind == HostToken::Kind::number;
    if (call.argument == 1) {
      const std::string first = values_.spelling_of(arguments[0].begin, arguments[0].end);
      const bool has_context =
          first.find("ctx") != std::string::npos || first.find("ontext") != std::string::npos;
      return has_context ? 1 : 0;
    }
    return counts_keys ? 1 : call.argument;
  }

  void take(const std::vector<HostValues::Element>& arguments, std::size_t nominal) {
    // Overloads have it elsewhere: the first that is Lua.
    for (const HostValues::Element& each : arguments) {
      const auto known = index_.find(each.begin);
      if (known == index_.end()) continue;
      found_[known->second].is_taken = true;
      return;
    }
    const HostValues::Element& argument = arguments[std::min(nominal, arguments.size() - 1)];
    const HostValue value = values_.evaluate(argument.begin, argument.end);
    if (value.has_text) {
      const bool is_elsewhere = calls_redis(value.text.text) || names_arguments(value.text.text);
      if (!is_elsewhere) return add(argument.begin, value, false);
      mark_taken(with_holes(value.text, std::nullopt));
      return;
    }
    tell_unresolved(argument);
  }

  void mark_taken(const std::string& body) {
    for (Found& each : found_) {
      if (each.script.body == body) each.is_taken = true;
    }
  }

  void tell_unresolved(const HostValues::Element& argument) {
    // A hash, a number, an object: something else of that name takes it.
    const std::size_t first = argument.begin;
    if (scopes_.word_at(first).empty() && !scopes_.is(first, "&")) return;
    if (has_script_or_file(first, argument.end)) return;
    const std::optional<std::size_t> constant = values_.constant_value(first, argument.end);
    if (constant && has_script_or_file(*constant, choice_end(*constant))) return;
    UnresolvedScript unresolved;
    unresolved.place = tokens_[first].place;
    unresolved.what = one_line(values_.spelling_of(first, argument.end));
    unresolved.is_given = is_parameter(argument);
    result_.unresolved.push_back(std::move(unresolved));
  }

  /// Behind `condition ? one : other`, `one if condition else other`.
  [[nodiscard]] std::size_t choice_end(std::size_t begin) const {
    constexpr std::array<std::string_view, 8> links = {"?",  ":",  "??",   "||",
                                                       "?:", "if", "else", "or"};
    std::size_t end = values_.expression_end(begin);
    for (int steps = 0; steps < 8 && end + 1 < tokens_.size(); ++steps) {
      const bool goes_on = std::any_of(
          links.begin(), links.end(), [&](std::string_view link) { return scopes_.is(end, link); });
      if (!goes_on) break;
      end = values_.expression_end(end + 1);
    }
    return end;
  }

  /// A script that was found, as in `NewScript("…")`, or a file's name, which is told by itself.
  [[nodiscard]] bool has_script_or_file(std::size_t begin, std::size_t end) const {
    const auto script = index_.lower_bound(begin);
    if (script != index_.end() && script->first < end) return true;
    for (std::size_t at = begin; at < end; ++at) {
      if (names_file(at)) return true;
    }
    return false;
  }

  /// Whether the first word of an argument is a parameter of a function around it, or a variable of
  /// a loop.
  [[nodiscard]] bool is_parameter(const HostValues::Element& argument) const {
    std::size_t first = argument.begin;
    while (first + 1 < argument.end && scopes_.word_at(first).empty()) ++first;
    const std::string_view word = scopes_.word_at(first);
    for (std::size_t scope = scopes_.function_of(first); scope != HostScopes::none;
         scope = scopes_.scopes()[scope].parent) {
      const std::size_t open = scopes_.scopes()[scope].parameters;
      if (open == 0) continue;
      const std::size_t close = std::min(scopes_.matching_bracket(open), tokens_.size());
      for (std::size_t at = open; at < close; ++at) {
        if (scopes_.is(at, word)) return true;
      }
    }
    constexpr std::size_t words_max = 80;
    for (std::size_t at = first; at > 1 && first - at < words_max; --at) {
      const bool is_arrow = scopes_.is(at - 1, "=>") || scopes_.is(at - 1, "->");
      if (!is_arrow) continue;
      if (scopes_.is(at - 2, word)) return true;
      if (!scopes_.is(at - 2, ")")) continue;
      const std::size_t open = scopes_.matching_bracket(at - 2);
      for (std::size_t each = open; each < at; ++each) {
        if (scopes_.is(each, word)) return true;
      }
    }
    return false;
  }

  HostTokens read_;
  const std::vector<HostToken>& tokens_;
  const HostSyntax& syntax_;
  HostScopes scopes_;
  HostValues values_;
  std::vector<Found> found_;
  std::map<std::size_t, std::size_t> index_;  // of found_, by first token
  std::set<std::pair<std::size_t, std::string>> adding_;
  Extraction result_;
};

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

Extraction extract_scripts(std::string_view source, HostLanguage language, bool is_markup) {
  if (source.starts_with(byte_order_mark)) source.remove_prefix(byte_order_mark.size());
  return Extractor(source, language, is_markup).run();
}

Extraction extract_lua(std::string_view source, std::string_view name) {
  if (source.starts_with(byte_order_mark)) source.remove_prefix(byte_order_mark.size());
  std::uint32_t line = 1;
  // Redis's own `#!lua` stays.
  if (source.starts_with("#!") && !source.starts_with("#!lua")) {
    const std::size_t end = source.find('\n');
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    ++line;
  }
  Extraction result;
  ExtractedScript script;
  script.short_name = file_name(name);
  script.name = script.short_name;
  script.place = {line, 1};
  script.body = source;
  const std::string_view code =
      source.starts_with("#!") ? source.substr(std::min(source.find('\n'), source.size())) : source;
  script.fault = fault_of(code);
  result.scripts.push_back(std::move(script));
  return result;
}

void number_names(std::vector<ExtractedScript*>& scripts) {
  std::set<std::string> taken;
  std::map<std::string, int> numbers;  // the last one that a name was given
  for (ExtractedScript* const script : scripts) {
    const std::string name = script->name;
    while (!taken.insert(script->name).second) {
      int& number = numbers.insert({name, 1}).first->second;
      script->name = name + "-" + std::to_string(++number);
    }
  }
}

}  // namespace lockstep::advice
