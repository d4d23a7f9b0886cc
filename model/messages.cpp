#include "model/messages.h"

#include <cassert>

namespace lockstep::model {

sim::Payload MessagePool::make() {
  if (free_.empty()) {
    messages_.push_back(std::make_unique<Message>());
    return messages_.size() - 1;
  }
  const sim::Payload payload = free_.back();
  free_.pop_back();
  Message& message = *messages_[payload];
  message.kind = Message::Kind::request;
  message.number = 0;
  message.call = 0;
  message.is_sent_again = false;
  message.token = -1;
  message.accepted = true;
  message.label = {};
  message.on_behalf_of = sim::no_actor;
  message.arguments.clear();
  message.reply.kind = redis::Reply::Kind::null_bulk;
  message.reply.elements.clear();
  message.bytes.clear();
  return payload;
}

void MessagePool::release(sim::Payload payload) {
  assert(payload < messages_.size());
  free_.push_back(payload);
}

void MessagePool::reset() {
  free_.clear();
  for (sim::Payload payload = messages_.size(); payload-- > 0;) free_.push_back(payload);
}

}  // namespace lockstep::model
