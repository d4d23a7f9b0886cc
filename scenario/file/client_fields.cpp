#include "scenario/file/client_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scenario/file/option_table.h"
#include "scenario/file/redis_fields.h"
#include "scenario/file/relative_path.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/thread_order.h"

namespace lockstep::scenario {
namespace {

constexpr std::int64_t threads_of_client_max = 100;
// More would be another program: hosts talk to each other in pairs.
constexpr std::size_t clients_max = 200;
constexpr std::size_t threads_max = 1'000;
constexpr std::size_t steps_max = 1'000;
constexpr std::size_t links_max = 1'000;
constexpr std::size_t thread_indent = 2;
constexpr std::string_view run_example = R"(run = ["lock lease=10s", "write", "unlock"])";

/// Keys of [[client.thread]] that a client has for itself.
constexpr std::string_view run_key = thread_fields[0].form.key;
constexpr std::string_view generate_key = thread_fields[1].form.key;

ThreadSpec read_thread(const TableReader& table, const ReadContext& context) {
  ThreadSpec thread;
  for (const Field<ThreadSpec>& field : thread_fields) read_field(field, table, context, thread);
  return thread;
}

/// Throws InputError where no client may have the name, or one has it.
void require_free_name(const LocatedText& name, const std::string& whole,
                       const Scenario& scenario) {
  require_client_name({whole, name.place, false});
  require_no_sentinel({whole, name.place, false}, scenario.redis);
  const auto other = std::find_if(scenario.clients.begin(), scenario.clients.end(),
                                  [&whole](const ClientSpec& each) { return each.name == whole; });
  if (other != scenario.clients.end()) {
    name.complain(fmt::format("there is a client {} already, on line {}; expected another name",
                              in_quotes(whole), other->place.line));
  }
}

void require_room(const Scenario& scenario, const LocatedText& name, std::size_t more_clients,
                  std::size_t more_threads) {
  std::size_t threads = more_clients * more_threads;
  for (const ClientSpec& client : scenario.clients) threads += client.threads.size();
  if (scenario.clients.size() + more_clients > clients_max || threads > threads_max) {
    name.complain(fmt::format("this makes more than {} clients or {} threads in all", clients_max,
                              threads_max));
  }
}

/// One client, or `count` of them: w1, w2, …
void read_client_table(const TableReader& table, const ReadContext& context, Scenario& scenario) {
  ClientSpec client;
  read_fields(client_fields, table, context, client);
  finish_fields(client_fields, table, context, client);
  const LocatedText name = *table.text(name_key);
  const auto count = table.whole_number(count_key, clients_of_table);
  require_room(scenario, name, static_cast<std::size_t>(count.value_or(1)), client.threads.size());
  for (std::int64_t i = 1; i <= count.value_or(1); ++i) {
    client.name = name.text;
    if (count) client.name += std::to_string(i);
    require_free_name(name, client.name, scenario);
    scenario.clients.push_back(client);
  }
}

std::string write_thread(const ThreadSpec& thread, const WriteContext& context) {
  TableText table{"client.thread", thread_indent, {}, {}};
  write_fields(thread_fields, thread, context, table);
  return table.as_item();
}

bool are_alike(const std::vector<ThreadSpec>& threads, const WriteContext& context) {
  const std::string first = write_thread(threads.front(), context);
  return std::all_of(threads.begin() + 1, threads.end(), [&](const ThreadSpec& thread) {
    return write_thread(thread, context) == first;
  });
}

/// One table that stands for `count` clients; 0: for this one.
std::string write_client(const ClientSpec& client, const std::string& name, std::size_t count,
                         const WriteContext& context) {
  ClientSpec named = client;
  named.name = name;
  TableText table{"client", 0, {}, {}};
  write_fields(client_fields, named, {context.scenario, context.path, count}, table);
  return table.as_item();
}

/// How many clients from `first` on are w1, w2, … and otherwise the same; 0 where there are no two.
std::size_t alike_from(const std::vector<ClientSpec>& clients, std::size_t first,
                       const std::string& stem, const WriteContext& context) {
  if (stem.empty()) return 0;
  const std::string wanted = write_client(clients[first], stem, 0, context);
  std::size_t end = first + 1;
  while (end < clients.size() && clients[end].name == fmt::format("{}{}", stem, end - first + 1) &&
         write_client(clients[end], stem, 0, context) == wanted) {
    ++end;
  }
  return end - first > 1 ? end - first : 0;
}

/// "w" of "w1"; empty where the name is not the first of several.
std::string stem_of(const std::string& name) {
  const bool is_first = name.size() > 1 && name.back() == '1';
  return is_first ? name.substr(0, name.size() - 1) : std::string();
}

}  // namespace

void read_run(const TableReader& table, const Field<ThreadSpec>& self, const ReadContext& context,
              ThreadSpec& thread) {
  const bool is_drawn = table.table(generate_key).has_value();
  if (!table.has(self.form.key) && !is_drawn) table.complain_missing(self.form.key, run_example);
  for (const LocatedText& text : table.texts(self.form.key)) {
    if (thread.steps.size() == steps_max) {
      text.complain(
          fmt::format("a thread has at most {} steps; 'rounds' repeats them, and "
                      "'generate' draws more",
                      steps_max));
    }
    thread.steps.push_back(read_step(text, context.scenario.lock_name));
  }
  if (thread.steps.empty() && !is_drawn) {
    throw InputError(table.value_place(self.form.key),
                     fmt::format("there is no step to run; expected as in {}", run_example));
  }
  require_locks_before_unlocks(thread.steps);
}

void write_run(const Field<ThreadSpec>& self, const ThreadSpec& thread, const WriteContext& context,
               TableText& text) {
  std::vector<std::string> steps;
  steps.reserve(thread.steps.size());
  for (const Step& step : thread.steps) {
    steps.push_back(write_step(step, context.scenario.lock_name));
  }
  if (!steps.empty()) text.keys.add_texts(self.form.key, steps);
}

void read_name(const TableReader& table, const Field<ClientSpec>& self, const ReadContext&,
               ClientSpec& client) {
  const auto name = table.text(self.form.key);
  if (!name) table.complain_missing(self.form.key, self.example);
  client.name = name->text;
  client.place = name->place;
}

void read_count(const TableReader& table, const Field<ClientSpec>& self, const ReadContext& context,
                ClientSpec& client) {
  if (table.whole_number(self.form.key, clients_of_table)) return;
  require_free_name(*table.text(name_key), client.name, context.scenario);
}

void write_count(const Field<ClientSpec>& self, const ClientSpec&, const WriteContext& context,
                 TableText& text) {
  if (context.client_count == 0) return;
  text.keys.add_number(self.form.key, static_cast<std::int64_t>(context.client_count));
}

void read_threads(const TableReader& table, const Field<ClientSpec>& self,
                  const ReadContext& context, ClientSpec& client) {
  if (client.program) return client.threads.assign(1, {});
  const bool has_threads = table.has(self.form.key);
  for (const std::string_view key : {run_key, generate_key, threads_key}) {
    if (!has_threads || !table.has(key)) continue;
    throw InputError(table.key_place(key),
                     fmt::format("a client has '{}' for itself, or [[client.thread]] for several "
                                 "threads that differ, not both",
                                 key));
  }
  if (!has_threads) {
    const NumberRange count =
        table.number_range(threads_key, {1, threads_of_client_max}).value_or(NumberRange{1, 1});
    client.threads.assign(static_cast<std::size_t>(count.max), read_thread(table, context));
    if (count.min < count.max) client.threads_min = static_cast<std::uint32_t>(count.min);
    return;
  }
  for (const TableReader& thread : table.tables(self.form.key)) {
    allow_only_keys_of(thread_fields, thread);
    client.threads.push_back(read_thread(thread, context));
  }
  if (client.threads.empty()) {
    throw InputError(table.value_place(self.form.key),
                     "there is no thread; expected [[client.thread]]");
  }
}

void write_alike_threads(const Field<ClientSpec>&, const ClientSpec& client,
                         const WriteContext& context, TableText& text) {
  if (!are_alike(client.threads, context)) return;
  write_fields(thread_fields, client.threads.front(), context, text);
}

void write_threads(const Field<ClientSpec>&, const ClientSpec& client, const WriteContext& context,
                   TableText& text) {
  if (are_alike(client.threads, context)) return;
  for (const ThreadSpec& thread : client.threads) text.below += write_thread(thread, context);
}

void write_thread_count(const Field<ClientSpec>& self, const ClientSpec& client,
                        const WriteContext& context, TableText& text) {
  if (client.threads.size() == 1 || !are_alike(client.threads, context)) return;
  if (client.threads_min) {
    text.keys.add_text(self.form.key,
                       fmt::format("{}..{}", *client.threads_min, client.threads.size()));
    return;
  }
  text.keys.add_number(self.form.key, static_cast<std::int64_t>(client.threads.size()));
}

std::string show_threads_min(const ClientSpec& client) {
  if (!client.threads_min) return "all";
  return fmt::format("{}..{}", *client.threads_min, client.threads.size());
}

void read_rounds(const TableReader& table, const Field<ClientSpec>& self, const ReadContext&,
                 ClientSpec& client) {
  const auto rounds = table.number_range(self.form.key, {1, 1'000'000});
  if (!rounds) return;
  client.rounds = static_cast<std::uint32_t>(rounds->min);
  if (rounds->min < rounds->max) client.rounds_max = static_cast<std::uint32_t>(rounds->max);
}

void write_rounds(const Field<ClientSpec>& self, const ClientSpec& client, const WriteContext&,
                  TableText& text) {
  if (client.rounds_max) {
    text.keys.add_text(self.form.key, show_rounds(client));
  } else if (client.rounds != 1) {
    text.keys.add_number(self.form.key, client.rounds);
  }
}

std::string show_rounds(const ClientSpec& client) {
  if (!client.rounds_max) return std::to_string(client.rounds);
  return fmt::format("{}..{}", client.rounds, *client.rounds_max);
}

void read_start(const TableReader& table, const Field<ClientSpec>& self, const ReadContext&,
                ClientSpec& client) {
  const auto start = table.duration_range(self.form.key, DurationSign::not_negative);
  if (!start) return;
  client.start_ns = start->min_ns;
  if (start->is_open()) client.start_ns_max = start->max_ns;
}

void require_start_within_run(const TableReader& table, const Field<ClientSpec>& self,
                              const ReadContext& context, ClientSpec& client) {
  const sim::DurationNs horizon_ns = context.scenario.horizon_ns;
  if (client.start_ns_max.value_or(client.start_ns) < horizon_ns) return;
  table.text(self.form.key)
      ->complain(fmt::format("the run ends at {}, before this client starts",
                             format_duration(horizon_ns)));
}

void write_start(const Field<ClientSpec>& self, const ClientSpec& client, const WriteContext&,
                 TableText& text) {
  if (client.start_ns == 0 && !client.start_ns_max) return;
  text.keys.add_text(self.form.key, show_start(client));
}

std::string show_start(const ClientSpec& client) {
  return write_range(client.start_ns, client.start_ns_max);
}

void read_client_options(const TableReader& table, const Field<ClientSpec>& self,
                         const ReadContext&, ClientSpec& client) {
  read_option_table(table, self.form.key, client.options, client.option_places);
}

void write_client_options(const Field<ClientSpec>& self, const ClientSpec& client,
                          const WriteContext&, TableText& text) {
  write_option_table(self.form.key, client.options, text);
}

std::string show_client_options(const ClientSpec& client) {
  return options_in_words(client.options);
}

void read_clients(const TableReader& file, const Field<Scenario>& self, const ReadContext& context,
                  Scenario& scenario) {
  ErrorCollector mistakes;
  for (const TableReader& table : file.tables(self.form.key)) {
    mistakes.note([&] { read_client_table(table, context, scenario); });
  }
  mistakes.raise();
  if (!scenario.clients.empty()) return;
  throw InputError({scenario.path, 1, 1}, "there is no client; expected at least one [[client]]");
}

void write_clients(const Field<Scenario>&, const Scenario& scenario, const WriteContext& context,
                   TableText& text) {
  const std::vector<ClientSpec>& clients = scenario.clients;
  for (std::size_t i = 0; i < clients.size();) {
    const std::string stem = stem_of(clients[i].name);
    const std::size_t count = alike_from(clients, i, stem, context);
    text.below += write_client(clients[i], count > 0 ? stem : clients[i].name, count, context);
    i += std::max<std::size_t>(count, 1);
  }
}

void compare_clients(const Field<Scenario>& self, const Scenario& one, const Scenario& other,
                     Differences& differences) {
  compare_each(client_fields, self.form.key, one.clients, other.clients, differences);
}

void read_from(const TableReader& table, const Field<LinkSpec>& self, const ReadContext& context,
               LinkSpec& link) {
  link.from = context.participants->host(*table.text(self.form.key)).name;
}

void read_to(const TableReader& table, const Field<LinkSpec>& self, const ReadContext& context,
             LinkSpec& link) {
  const LocatedText to = *table.text(self.form.key);
  const Participant& host = context.participants->host(to);
  if (!can_communicate(*context.participants->find(link.from), host)) {
    to.complain(fmt::format("'{}' and '{}' never talk to each other; expected two hosts that do",
                            link.from, host.name));
  }
  link.to = host.name;
}

void require_latency_text(const TableReader& table, const Field<LinkSpec>& self, const LinkSpec&) {
  static_cast<void>(table.text(self.form.key));
}

void read_link_latency(const TableReader& table, const Field<LinkSpec>& self,
                       const ReadContext& context, LinkSpec& link) {
  const std::vector<LinkSpec>& links = context.scenario.links;
  const bool is_second = std::any_of(links.begin(), links.end(), [&](const LinkSpec& other) {
    return other.from == link.from && other.to == link.to;
  });
  if (is_second) {
    table.text(link_fields[0].form.key)
        ->complain(
            fmt::format("there is a [[link]] from '{}' to '{}' already", link.from, link.to));
  }
  link.latency = *LatencyRange::read(table, self.form.key, self.limits);
}

void read_links(const TableReader& file, const Field<Scenario>& self, const ReadContext& context,
                Scenario& scenario) {
  for (const TableReader& table : file.tables(self.form.key)) {
    allow_only_keys_of(link_fields, table);
    if (scenario.links.size() == links_max) {
      throw InputError(table.place(), fmt::format("there are more than {} links", links_max));
    }
    LinkSpec link;
    read_fields(link_fields, table, context, link);
    finish_fields(link_fields, table, context, link);
    scenario.links.push_back(std::move(link));
  }
}

void write_links(const Field<Scenario>& self, const Scenario& scenario, const WriteContext& context,
                 TableText& text) {
  for (const LinkSpec& link : scenario.links) {
    TableText table = text.below_key(self.form.key);
    write_fields(link_fields, link, context, table);
    text.below += table.as_item();
  }
}

void compare_links(const Field<Scenario>& self, const Scenario& one, const Scenario& other,
                   Differences& differences) {
  compare_each(link_fields, self.form.key, one.links, other.links, differences);
}

// The rows of [[client]] that make it a real program.

namespace {

namespace fs = std::filesystem;

constexpr std::array keys_of_programs = {folder_key, reuse_key, thread_order_key, connect_key,
                                         env_key};
constexpr std::array<std::string_view, 6> keys_of_models = {"run",       "generate", "thread",
                                                            threads_key, "rounds",   "options"};

void require_no_program(const TableReader& table) {
  for (const std::string_view key : keys_of_programs) {
    if (!table.has(key)) continue;
    throw InputError(table.key_place(key),
                     fmt::format("'{}' is of a client that is a program; expected 'command' too, "
                                 "as in command = [\"python3\", \"worker.py\"]",
                                 key));
  }
}

void require_no_model(const TableReader& table) {
  for (const std::string_view key : keys_of_models) {
    if (!table.has(key)) continue;
    throw InputError(table.key_place(key),
                     fmt::format("a client has a 'command', or '{}' for the lock's client model, "
                                 "not both",
                                 key));
  }
}

std::map<std::string, std::string> read_texts(const TableReader& above, std::string_view key) {
  std::map<std::string, std::string> texts;
  const auto table = above.table(key);
  if (!table) return texts;
  for (const LocatedText& name : table->keys()) {
    const LocatedText value = *table->text(name.text);
    if (name.text.find('\0') != name.text.npos || value.text.find('\0') != value.text.npos) {
      name.complain("it has a zero byte, which no program can be given");
    }
    texts.emplace(name.text, value.text);
  }
  return texts;
}

ProgramSpec::Reuse read_reuse(const TableReader& table) {
  const auto text = table.text(reuse_key);
  if (!text || text->text == to_string(ProgramSpec::Reuse::process)) {
    return ProgramSpec::Reuse::process;
  }
  if (text->text == to_string(ProgramSpec::Reuse::fork)) return ProgramSpec::Reuse::fork;
  text->complain(fmt::format("{} is no way to reuse a program; expected \"process\" or \"fork\"",
                             in_quotes(text->text)));
}

/// The program is told the order, too: by its environment, where it is kept.
void read_thread_order(const TableReader& table, ProgramSpec& program) {
  const auto text = table.text(thread_order_key);
  if (!text || text->text == "in turn") return;
  if (text->text != any_thread_order) {
    text->complain(fmt::format("{} is no order of threads; expected \"in turn\" or \"any\"",
                               in_quotes(text->text)));
  }
  program.env[std::string(thread_order_variable)] = any_thread_order;
}

void require_host_and_port(const LocatedText& address) {
  const std::size_t colon = address.text.rfind(':');
  const std::string_view port =
      colon == address.text.npos ? std::string_view() : address.text.substr(colon + 1);
  const bool is_number =
      !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == port.npos;
  if (colon != 0 && is_number && std::stoi(std::string(port)) <= 65'535) return;
  address.complain(fmt::format("{} is no host and port; expected as in \"redis-1:6379\" = \"n1\"",
                               in_quotes(address.text)));
}

void write_texts(std::string_view key, const std::map<std::string, std::string>& texts,
                 TableText& text) {
  if (texts.empty()) return;
  TableText table = text.below_key(key);
  for (const auto& [name, value] : texts) table.keys.add_text(name, value);
  text.add(key, table);
}

}  // namespace

void read_command(const TableReader& table, const Field<ClientSpec>& self, const ReadContext&,
                  ClientSpec& client) {
  if (!table.has(self.form.key)) return require_no_program(table);
  require_no_model(table);
  ProgramSpec program;
  for (const LocatedText& word : table.text_or_texts(self.form.key)) {
    if (word.text.find('\0') != word.text.npos) {
      word.complain("it has a zero byte, which no program can be given");
    }
    program.command.emplace_back(word.text);
  }
  if (program.command.empty() || program.command.front().empty()) {
    throw InputError(table.value_place(self.form.key),
                     "there is no program to run; expected as in command = [\"python3\", "
                     "\"worker.py\"]");
  }
  fs::path folder = fs::path(table.value_place(self.form.key).file).parent_path();
  if (const auto beside = table.text(folder_key)) folder /= fs::path(beside->text);
  program.folder = folder.lexically_normal().string();
  program.place = table.value_place(self.form.key);
  program.reuse = read_reuse(table);
  program.connect = read_texts(table, connect_key);
  program.env = read_texts(table, env_key);
  read_thread_order(table, program);
  client.program = std::move(program);
}

void finish_connect(const TableReader& table, const Field<ClientSpec>& self,
                    const ReadContext& context, ClientSpec&) {
  const auto hosts = table.table(self.form.key);
  if (!hosts) return;
  const Participants participants(context.scenario.redis, {});
  for (const LocatedText& address : hosts->keys()) {
    require_host_and_port(address);
    static_cast<void>(participants.server(*hosts->text(address.text)));
  }
}

void write_command(const Field<ClientSpec>& self, const ClientSpec& client,
                   const WriteContext& context, TableText& text) {
  if (!client.program) return;
  const ProgramSpec& program = *client.program;
  text.keys.add(self.form.key, toml_list(program.command));
  // The file itself stands for a name in the folder: both are seen from the same place.
  const fs::path folder =
      seen_from(program.folder.empty() ? fs::path(".") : fs::path(program.folder), context.path);
  if (folder != "." && !folder.empty()) text.keys.add_text(folder_key, folder.string());
  if (program.reuse != ProgramSpec::Reuse::process) {
    text.keys.add_text(reuse_key, to_string(program.reuse));
  }
  if (threads_run_in_any_order(program)) text.keys.add_text(thread_order_key, any_thread_order);
  write_texts(connect_key, program.connect, text);
  std::map<std::string, std::string> env = program.env;
  env.erase(std::string(thread_order_variable));
  write_texts(env_key, env, text);
}

}  // namespace lockstep::scenario
