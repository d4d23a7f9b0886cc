#include "advice/lua_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "advice/lua_literals.h"
#include "model/redis/script_tokens.h"
#include "model/redis/script_words.h"

namespace lockstep::advice {
namespace {

using redis::ScriptToken;
using Kind = Expression::Kind;

constexpr int levels_max = 190;  // below the 200 of both Luas, which say so themselves

constexpr std::size_t variables_max = 2000;  // in scope at once; a function may have 200

struct Operator {
  std::string_view text;
  int left;
  int right;
};

/// Lua 5.4's; right above left: associates to the right.
constexpr std::array<Operator, 21> operators = {
    {{"or", 1, 1},  {"and", 2, 2}, {"<", 3, 3},   {">", 3, 3},   {"<=", 3, 3},  {">=", 3, 3},
     {"~=", 3, 3},  {"==", 3, 3},  {"|", 4, 4},   {"~", 5, 5},   {"&", 6, 6},   {"<<", 7, 7},
     {">>", 7, 7},  {"..", 9, 8},  {"+", 10, 10}, {"-", 10, 10}, {"*", 11, 11}, {"//", 11, 11},
     {"/", 11, 11}, {"%", 11, 11}, {"^", 14, 13}}};
constexpr int unary_priority = 12;

bool is_newer(std::string_view text) {
  return text == "|" || text == "~" || text == "&" || text == "<<" || text == ">>" || text == "//";
}

/// Where each line begins; lines end as Lua's lexer sees it.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '\n' && text[at] != '\r') continue;
      const bool is_pair = at + 1 < text.size() && text[at + 1] != text[at] &&
                           (text[at + 1] == '\n' || text[at + 1] == '\r');
      if (is_pair) ++at;
      starts_.push_back(at + 1);
    }
  }
  [[nodiscard]] Place place(std::size_t offset) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return {static_cast<std::uint32_t>(next - starts_.begin()),
            static_cast<std::uint32_t>(offset - *(next - 1) + 1)};
  }

 private:
  std::vector<std::size_t> starts_ = {0};
};

class Reader {
 public:
  explicit Reader(std::string_view program)
      : program_(program), lines_(program), tokens_(redis::read_program(program)) {}

  LuaTree read() {
    if (!tokens_.is_complete) {
      at_ = tokens_.list.size();
      fail("a string or comment does not end");
    }
    tree_.functions.emplace_back();
    tree_.functions[0].has_dots = true;
    Block body = block();
    if (!at_end()) fail("'<eof>' expected");
    tree_.functions[0].body = std::move(body);
    tree_.functions[0].end_variable = static_cast<VariableId>(tree_.variables.size());
    return std::move(tree_);
  }

 private:
  // -- tokens --

  [[nodiscard]] bool at_end() const { return at_ >= tokens_.list.size(); }
  [[nodiscard]] bool is_at(std::size_t index, std::string_view text) const {
    if (index >= tokens_.list.size()) return false;
    const ScriptToken& token = tokens_.list[index];
    return token.text == text &&
           (token.kind == ScriptToken::Kind::symbol || token.kind == ScriptToken::Kind::name);
  }
  [[nodiscard]] bool is(std::string_view text) const { return is_at(at_, text); }
  /// Two symbols without anything between them.
  [[nodiscard]] bool is_pair(std::string_view first, std::string_view second) const {
    return is(first) && is_at(at_ + 1, second) &&
           tokens_.list[at_].text.data() + first.size() == tokens_.list[at_ + 1].text.data();
  }
  [[nodiscard]] bool is_kind(ScriptToken::Kind kind) const {
    return !at_end() && tokens_.list[at_].kind == kind;
  }
  [[nodiscard]] bool is_string() const {
    return is_kind(ScriptToken::Kind::string) || is_kind(ScriptToken::Kind::long_string);
  }
  [[nodiscard]] bool is_name() const {
    return is_kind(ScriptToken::Kind::name) && !redis::is_keyword(tokens_.list[at_]);
  }
  bool skip(std::string_view text) {
    const bool is_here = is(text);
    if (is_here) ++at_;
    return is_here;
  }
  void expect(std::string_view text) {
    if (!skip(text)) fail("'" + std::string(text) + "' expected");
  }
  std::string_view expect_name() {
    if (!is_name()) fail("<name> expected");
    return tokens_.list[at_++].text;
  }
  [[nodiscard]] Place here() const {
    if (at_end()) return lines_.place(program_.size());
    return lines_.place(static_cast<std::size_t>(tokens_.list[at_].text.data() - program_.data()));
  }
  [[noreturn]] void fail(std::string what) const {
    what.append(" near '").append(at_end() ? "<eof>" : tokens_.list[at_].text).append("'");
    throw LuaSyntaxError{here(), std::move(what)};
  }
  void note_newer(const Place& place, std::string_view construct) {
    tree_.newer.push_back({place, std::string(construct)});
  }

