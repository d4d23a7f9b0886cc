"""How long each benchmark takes in two checkouts that are built.

They run in turn, and the best of all rounds counts: a machine that is busy makes times longer, never
shorter. Bare Lua, which is nobody's code here, shows how much of a difference is the machine's.
"""

import json
import subprocess

FILTER = "check|kernel|execution$|script"  # without threads and the million runs
ROUNDS = 20
MIN_TIME_S = 0.04


def times(tree):
    """The CPU time of each benchmark, in the benchmark's own unit."""
    done = subprocess.run([tree / "build" / "bench" / "lockstep_bench", f"--benchmark_filter={FILTER}",
                           "--benchmark_format=json", f"--benchmark_min_time={MIN_TIME_S}"],
                          cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return {each["name"]: (each["cpu_time"], each["time_unit"]) for each in json.loads(done.stdout)["benchmarks"]}


def table(trees):
    """A line for each benchmark that both checkouts have."""
    best = ({}, {})
    for _ in range(ROUNDS):
        for tree, known in zip(trees, best):
            for name, time in times(tree).items():
                known[name] = min(known.get(name, time), time)
    before, after = best
    return "\n".join(f"{name:32} {before[name][0]:10.1f} -> {after[name][0]:8.1f} {after[name][1]:3}"
                     f"{after[name][0] / before[name][0] - 1:+7.1%}" for name in before if name in after)
