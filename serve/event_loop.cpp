#include "serve/event_loop.h"

#include <cerrno>
#include <system_error>

namespace lockstep::serve {
namespace {

epoll_event event_of(Interest interest, Watcher& watcher) {
  epoll_event event{};
  const bool reads = interest == Interest::reading || interest == Interest::reading_and_writing;
  const bool writes = interest == Interest::writing || interest == Interest::reading_and_writing;
  if (reads) event.events |= EPOLLIN;
  if (writes) event.events |= EPOLLOUT;
  event.data.ptr = &watcher;
  return event;
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

EventLoop::EventLoop() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_.is_open()) fail("epoll_create1");
}

void EventLoop::watch(const sim::FileDescriptor& file, Interest interest, Watcher& watcher) {
  epoll_event event = event_of(interest, watcher);
  if (epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, file.number(), &event) != 0) fail("epoll_ctl");
}

void EventLoop::change(const sim::FileDescriptor& file, Interest interest, Watcher& watcher) {
  epoll_event event = event_of(interest, watcher);
  if (epoll_ctl(epoll_.number(), EPOLL_CTL_MOD, file.number(), &event) != 0) fail("epoll_ctl");
}

void EventLoop::forget(const Watcher& watcher) {
  for (std::size_t i = 0; i < depth_; ++i) {
    for (epoll_event& event : *ready_[i]) {
      if (event.data.ptr == &watcher) event.data.ptr = nullptr;
    }
  }
}

void EventLoop::wait(int timeout_ms) {
  if (depth_ == ready_.size()) ready_.push_back(std::make_unique<Events>());
  Events& ready = *ready_[depth_++];
  const int count =
      epoll_wait(epoll_.number(), ready.data(), static_cast<int>(ready.size()), timeout_ms);
  if (count < 0 && errno != EINTR) fail("epoll_wait");
  for (int i = 0; i < count; ++i) {
    const epoll_event event = ready[static_cast<std::size_t>(i)];
    if (event.data.ptr == nullptr) continue;
    // An error or a hang-up shows to who reads.
    constexpr auto readable = static_cast<std::uint32_t>(EPOLLIN) |
                              static_cast<std::uint32_t>(EPOLLERR) |
                              static_cast<std::uint32_t>(EPOLLHUP);
    constexpr auto writable = static_cast<std::uint32_t>(EPOLLOUT);
    static_cast<Watcher*>(event.data.ptr)
        ->on_ready({(event.events & readable) != 0, (event.events & writable) != 0});
  }
  --depth_;
}

}  // namespace lockstep::serve