  /// Counts how deeply the grammar has nested, while it lives.
  class Level {
   public:
    explicit Level(Reader& reader) : reader_(reader) {
      if (++reader.levels_ > levels_max) reader.fail("chunk has too many syntax levels");
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --reader_.levels_; }

   private:
    Reader& reader_;
  };

  // -- variables --

  VariableId declare(std::string_view name) {
    const auto variable = static_cast<VariableId>(tree_.variables.size());
    if (active_.size() >= variables_max) fail("too many local variables");
    tree_.variables.emplace_back(name);
    active_.push_back(variable);
    return variable;
  }
  [[nodiscard]] std::optional<VariableId> resolve(std::string_view name) const {
    for (auto each = active_.rbegin(); each != active_.rend(); ++each) {
      if (tree_.variables[*each] == name) return *each;
    }
    return std::nullopt;
  }

  // -- nodes --

  ExpressionId add(Expression expression) {
    for (const ExpressionId part : expression.parts) {
      expression.depth = std::max(expression.depth, tree_.expressions[part].depth + 1);
    }
    for (const auto& key : expression.keys) {
      if (key) expression.depth = std::max(expression.depth, tree_.expressions[*key].depth + 1);
    }
    tree_.expressions.push_back(std::move(expression));
    return static_cast<ExpressionId>(tree_.expressions.size() - 1);
  }
  ExpressionId add(Kind kind, const Place& place, std::string text = {},
                   std::vector<ExpressionId> parts = {}) {
    Expression expression;
    expression.kind = kind;
    expression.place = place;
    expression.text = std::move(text);
    expression.parts = std::move(parts);
    return add(std::move(expression));
  }
  StatementId add(Statement statement) {
    tree_.statements.push_back(std::move(statement));
    return static_cast<StatementId>(tree_.statements.size() - 1);
  }

  // -- statements --

  [[nodiscard]] bool ends_block() const {
    return at_end() || is("end") || is("else") || is("elseif") || is("until");
  }

  /// Statements up to the end of a block; what they declare goes out of scope.
  Block block() {
    const std::size_t mark = active_.size();
    Block statements = open_block();
    active_.resize(mark);
    return statements;
  }

  Block open_block() {
    const Level level(*this);
    Block statements;
    while (!ends_block()) {
      if (skip(";")) continue;
      const bool is_last = is("return");
      statement(statements);
      if (is_last) break;
    }
    return statements;
  }

  void statement(Block& statements) {
    Statement result;
    result.place = here();
    if (is("if")) {
      branches(result);
    } else if (skip("while")) {
      result.kind = Statement::Kind::while_loop;
      result.values = {expression()};
      result.blocks = {do_block()};
    } else if (skip("do")) {
      result.blocks = {block()};
      expect("end");
    } else if (skip("for")) {
      loop(result);
    } else if (skip("repeat")) {
      repeated(result);
    } else if (skip("function")) {
      named_function(result);
    } else if (skip("local")) {
      local(result);
    } else if (skip("return")) {
      result.kind = Statement::Kind::results;
      if (!ends_block() && !is(";")) result.values = expressions();
      skip(";");
      if (!ends_block()) fail("'<eof>' expected");
    } else if (skip("break")) {
      result.kind = Statement::Kind::leave;
    } else if (!jump(result)) {
      call_or_assignment(result);
    }
    statements.push_back(add(std::move(result)));
  }

  /// `goto name` and `::name::`; a mere name "goto" is one of 5.1's.
  bool jump(Statement& result) {
    if (is("goto") && at_ + 1 < tokens_.list.size() &&
        tokens_.list[at_ + 1].kind == ScriptToken::Kind::name) {
      note_newer(here(), "goto");
      at_ += 2;
    } else if (is_pair(":", ":")) {
      note_newer(here(), "::");
      at_ += 2;
      expect_name();
      if (!is_pair(":", ":")) fail("'::' expected");
      at_ += 2;
    } else {
      return false;
    }
    result.kind = Statement::Kind::jump;
    return true;
  }

  Block do_block() {
    expect("do");
    Block statements = block();
    expect("end");
    return statements;
  }

