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
/// Nobody counts a few polls more or less.
constexpr std::uint64_t free_polls = 3;
/// Sooner than any story's client lets go of what it has.
constexpr sim::DurationNs at_once_ns = 20 * sim::millisecond_ns;

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

/// "set orders" of "set orders <token> NX PX 10000": whoever asks for the lock begins so.
std::string_view words_of_asking(std::string_view text) {
  const std::size_t first = text.find(' ');
  return first == text.npos ? text : text.substr(0, text.find(' ', first + 1));
}

std::string symbolic(const std::string& word) {
  const bool is_token =
      word.size() >= token_bytes_min && word.find_first_not_of(
                                            "0123456789abcdefghijklmnopqrstuvwxyz"
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ:-_+/=") == word.npos;
  return is_token ? "<token>" : word;
}

std::string in_upper_case(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return word;
}

/// The options of SET have no order.
void sort_options(std::vector<std::string>& words) {
  constexpr std::size_t first_option = 2;
  std::vector<std::string> options;
  for (std::size_t i = first_option; i < words.size(); ++i) {
    std::string option = in_upper_case(words[i]);
    const bool has_value =
        (option == "PX" || option == "EX" || option == "PXAT") && i + 1 < words.size();
    if (has_value) option += " " + words[++i];
    options.push_back(std::move(option));
  }
  std::sort(options.begin(), options.end());
  words.resize(std::min(words.size(), first_option));
  words.insert(words.end(), options.begin(), options.end());
}

std::string text_of(const ExecutedRequest& request, std::string_view lock_name) {
  if (request.is_script) {
    const bool names_lock =
        std::any_of(request.arguments.begin(), request.arguments.end(),
                    [&](const std::string& word) { return word.find(lock_name) != word.npos; });
    return "script " + request.label + (names_lock ? " " + std::string(lock_name) : "");
  }
  std::vector<std::string> words;
  for (const std::string& word : request.arguments) {
    words.push_back(word == lock_name ? word : symbolic(word));
  }
  if (request.label == "set") sort_options(words);
  std::string text = request.label;
  for (const std::string& word : words) text += " " + word;
  return text;
}

bool is_handshake(std::string_view label) {
  return std::find(handshakes.begin(), handshakes.end(), label) != handshakes.end();
}

void add(std::vector<SentRequest>& requests, std::string text, sim::TimeNs at_ns) {
  if (!requests.empty() && requests.back().text == text) {
    ++requests.back().count;
    requests.back().last_at_ns = at_ns;
  } else {
    requests.push_back({std::move(text), 1, at_ns, at_ns});
  }
}

/// Attempts of a waiter that gives back at once what it was given: the two requests become one.
std::vector<SentRequest> with_polls(const std::vector<SentRequest>& requests) {
  std::vector<SentRequest> folded;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const bool is_poll = i + 1 < requests.size() && requests[i].count == 1 &&
                         requests[i + 1].count == 1 &&
                         requests[i + 1].first_at_ns - requests[i].first_at_ns < at_once_ns &&
                         requests[i].text.starts_with(words_of_asking(requests.front().text));
    if (!is_poll) {
      folded.push_back(requests[i]);
      continue;
    }
    add(folded, requests[i].text + ", " + requests[i + 1].text, requests[i].first_at_ns);
    folded.back().is_poll = true;
    ++i;
  }
  return folded;
}

bool is_alike(std::uint64_t one, std::uint64_t other) {
  const auto [least, most] = std::minmax(one, other);
  return most <= least + least / 2 + free_polls;
}

std::optional<SentRequest> at(const std::vector<SentRequest>& requests, std::size_t index) {
  return index < requests.size() ? std::optional(requests[index]) : std::nullopt;
}

/// A few attempts more or less, of a waiter, are nobody's difference.
bool may_lack(const std::vector<SentRequest>& requests, std::size_t index) {
  return index < requests.size() && requests[index].is_poll && requests[index].count <= free_polls;
}

std::optional<RequestDifference> first_difference_of_server(const std::string& server,
                                                            const std::vector<SentRequest>& model,
                                                            const std::vector<SentRequest>& real,
                                                            std::uint64_t& equal) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < model.size() || j < real.size()) {
    const bool is_same = i < model.size() && j < real.size() && model[i].text == real[j].text &&
                         is_alike(model[i].count, real[j].count);
    if (is_same) {
      ++equal;
      ++i;
      ++j;
    } else if (may_lack(model, i)) {
      ++i;
    } else if (may_lack(real, j)) {
      ++j;
    } else {
      return RequestDifference{server, i + 1, at(model, i), at(real, j)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<ExecutedRequest> executed_in(const model::RecordedTrace& trace,
                                         std::string_view client) {
  std::vector<ExecutedRequest> executed;
  for (const model::RecordedEvent& event : trace.events) {
    if (event.kind != model::trace_kind::command_executed || !is_of(trace, event, client)) continue;
    if (event.text("reply").starts_with("error: NOSCRIPT")) continue;
    ExecutedRequest request;
    request.server = trace.actors[static_cast<std::size_t>(event.actor)].name;
    request.at_ns = event.at;
    request.label = event.text("label");
    request.is_script = is_script(event);
    std::istringstream arguments{std::string(event.text("arguments"))};
    for (std::string word; arguments >> word;) request.arguments.push_back(std::move(word));
    executed.push_back(std::move(request));
  }
  return executed;
}

SentRequests fold(const std::vector<ExecutedRequest>& executed, std::string_view lock_name) {
  SentRequests by_server;
  for (const ExecutedRequest& request : executed) {
    if (is_handshake(request.label)) continue;
    add(by_server[request.server], text_of(request, lock_name), request.at_ns);
  }
  for (auto& [server, requests] : by_server) requests = with_polls(requests);
  return by_server;
}

std::optional<RequestDifference> first_difference(const SentRequests& model,
                                                  const SentRequests& real, std::uint64_t& equal) {
  static const std::vector<SentRequest> none;
  std::map<std::string, const std::vector<SentRequest>*> servers;
  for (const auto& [server, requests] : real) servers.emplace(server, &none);
  for (const auto& [server, requests] : model) servers[server] = &requests;
  for (const auto& [server, requests] : servers) {
    const auto found = real.find(server);
    auto difference = first_difference_of_server(server, *requests,
                                                 found == real.end() ? none : found->second, equal);
    if (difference) return difference;
  }
  return std::nullopt;
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
