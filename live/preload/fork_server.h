// A program that is started once and runs many times: it stops where it opens its first network
// socket, and forks there for each run.
//
// The child goes on with descriptors and a page of its own; what it would share with its siblings
// (eventfds, timers, pipes, epoll) is made anew. Before that point there is no simulator: time
// passes as soon as nothing else can happen. Other threads do not survive a fork.
//
// Not covered: bytes inside pipes at the fork, positions in open files, memory shared on purpose.
#pragma once

namespace lockstep::live::preload {

/// This process shall be a fork server.
void be_fork_server();

/// The program opens a network socket. Of a fork server only children return, once each.
void come_to_fork_point();

}  // namespace lockstep::live::preload
