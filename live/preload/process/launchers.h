// Programs that only start others: env, and shells that run the wrapper scripts of pyenv, nvm and
// their like. They are left alone, and the program that takes their place is taken over.
//
// What they run on the way are children, which are left alone, too: the simulator makes the process
// that counts the leader of its group. They get no network: a worker that a shell starts beside
// itself would use the real one. A shell script that is itself the client runs in real time and
// never answers the simulator. What they run is told in the output when it wants a network.
#pragma once

namespace lockstep::live::preload {

bool is_left_alone();
/// It is left alone, and its first socket will be refused.
void expect_no_network();

}  // namespace lockstep::live::preload
