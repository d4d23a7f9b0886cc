#include "model/sentinel/instance_links.h"

#include <utility>

namespace lockstep::model {

void InstanceLinks::open(const Instance& instance, InstanceConnection& channel,
                         std::int64_t now_ms) {
  channel.connection = network_.connect(id_, instance.host);
  channel.is_open = false;
  channel.connected_at_ms = now_ms;
}

// Sending may strike down the connection or this process: what is left is given back.
void InstanceLinks::on_opened(InstanceConnection& channel) {
  channel.is_open = true;
  const std::vector<sim::Payload> unsent = std::exchange(channel.unsent, {});
  for (const sim::Payload payload : unsent) hand_over(channel, payload);
}

void InstanceLinks::close(InstanceConnection& channel) {
  if (!channel.connection) return;
  network_.close(*channel.connection, id_);
  lose(channel);
}

void InstanceLinks::lose(InstanceConnection& channel) {
  channel.connection.reset();
  channel.is_open = false;
  channel.expected.clear();
  for (const sim::Payload payload : channel.unsent) messages_.release(payload);
  channel.unsent.clear();
}

void InstanceLinks::send(InstanceConnection& channel, SentinelRequest request,
                         std::string_view label, std::initializer_list<std::string_view> words) {
  if (!channel.connection) return;
  const sim::Payload payload = messages_.make();
  Message& message = messages_[payload];
  message.kind = Message::Kind::request;
  message.label = label;
  message.number = ++last_number_;
  for (const std::string_view word : words) message.arguments.push(word);
  channel.expected.push_back({message.number, request});
  if (channel.is_open) return hand_over(channel, payload);
  channel.unsent.push_back(payload);
}

void InstanceLinks::hand_over(const InstanceConnection& channel, sim::Payload payload) {
  const std::string_view label = messages_[payload].label;
  const bool was_sent =
      channel.connection && network_.send(*channel.connection, id_, payload, label, sim::no_actor);
  if (!was_sent) messages_.release(payload);
}

}  // namespace lockstep::model
