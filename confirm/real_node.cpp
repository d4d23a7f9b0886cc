#include "confirm/real_node.h"

#include <cassert>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

namespace lockstep::confirm {
namespace {

constexpr auto patience = std::chrono::seconds(10);
constexpr auto node_poll_interval = std::chrono::microseconds(100);

/// A quick timer, since replication, time-outs and snapshots wait for it; a backlog that stays.
RealRedisOptions process_options(const Settings& settings, const RealProgram& program) {
  RealRedisOptions options;
  options.program = program;
  options.arguments = {"--hz", "500", "--repl-backlog-ttl", "0"};
  for (const auto& [name, value] : settings) {
    options.arguments.push_back("--" + name);
    options.arguments.push_back(value);
  }
  return options;
}

/// Whether appended data is not on the disk when the reply is given.
bool appends_unsynced(const Settings& settings) {
  std::string appends = "no";
  std::string syncs = "everysec";
  for (const auto& [name, value] : settings) {
    if (name == "appendonly") appends = value;
    if (name == "appendfsync") syncs = value;
  }
  return appends == "yes" && syncs != "always";
}

/// The next CRLF line of the bytes from `position`, read on where it is not complete.
std::string read_line(RedisConnection& connection, std::string& bytes, std::size_t& position) {
  for (;;) {
    const std::size_t end = bytes.find("\r\n", position);
    if (end != std::string::npos) {
      std::string line = bytes.substr(position, end - position);
      position = end + 2;
      return line;
    }
    connection.read_bytes(bytes);
  }
}

}  // namespace

RealNode::RealNode(std::string name, std::int64_t wall_us, const Settings& settings,
                   const RealProgram& program)
    : name_(std::move(name)),
      appends_unsynced_(appends_unsynced(settings)),
      clock_(directory_.path(), wall_us),
      process_(clock_, process_options(settings, program)),
      control_(std::in_place, process_.socket_path()) {}

void RealNode::stop(Stop how) {
  clients_.clear();
  control_.reset();
  process_.stop(how);
  if (port_) port_->close_link();
}

bool RealNode::has_unsynced_data() const { return appends_unsynced_; }

bool RealNode::wait_until_saved() {
  const auto give_up_at = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < give_up_at) {
    const std::string info = control_->command({"INFO", "persistence"}).text;
    if (info.find("rdb_changes_since_last_save:0\r") != std::string::npos &&
        info.find("rdb_bgsave_in_progress:0\r") != std::string::npos) {
      return true;
    }
    std::this_thread::sleep_for(node_poll_interval);
  }
  return false;
}

void RealNode::restart(redis::Role role) {
  std::vector<std::string> arguments;
  if (role == redis::Role::replica) {
    if (!port_) port_.emplace();
    arguments = {"--replicaof", "127.0.0.1 " + port_->port()};
  }
  process_.start(arguments);
  control_.emplace(process_.socket_path());
}

redis::Reply RealNode::role() { return control_->command({"ROLE"}); }

// The server reads its connections in the order in which bytes came, so what was sent before ROLE
// has had its effects when the answer to ROLE is here; and what it owes others was sent before it.
// A closed connection is freed before the next is read.
void RealNode::settle() {
  const redis::Reply reply = role();
  if (reply.elements.size() != 3) return;  // a replica: nobody follows it
  const std::int64_t offset = reply.elements[1].integer;
  std::string bytes;
  for (auto& [session, client] : clients_) {
    if (client.link == nullptr) continue;
    while (client.link->received_offset() < offset) {
      bytes.clear();
      client.connection->read_bytes(bytes);
      client.link->receive(bytes);
    }
  }
}

void RealNode::open(redis::SessionId session) {
  clients_[session] = {std::make_unique<RedisConnection>(process_.socket_path()), {}, {}};
}

void RealNode::close(redis::SessionId session) {
  clients_.erase(session);
  role();  // so that the server has noticed
}

