#include "search/conform/requests.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "model/trace_vocabulary.h"

namespace lockstep::search {
namespace {

/// The commands with which a library asks what server it is connected to.
constexpr std::array<std::string_view, 13> handshakes = {
    "hello", "client",  "select", "auth",    "info",     "ping", "script",
    "role",  "command", "config", "cluster", "readonly", "quit"};
constexpr std::size_t token_bytes_min = 12;

bool is_of(const model::RecordedTrace& trace, const model::RecordedEvent& event,
           std::string_view client) {
  const std::string_view actor = trace.actors[static_cast<std::size_t>(event.actor)].name;
  const std::string_view by =
      event.kind == model::trace_kind::command_executed ? event.text("on_behalf_of") : actor;
  return by.starts_with(client) && by.substr(client.size()).starts_with('/');
}

bool is_script(const model::RecordedEvent& event) {
  const std::string_view command = event.text("command");
  return command.size() >= 4 && (command.starts_with("EVAL") || command.starts_with("eval"));
}

std::string symbolic(const std::string& word) {
  const bool is_token =
      word.size() >= token_bytes_min && word.find_first_not_of(
                                            "0123456789abcdefghijklmnopqrstuvwxyz"
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ:-") == word.npos;
  return is_token ? "<token>" : word;
}

/// The options of SET have no order.
void sort_options(std::vector<std::string>& words) {
  constexpr std::size_t first_option = 2;
  std::vector<std::string> options;
  for (std::size_t i = first_option; i < words.size(); ++i) {
    std::transform(words[i].begin(), words[i].end(), words[i].begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    const bool has_value =
        (words[i] == "PX" || words[i] == "EX" || words[i] == "PXAT") && i + 1 < words.size();
    options.push_back(has_value ? words[i] + " " + words[i + 1] : words[i]);
    if (has_value) ++i;
  }
  std::sort(options.begin(), options.end());
  words.resize(std::min(words.size(), first_option));
  words.insert(words.end(), options.begin(), options.end());
}

std::string text_of(const model::RecordedEvent& event, std::string_view lock_name) {
  const std::string label(event.text("label"));
  const std::string_view arguments = event.text("arguments");
  if (is_script(event)) {
    const bool names_lock = arguments.find(lock_name) != arguments.npos;
    return "script " + label + (names_lock ? " " + std::string(lock_name) : "");
  }
  std::istringstream stream{std::string(arguments)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(symbolic(word));
  if (label == "set") sort_options(words);
  std::string text = label;
  for (const std::string& word : words) text += " " + word;
  return text;
}

}  // namespace

std::vector<SentRequest> requests_of(const model::RecordedTrace& trace, std::string_view client,
                                     std::string_view lock_name) {
  std::vector<SentRequest> requests;
  for (const model::RecordedEvent& event : trace.events) {
    if (event.kind != model::trace_kind::command_executed || !is_of(trace, event, client)) continue;
    const std::string_view label = event.text("label");
    if (std::find(handshakes.begin(), handshakes.end(), label) != handshakes.end()) continue;
    if (event.text("reply").starts_with("error: NOSCRIPT")) continue;
    std::string text = text_of(event, lock_name);
    if (!requests.empty() && requests.back().text == text) {
      ++requests.back().count;
    } else {
      requests.push_back({std::move(text), 1, event.at});
    }
  }
  return requests;
}

std::vector<sim::TimeNs> grants_of(const model::RecordedTrace& trace, std::string_view client) {
  std::vector<sim::TimeNs> grants;
  for (const model::RecordedEvent& event : trace.events) {
    if (event.kind == model::trace_kind::belief_began && is_of(trace, event, client)) {
      grants.push_back(event.at);
    }
  }
  return grants;
}

}  // namespace lockstep::search