  void branches(Statement& result) {
    result.kind = Statement::Kind::branches;
    do {
      ++at_;  // if or elseif
      result.values.push_back(expression());
      expect("then");
      result.blocks.push_back(block());
    } while (is("elseif"));
    if (skip("else")) result.blocks.push_back(block());
    expect("end");
  }

  void repeated(Statement& result) {
    result.kind = Statement::Kind::repeat_loop;
    const std::size_t mark = active_.size();
    result.blocks = {open_block()};
    expect("until");
    result.values = {expression()};  // sees the block's variables
    active_.resize(mark);
  }

  void loop(Statement& result) {
    std::vector<std::string_view> names = {expect_name()};
    const std::size_t mark = active_.size();
    if (skip("=")) {
      result.kind = Statement::Kind::count_loop;
      result.values = expressions();
      if (result.values.size() < 2 || result.values.size() > 3) fail("',' expected");
    } else {
      result.kind = Statement::Kind::list_loop;
      while (skip(",")) names.push_back(expect_name());
      expect("in");
      result.values = expressions();
    }
    for (const std::string_view name : names) result.variables.push_back(declare(name));
    result.blocks = {do_block()};
    active_.resize(mark);
  }

  void named_function(Statement& result) {
    result.kind = Statement::Kind::assignment;
    ExpressionId target = name();
    bool has_self = false;
    while (!has_self && (is(".") || is(":"))) {
      has_self = is(":");
      ++at_;
      target = index(target, text_key());
    }
    result.targets = {target};
    result.values = {function(result.place, has_self)};
  }

  void local(Statement& result) {
    if (skip("function")) {
      result.kind = Statement::Kind::local_function;
      result.variables = {declare(expect_name())};
      result.values = {function(result.place, false)};
      return;
    }
    result.kind = Statement::Kind::local;
    std::vector<std::string_view> names;
    do {
      names.push_back(expect_name());
      attribute();
    } while (skip(","));
    if (skip("=")) result.values = expressions();
    for (const std::string_view name : names) result.variables.push_back(declare(name));
  }

  void attribute() {
    if (!is("<")) return;
    const Place place = here();
    ++at_;
    note_newer(place, "<" + std::string(expect_name()) + ">");
    expect(">");
  }

  void call_or_assignment(Statement& result) {
    const ExpressionId first = primary();
    if (!is("=") && !is(",")) {
      const Kind kind = tree_.expressions[first].kind;
      if (kind != Kind::call && kind != Kind::method) fail("syntax error");
      result.kind = Statement::Kind::call;
      result.values = {first};
      return;
    }
    result.kind = Statement::Kind::assignment;
    result.targets = {first};
    while (skip(",")) result.targets.push_back(primary());
    for (const ExpressionId target : result.targets) {
      const Kind kind = tree_.expressions[target].kind;
      if (kind != Kind::name && kind != Kind::index) fail("syntax error");
    }
    expect("=");
    result.values = expressions();
  }

  // -- expressions --

  std::vector<ExpressionId> expressions() {
    std::vector<ExpressionId> list;
    do {
      list.push_back(expression());
    } while (skip(","));
    return list;
  }

  ExpressionId expression() { return operation(0); }

  /// The operator here, and how many tokens it has.
  [[nodiscard]] std::pair<const Operator*, std::size_t> operator_here() const {
    for (const Operator& each : operators) {
      const std::string_view text = each.text;
      if (text == "<<" || text == ">>" || text == "//") {
        if (is_pair(text.substr(0, 1), text.substr(1))) return {&each, 2};
      } else if (is(text) && !is_pair("<", "<") && !is_pair(">", ">") && !is_pair("/", "/")) {
        return {&each, 1};
      }
    }
    return {nullptr, 0};
  }

  ExpressionId operation(int limit) {
    const Level level(*this);
    ExpressionId left = unary();
    for (;;) {
      const auto [each, length] = operator_here();
      if (each == nullptr || each->left <= limit) return left;
      const Place place = here();
      if (is_newer(each->text)) note_newer(place, each->text);
      at_ += length;
      const ExpressionId right = operation(each->right);
      left = add(Kind::binary, place, std::string(each->text), {left, right});
    }
  }

  ExpressionId unary() {
    for (const std::string_view text : {"not", "-", "#", "~"}) {
      if (!is(text)) continue;
      const Place place = here();
      if (text == "~") note_newer(place, text);
      ++at_;
      const ExpressionId inner = operation(unary_priority);
      return add(Kind::unary, place, std::string(text), {inner});
    }
    return simple();
  }

