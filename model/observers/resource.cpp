#include "model/observers/resource.h"

#include "checker/observations.h"
#include "model/lock/lock_package.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {

Resource::Resource(sim::ActorId actor, sim::EventQueue& queue, sim::Trace& trace,
                   sim::Network& network, MessagePool& messages, Recorder& recorder,
                   scenario::ResourceSpec spec, StateOwner owner)
    : Host("resource", actor, queue, trace),
      network_(network),
      messages_(messages),
      recorder_(recorder),
      spec_(spec),
      owner_(owner),
      name_(recorder.names().intern("resource")) {}

void Resource::start_run() {
  version_ = 0;
  highest_token_ = -1;
}

bool Resource::handle(const Message& request) {
  const sim::Actor& who = trace().actor(request.on_behalf_of);
  const std::string_view by = who.name;
  const bool owns_as_one = owner_ == StateOwner::process;
  checker::Access access{.kind = checker::AccessKind::read,
                         .owner = recorder_.names().intern(owns_as_one ? who.group : who.name),
                         .resource = name_,
                         .at = recorder_.now(),
                         .version_seen = version_,
                         .version_after = version_,
                         .token = std::nullopt,
                         .thread = recorder_.names().intern(by)};
  if (request.kind == Message::Kind::resource_read) {
    trace().emit(now(), trace_kind::resource_read, actor(), {{"by", by}, {"version", version_}});
    recorder_.add(access);
    return true;
  }
  const auto based_on = static_cast<std::int64_t>(request.number);
  access.version_seen = based_on;
  if (request.token >= 0) access.token = request.token;
  const bool stale = spec_.fencing && request.token < highest_token_;
  if (stale) {
    trace().emit(now(), trace_kind::resource_refused, actor(),
                 {{"by", by}, {"token", request.token}, {"highest_token", highest_token_}});
    access.kind = checker::AccessKind::refused_write;
  } else {
    if (request.token > highest_token_) highest_token_ = request.token;
    access.kind = checker::AccessKind::write;
    access.version_after = ++version_;
    trace().emit(
        now(), trace_kind::resource_written, actor(),
        {{"by", by}, {"based_on", based_on}, {"version", version_}, {"token", request.token}});
  }
  recorder_.add(access);
  return !stale;
}

void Resource::on_incoming(const sim::Incoming& incoming) {
  if (incoming.kind != sim::Incoming::Kind::message) return;
  const bool accepted = handle(messages_[incoming.argument]);
  const sim::Payload payload = messages_.make();
  Message& reply = messages_[payload];
  const Message& request = messages_[incoming.argument];
  reply.kind = Message::Kind::resource_reply;
  reply.number = static_cast<std::uint64_t>(version_);
  reply.accepted = accepted;
  reply.label = request.kind == Message::Kind::resource_read ? "reply to read" : "reply to write";
  reply.on_behalf_of = request.on_behalf_of;
  messages_.release(incoming.argument);
  if (!network_.send(incoming.connection, id_, payload, reply.label, reply.on_behalf_of)) {
    messages_.release(payload);
  }
}

}  // namespace lockstep::model
