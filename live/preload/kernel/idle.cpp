#include "live/preload/kernel/idle.h"

#include <sys/syscall.h>

#include <algorithm>

#include "live/preload/kernel/control.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/network/connections.h"
#include "live/preload/time/alarms.h"
#include "live/preload/time/local_time.h"
#include "live/preload/time/spin.h"
#include "live/preload/time/timers.h"

namespace lockstep::live::preload {

namespace {

bool is_alone;

void pass_time_alone(std::int64_t deadline) {
  if (deadline == never) {
    refuse(
        "the program waits for ever before its first network socket: reuse = \"fork\" cannot "
        "work, use \"process\"");
  }
  if (deadline > monotonic_now()) run_ahead(deadline - monotonic_now());
}

void ask_simulator(std::int64_t deadline) {
  Packet packet{};
  packet.kind = Packet::Kind::idle;
  packet.deadline_ns = on_page(deadline);
  packet.spun_ns = ahead_ns();
  packet.repeated_call = repeated_call();
  packet.wants_to_write = is_any_connection_full() ? 1 : 0;
  packet.process = static_cast<std::int32_t>(native(SYS_getpid));
  send_packet(packet);
  do {
    packet = receive_packet();
  } while (packet.kind != Packet::Kind::resume);
  catch_up();
  const int results = std::min<int>(packet.result_count, Packet::results_max);
  for (int i = 0; i < results; ++i) apply_result(packet.results[i]);
}

}  // namespace

void be_idle(std::int64_t deadline) {
  const std::int64_t next = std::min({deadline, next_timer(), next_alarm()});
  if (is_alone) {
    pass_time_alone(next);
  } else {
    ask_simulator(next);
  }
  fire_timers();
  fire_alarm();
}

void let_time_pass_alone(bool alone) { is_alone = alone; }

}  // namespace lockstep::live::preload
