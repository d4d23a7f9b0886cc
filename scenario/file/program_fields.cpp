// The rows of [[client]] that make it a real program.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scenario/file/client_fields.h"
#include "scenario/file/relative_path.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/thread_order.h"

namespace lockstep::scenario {
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
