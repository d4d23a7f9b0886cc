#include "tests/scripts/script_server.h"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "redis/values/sorted_set_value.h"
#include "tests/support/script_folder.h"

namespace lockstep::test {
namespace {

std::string read_script(const std::string& lock, std::string_view script) {
  const auto path = support::script_folder() / lock / (std::string(script) + ".lua");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("can't read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string describe_value(const std::string& value) { return '"' + value + '"'; }

std::string describe_value(const redis::HashValue& value) {
  std::string text = "{";
  for (const auto& [field, count] : value.fields()) {
    if (text.size() > 1) text += ' ';
    text += field + '=' + count;
  }
  return text + '}';
}

std::string describe_value(const redis::ListValue& value) {
  std::string text = "[";
  for (std::size_t i = 0; i < value.size(); ++i) text.append(i == 0 ? "" : " ").append(value[i]);
  return text + ']';
}

/// Scores of these tests are whole.
std::string describe_value(const redis::SortedSetValue& value) {
  std::string text = "<";
  value.visit(0, value.size(), redis::Direction::forward, [&](const auto& item) {
    if (text.size() > 1) text += ' ';
    text.append(item.member).append(1, ':');
    text += std::to_string(static_cast<std::int64_t>(item.score));
  });
  return text + '>';
}

/// No lock of these tests keeps sets.
std::string describe_value(const redis::SetValue& value) {
  return "(" + std::to_string(value.size()) + " elements)";
}

}  // namespace

ScriptServer::ScriptServer(std::string lock, std::string_view channels)
    : lock_(std::move(lock)), listener_(server_.open()) {
  static_cast<void>(server_.run_in(listener_, "SUBSCRIBE " + std::string(channels)));
  static_cast<void>(server_.take_push_replies(listener_));  // the confirmations
}

std::string ScriptServer::run(std::string_view script, const std::vector<std::string>& keys,
                              const std::vector<std::string>& arguments) {
  const std::string body = read_script(lock_, script);
  const std::string key_count = std::to_string(keys.size());
  std::vector<std::string_view> words = {"EVAL", body, key_count};
  words.insert(words.end(), keys.begin(), keys.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return describe(server_.run_in(redis::test::SimulatedServer::first, words));
}

std::string ScriptServer::data() {
  const std::int64_t now_ms = server_.now_us() / 1000;
  std::string text;
  for (const auto& [key, entry] : server_.server().keyspace().entries()) {
    if (entry.expired_at(now_ms)) continue;
    if (!text.empty()) text += ", ";
    text += key + ' ';
    text += std::visit([](const auto& value) { return describe_value(value); }, entry.value);
    text += entry.expire_at_ms ? ' ' + std::to_string(*entry.expire_at_ms - now_ms) + "ms" : " -";
  }
  return text;
}

std::string ScriptServer::messages() {
  std::string text;
  for (const redis::Reply& push : server_.take_push_replies(listener_)) {
    if (!text.empty()) text += ' ';
    text += push.elements.back().text;
  }
  return text;
}

std::string ScriptServer::published() {
  std::string text;
  for (const redis::Reply& push : server_.take_push_replies(listener_)) {
    if (!text.empty()) text += ", ";
    text += push.elements[1].text + ' ' + push.elements.back().text;
  }
  return text;
}

}  // namespace lockstep::test