  ExpressionId simple() {
    const Place place = here();
    if (is("{")) return table();
    if (skip("function")) return function(place, false);
    if (skip("nil")) return add(Kind::nil, place);
    if (skip("true")) return add(Kind::truth, place);
    if (skip("false")) return add(Kind::falsehood, place);
    if (skip("...")) return add(Kind::dots, place);
    if (is_kind(ScriptToken::Kind::number)) {
      return add(Kind::number, place, std::string(tokens_.list[at_++].text));
    }
    if (is_string()) return text();
    return primary();
  }

  ExpressionId text() {
    const Place place = here();
    return add(Kind::text, place, string_value(tokens_.list[at_++]));
  }

  ExpressionId text_key() {
    const Place place = here();
    return add(Kind::text, place, std::string(expect_name()));
  }

  ExpressionId name() {
    Expression result;
    result.kind = Kind::name;
    result.place = here();
    result.text = expect_name();
    result.variable = resolve(result.text);
    return add(std::move(result));
  }

  ExpressionId index(ExpressionId table, ExpressionId key) {
    return add(Kind::index, tree_.expressions[table].place, {}, {table, key});
  }

  ExpressionId primary() {
    ExpressionId target = 0;
    if (is("(")) {
      const Place place = here();
      ++at_;
      const ExpressionId inner = expression();
      expect(")");
      target = add(Kind::group, place, {}, {inner});
    } else {
      if (!is_name()) fail("unexpected symbol");
      target = name();
    }
    for (;;) {
      if (skip(".")) {
        target = index(target, text_key());
      } else if (skip("[")) {
        const ExpressionId key = expression();
        expect("]");
        target = index(target, key);
      } else if (is(":") && !is_pair(":", ":")) {
        ++at_;
        const std::string method(expect_name());
        target = call(Kind::method, target, method);
      } else if (is("(") || is("{") || is_string()) {
        target = call(Kind::call, target, {});
      } else {
        return target;
      }
    }
  }

  ExpressionId call(Kind kind, ExpressionId callee, std::string method) {
    std::vector<ExpressionId> parts = {callee};
    if (is("{")) {
      parts.push_back(table());
    } else if (is_string()) {
      parts.push_back(text());
    } else {
      expect("(");
      if (!is(")")) {
        for (const ExpressionId argument : expressions()) parts.push_back(argument);
      }
      expect(")");
    }
    return add(kind, tree_.expressions[callee].place, std::move(method), std::move(parts));
  }

  ExpressionId table() {
    const Level level(*this);
    Expression result;
    result.kind = Kind::table;
    result.place = here();
    expect("{");
    while (!is("}")) {
      std::optional<ExpressionId> key;
      if (skip("[")) {
        key = expression();
        expect("]");
        expect("=");
      } else if (is_name() && is_at(at_ + 1, "=")) {
        key = text_key();
        expect("=");
      }
      result.keys.push_back(key);
      result.parts.push_back(expression());
      if (!skip(",") && !skip(";")) break;
    }
    expect("}");
    return add(std::move(result));
  }

  /// A function from its parameters to its `end`.
  ExpressionId function(const Place& place, bool has_self) {
    const Level level(*this);
    const std::size_t mark = active_.size();
    const auto id = static_cast<FunctionId>(tree_.functions.size());
    tree_.functions.emplace_back();
    Function made;
    made.place = place;
    made.first_variable = static_cast<VariableId>(tree_.variables.size());
    if (has_self) made.parameters.push_back(declare("self"));
    expect("(");
    if (!is(")")) {
      do {
        if (skip("...")) {
          made.has_dots = true;
          break;
        }
        made.parameters.push_back(declare(expect_name()));
      } while (skip(","));
    }
    expect(")");
    made.body = block();
    expect("end");
    made.end_variable = static_cast<VariableId>(tree_.variables.size());
    active_.resize(mark);
    tree_.functions[id] = std::move(made);
    Expression result;
    result.kind = Kind::function;
    result.place = place;
    result.function = id;
    return add(std::move(result));
  }

  std::string_view program_;
  Lines lines_;
  redis::ScriptTokens tokens_;
  std::size_t at_ = 0;
  int levels_ = 0;
  std::vector<VariableId> active_;
  LuaTree tree_;
};

}  // namespace

std::variant<LuaTree, LuaSyntaxError> read_lua(std::string_view program) {
  try {
    return Reader(program).read();
  } catch (LuaSyntaxError& error) {
    return std::move(error);
  }
}

Place place_of(std::string_view text, std::size_t offset) { return Lines(text).place(offset); }

}  // namespace lockstep::advice
