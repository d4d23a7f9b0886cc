// A program that is started once and runs many times: it stops where it first connects to a network
// socket, and forks there for each run.
//
// The child goes on with descriptors and a page of its own; what it would share with its siblings
// (eventfds, timers, pipes, epoll, sockets) is made anew, and all threads go on (context.h). Before
// that point there is no simulator: time passes as soon as nothing else can happen. The process id
// there is one that no run has, so that libraries that look at it see the fork: its page says so.
//
// libc's handlers of forks (pthread_atfork) do not run: nothing of what they repair is broken.
//
// Not covered: bytes inside pipes at the fork, positions in open files, memory shared on purpose.
#pragma once

namespace lockstep::live::preload {

/// This process shall be a fork server.
void be_fork_server();

/// The program has opened a file, and reads it. After the fork this does nothing.
void tell_loaded(int descriptor);

/// The program is about to connect. Of a fork server only children return, once each.
void come_to_fork_point();

}  // namespace lockstep::live::preload
