// Strings, hashes and expiry against a model that is as plain as can be: a map of maps and moments.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "redis/protocol/reply.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

/// A string is a hash with one field without a name here; nothing else tells them apart.
struct ModelValue {
  bool is_hash = false;
  std::map<std::string, std::int64_t> fields;
  std::optional<std::int64_t> expires_ms;
};

class Model {
 public:
  std::int64_t now_ms = SimulatedServer::start_ms;

  std::string set(const std::string& key, std::int64_t number, std::optional<std::int64_t> px) {
    values_[key] = {false, {{"", number}}, std::nullopt};
    if (px) values_[key].expires_ms = now_ms + *px;
    return "OK";
  }
  std::string get(const std::string& key) {
    const ModelValue* value = find(key);
    if (value == nullptr) return "(nil)";
    if (value->is_hash) return "wrong type";
    return '"' + std::to_string(value->fields.at("")) + '"';
  }
  std::string add(const std::string& key, const std::string& field, bool is_hash,
                  std::int64_t number) {
    ModelValue* value = find(key);
    if (value == nullptr) {
      value = &values_[key];
      value->is_hash = is_hash;
    }
    if (value->is_hash != is_hash) return "wrong type";
    return integer(value->fields[field] += number);
  }
  std::string erase_field(const std::string& key, const std::string& field) {
    ModelValue* value = find(key);
    if (value == nullptr) return integer(0);
    if (!value->is_hash) return "wrong type";
    const std::size_t erased = value->fields.erase(field);
    if (value->fields.empty()) values_.erase(key);
    return integer(static_cast<std::int64_t>(erased));
  }
  std::string erase(const std::string& key) {
    const bool is_there = find(key) != nullptr;
    values_.erase(key);
    return integer(is_there ? 1 : 0);
  }
  std::string expire(const std::string& key, std::int64_t ms) {
    ModelValue* value = find(key);
    if (value == nullptr) return integer(0);
    value->expires_ms = now_ms + ms;
    if (ms <= 0) values_.erase(key);
    return integer(1);
  }
  std::string time_left(const std::string& key) {
    const ModelValue* value = find(key);
    if (value == nullptr) return integer(-2);
    return integer(value->expires_ms ? *value->expires_ms - now_ms : -1);
  }

 private:
  static std::string integer(std::int64_t number) { return "(integer) " + std::to_string(number); }

  ModelValue* find(const std::string& key) {
    const auto found = values_.find(key);
    if (found == values_.end()) return nullptr;
    if (!found->second.expires_ms || now_ms <= *found->second.expires_ms) return &found->second;
    values_.erase(found);
    return nullptr;
  }

  std::map<std::string, ModelValue> values_;
};

struct Draw {
  std::string key = *rc::gen::element<std::string>("a", "b", "c");
  std::string field = *rc::gen::element<std::string>("f", "g");
  std::int64_t number = *rc::gen::inRange<std::int64_t>(-3, 4);
  std::int64_t ms = *rc::gen::element<std::int64_t>(1, 2, 3, 5, 0, -1);
  std::int64_t advance_ms = *rc::gen::element<std::int64_t>(0, 0, 1, 2);
};

std::string answer(const Reply& reply) {
  return reply.text.substr(0, 9) == "WRONGTYPE" ? "wrong type" : describe(reply);
}

RC_GTEST_PROP(ModelTest, TheServerAnswersAsThePlainestModelDoes, ()) {
  SimulatedServer server;
  Model model;
  const auto length = *rc::gen::inRange(0, 60);
  for (int i = 0; i < length; ++i) {
    const Draw draw;
    const std::string number = std::to_string(draw.number);
    const std::string ms = std::to_string(draw.ms);
    const std::string positive_ms = std::to_string(draw.ms + 2);
    server.advance_ms(draw.advance_ms);
    model.now_ms += draw.advance_ms;
    const auto expect = [](const Reply& real, const std::string& expected) {
      RC_ASSERT(answer(real) == expected);
    };
    switch (*rc::gen::inRange(0, 9)) {
      case 0:
        expect(server.run({"SET", draw.key, number}), model.set(draw.key, draw.number, {}));
        break;
      case 1:
        expect(server.run({"SET", draw.key, number, "PX", positive_ms}),
               model.set(draw.key, draw.number, draw.ms + 2));
        break;
      case 2:
        expect(server.run({"GET", draw.key}), model.get(draw.key));
        break;
      case 3:
        expect(server.run({"INCRBY", draw.key, number}),
               model.add(draw.key, "", false, draw.number));
        break;
      case 4:
        expect(server.run({"HINCRBY", draw.key, draw.field, number}),
               model.add(draw.key, draw.field, true, draw.number));
        break;
      case 5:
        expect(server.run({"HDEL", draw.key, draw.field}), model.erase_field(draw.key, draw.field));
        break;
      case 6:
        expect(server.run({"DEL", draw.key}), model.erase(draw.key));
        break;
      case 7:
        expect(server.run({"PEXPIRE", draw.key, ms}), model.expire(draw.key, draw.ms));
        break;
      default:
        expect(server.run({"PTTL", draw.key}), model.time_left(draw.key));
        break;
    }
  }
}

}  // namespace
}  // namespace lockstep::redis::test
