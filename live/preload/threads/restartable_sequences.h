// Restartable sequences (rseq): by them the kernel tells each thread on which processor it is. They
// are turned off; libc then asks the vDSO.
#pragma once

namespace lockstep::live::preload {

/// Finds out where libc has registered them.
void find_restartable_sequences();

/// For the calling thread.
void turn_off_restartable_sequences();

}  // namespace lockstep::live::preload