RealNode::Client& RealNode::client(redis::SessionId session) {
  const auto found = clients_.find(session);
  assert(found != clients_.end());
  return found->second;
}

void RealNode::Client::acknowledge(std::int64_t offset, std::optional<std::int64_t> synced) const {
  const std::string text = std::to_string(offset);
  std::vector<std::string_view> request{"REPLCONF", "ACK", text};
  const std::string synced_text = synced ? std::to_string(*synced) : std::string();
  if (synced) request.insert(request.end(), {"FACK", synced_text});
  connection->send(request);
}

void RealNode::pause_writes() {
  constexpr std::string_view longer_than_it_lives_ms = "1000000000";
  const redis::Reply reply =
      control_->command({"CLIENT", "PAUSE", longer_than_it_lives_ms, "WRITE"});
  if (reply.is_error())
    throw std::runtime_error("redis-server refused CLIENT PAUSE: " + reply.text);
}

void RealNode::follow() {
  if (!port_) port_.emplace();
  port_->close_link();
  const redis::Reply reply = control_->command({"REPLICAOF", "127.0.0.1", port_->port()});
  if (reply.is_error()) throw std::runtime_error("redis-server refused REPLICAOF: " + reply.text);
}

void RealNode::promote() {
  const redis::Reply reply = control_->command({"REPLICAOF", "NO", "ONE"});
  if (reply.is_error()) throw std::runtime_error("redis-server refused REPLICAOF: " + reply.text);
  close_link();
}

void RealNode::close_link() {
  if (port_) port_->close_link();
  role();  // so that the server has noticed
}

MasterProxy::PsyncRequest RealNode::wait_for_psync() {
  assert(port_);
  return port_->wait_for_psync();
}

void RealNode::give(std::string_view bytes, std::int64_t offset) {
  port_->send(bytes);
  const auto give_up_at = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const redis::Reply reply = role();
    if (reply.elements.size() == 5 && reply.elements[3].text == "connected" &&
        reply.elements[4].integer == offset) {
      return;
    }
    if (std::chrono::steady_clock::now() > give_up_at) {
      throw std::runtime_error(
          "the real replica did not apply its master's stream in time: " + redis::describe(reply) +
          ", expected offset " + std::to_string(offset));
    }
    std::this_thread::sleep_for(node_poll_interval);
  }
}

RealNode::PsyncReply RealNode::send_psync(redis::SessionId session,
                                          const MasterProxy::PsyncRequest& question) {
  RedisConnection& connection = *client(session).connection;
  std::string bytes;
  std::size_t position = 0;
  connection.send(std::vector<std::string_view>{"REPLCONF", "capa", "psync2"});
  const std::string accepted = read_line(connection, bytes, position);
  if (accepted != "+OK") throw std::runtime_error("redis-server refused REPLCONF: " + accepted);
  connection.send(std::vector<std::string_view>{"PSYNC", question.replication_id, question.offset});
  PsyncReply answer;
  const std::string line = read_line(connection, bytes, position);
  answer.bytes = line + "\r\n";
  if (line.starts_with("+CONTINUE")) {
    answer.is_continued = true;
    answer.offset = std::stoll(question.offset) - 1;
  } else if (line.starts_with("+FULLRESYNC")) {
    answer.offset = std::stoll(line.substr(line.rfind(' ') + 1));
    std::string length;
    while (length.empty()) {  // empty lines tell that it is still at work
      length = read_line(connection, bytes, position);
      length.erase(0, length.find_first_not_of('\n'));
    }
    const std::size_t end = position + std::stoul(length.substr(1));
    while (bytes.size() < end) connection.read_bytes(bytes);
    answer.bytes += length + "\r\n" + bytes.substr(position, end - position);
    position = end;
  } else {
    throw std::runtime_error("redis-server refused PSYNC: " + line);
  }
  answer.stream = bytes.substr(position);
  return answer;
}

}  // namespace lockstep::confirm
