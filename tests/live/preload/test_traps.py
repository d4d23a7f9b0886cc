"""Each system call that is trapped (live/preload) has a probe that makes it."""

import re
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
# What libc's function is called, where that is not the call's own name.
FUNCTIONS = {"clone3": "std::thread", "epoll_create": "SYS_epoll_create", "eventfd2": "eventfd", "execve": "execl",
             "exit_group": "std::exit", "futex": "SYS_futex", "getdents64": "readdir", "openat": "open",
             "pselect6": "pselect", "recvfrom": "recv", "sendto": "send", "tgkill": "raise",
             "rt_sigaction": "sigaction", "rt_sigprocmask": "pthread_sigmask", "rt_sigqueueinfo": "sigqueue",
             "rt_sigsuspend": "sigsuspend", "rt_sigtimedwait": "sigwaitinfo", "rt_tgsigqueueinfo": "pthread_sigqueue"}


class TrappedCalls(unittest.TestCase):
    def test_are_each_made_by_a_probe(self):
        library = "".join(path.read_text() for path in (REPOSITORY / "live" / "preload").rglob("*.cpp"))
        probes = "".join(path.read_text() for path in (Path(__file__).parent / "probe").glob("*.cpp"))
        trapped = set(re.findall(r"\{SYS_(\w+),", library))
        self.assertGreater(len(trapped), 90)
        without = [call for call in sorted(trapped)
                   if not re.search(rf"\b(SYS_{call}|(?<!SYS_){FUNCTIONS.get(call, call)})\b *[({{ ,]", probes)]
        self.assertEqual(without, [])


if __name__ == "__main__":
    unittest.main()
