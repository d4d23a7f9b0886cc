#include "advice/values.h"

#include <algorithm>
#include <utility>

#include "advice/reply_facts.h"
#include "lua/source/literals.h"

namespace lockstep::advice {
namespace {

/// A symbol longer than this is of no use; it becomes unknown.
constexpr std::size_t symbol_bytes_max = 400;

void inherit(Value& value, const Value& part) {
  value.from_keys = value.from_keys || part.from_keys;
  value.from_reply = value.from_reply || part.from_reply;
  value.from_arguments = value.from_arguments || part.from_arguments;
  for (const std::string& key : part.read_from) {
    const auto end = value.read_from.end();
    if (std::find(value.read_from.begin(), end, key) == end) value.read_from.push_back(key);
  }
}

std::string in_single_quotes(std::string_view text) {
  return std::string("'").append(text).append("'");
}

std::string_view mirrored(std::string_view operator_text) {
  if (operator_text == "<") return ">";
  if (operator_text == "<=") return ">=";
  if (operator_text == ">") return "<";
  if (operator_text == ">=") return "<=";
  return operator_text;
}

void swap_facts(Value& value) { std::swap(value.when_true, value.when_false); }

/// Both are certain and comparable.
bool is_certain(const Value& value) {
  return value.kind == Value::Kind::literal || value.kind == Value::Kind::nil ||
         value.kind == Value::Kind::boolean;
}

double number_from(std::string_view spelling) {
  const bool is_negative = spelling.starts_with('-');
  if (is_negative) spelling.remove_prefix(1);
  const double number = lua::read_number_literal(spelling).value;
  return is_negative ? -number : number;
}

void add_facts(Value& result, ComparisonFacts facts) {
  result.when_true = std::move(facts.when_true);
  result.when_false = std::move(facts.when_false);
}

void add_facts_of_number(Value& result, const Value& reply, std::string_view operator_text,
                         const Value& number) {
  add_facts(result, compare_with_number(*reply.reply, operator_text, number_from(number.text)));
}

/// What was read from a key equals what the caller passed: the caller is who the key shows.
void add_facts_of_equality(Value& result, const Value& left, const Value& right) {
  for (const auto& [read, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
    for (const std::string& key : read->read_from) {
      if (other->kind != Value::Kind::nil && other->kind != Value::Kind::boolean) {
        result.when_true.push_back({Fact::Kind::exists, key});
      }
      if (other->from_arguments || other->from_keys)
        result.when_true.push_back({Fact::Kind::compared, key});
    }
  }
}

}  // namespace

Values::Values() {
  Value nil;
  nil.kind = Value::Kind::nil;
  nil.symbol = "nil";
  nil.truth = false;
  nil_ = intern(std::move(nil));
  for (const bool truth : {false, true}) {
    Value boolean;
    boolean.kind = Value::Kind::boolean;
    boolean.symbol = truth ? "true" : "false";
    boolean.text = boolean.symbol;
    boolean.truth = truth;
    (truth ? true_ : false_) = intern(std::move(boolean));
  }
}

ValueNumber Values::intern(Value value) {
  if (value.symbol.size() > symbol_bytes_max) {
    value.symbol.resize(symbol_bytes_max);
    value.symbol += "…" + std::to_string(values_.size());
    value.text = "?";
    if (value.kind == Value::Kind::literal) value.kind = Value::Kind::unknown;
  }
  const auto next = static_cast<ValueNumber>(values_.size());
  const auto [known, is_new] = numbers_.insert({value.symbol, next});
  if (is_new) values_.push_back(std::move(value));
  return known->second;
}

ValueNumber Values::text(std::string_view text) {
  Value value;
  value.kind = Value::Kind::literal;
  value.symbol = in_single_quotes(text);
  value.text = text;
  value.truth = true;
  return intern(std::move(value));
}

ValueNumber Values::number(std::string_view spelling) {
  Value value;
  value.kind = Value::Kind::literal;
  value.symbol = spelling;
  value.text = spelling;
  value.truth = true;
  value.is_number = true;
  return intern(std::move(value));
}

ValueNumber Values::function(lua::FunctionId function) {
  Value value;
  value.kind = Value::Kind::function;
  value.symbol = "function " + std::to_string(function);
  value.truth = true;
  value.function = function;
  return intern(std::move(value));
}

ValueNumber Values::table(std::vector<ValueNumber> items,
                          std::map<std::string, ValueNumber> fields) {
  Value value;
  value.kind = Value::Kind::table;
  value.truth = true;
  value.symbol = "{";
  for (const ValueNumber item : items) value.symbol += std::to_string(item) + ",";
  for (const auto& [name, field] : fields) {
    value.symbol += in_single_quotes(name).append("=") + std::to_string(field) + ",";
  }
  value.symbol += "}";
  for (const ValueNumber item : items) inherit(value, values_[item]);
  value.text = "?";
  value.items = std::move(items);
  value.fields = std::move(fields);
  return intern(std::move(value));
}

ValueNumber Values::global(std::string_view path) {
  Value value;
  value.kind = Value::Kind::global;
  value.symbol = path;
  value.text = "?";
  return intern(std::move(value));
}

ValueNumber Values::made_from(std::string_view symbol, const std::vector<ValueNumber>& parts) {
  Value value;
  value.symbol = symbol;
  value.text = "?";
  for (const ValueNumber part : parts) inherit(value, values_[part]);
  return intern(std::move(value));
}

ValueNumber Values::negation(ValueNumber operand) {
  if (const std::optional<bool> truth = values_[operand].truth) return boolean(!*truth);
  Value value;
  value.symbol = "not " + values_[operand].symbol;
  value.text = "?";
  value.negates = operand;
  return intern(std::move(value));
}

ValueNumber Values::concatenation(ValueNumber left, ValueNumber right) {
  const Value& one = values_[left];
  const Value& other = values_[right];
  const bool are_literals = one.kind == Value::Kind::literal && other.kind == Value::Kind::literal;
  if (are_literals) return text(one.text + other.text);
  Value value;
  value.symbol = one.symbol + " .. " + other.symbol;
  value.text = (one.text.empty() ? "?" : one.text) + (other.text.empty() ? "?" : other.text);
  value.truth = true;
  inherit(value, one);
  inherit(value, other);
  return intern(std::move(value));
}

ValueNumber Values::comparison(std::string_view operator_text, ValueNumber left,
                               ValueNumber right) {
  const Value& one = values_[left];
  const Value& other = values_[right];
  const bool is_equality = operator_text == "==" || operator_text == "~=";
  if (is_equality && is_certain(one) && is_certain(other)) {
    return boolean((one.symbol == other.symbol) == (operator_text == "=="));
  }
  Value value;
  value.symbol = std::string("(").append(one.symbol).append(" ").append(operator_text).append(" ");
  value.symbol.append(other.symbol).append(")");
  value.text = "?";
  inherit(value, one);
  inherit(value, other);
  value.read_from.clear();
  if (one.reply && other.is_number) {
    add_facts_of_number(value, one, operator_text, other);
  } else if (other.reply && one.is_number) {
    add_facts_of_number(value, other, mirrored(operator_text), one);
  } else if (!is_equality && one.reply && other.from_arguments) {
    add_facts(value, compare_with_lease(*one.reply, operator_text));
  } else if (!is_equality && other.reply && one.from_arguments) {
    add_facts(value, compare_with_lease(*other.reply, mirrored(operator_text)));
  } else if (is_equality) {
    for (const auto& [subject, word] : {std::pair(&one, &other), std::pair(&other, &one)}) {
      if (word->kind != Value::Kind::nil && word->symbol != "false") continue;
      if (subject->reply) {
        ComparisonFacts facts = take_as_condition(*subject->reply);
        value.when_true = std::move(facts.when_false);
        value.when_false = std::move(facts.when_true);
      } else {
        value.when_true = subject->when_false;
        value.when_false = subject->when_true;
      }
    }
    if (value.when_true.empty() && value.when_false.empty()) {
      add_facts_of_equality(value, one, other);
    }
    if (operator_text == "~=") swap_facts(value);
  }
  return intern(std::move(value));
}

}  // namespace lockstep::advice
