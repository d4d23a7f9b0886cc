#!/usr/bin/env bash
# One fuzz target for each scenario in scenarios/: a program with the scenario's name that starts
# lockstep_choices_fuzz with it. Their corpora are entries as lockstep fuzz --corpus keeps them.
set -euo pipefail

cmake -S lockstep -B "$WORK/lockstep" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DLOCKSTEP_FUZZ=ON -DLOCKSTEP_TESTS=OFF -DLOCKSTEP_BENCH=OFF
ninja -C "$WORK/lockstep" lockstep_choices_fuzz
cp "$WORK/lockstep/tests/choices_fuzz/lockstep_choices_fuzz" "$OUT/"
cp -r lockstep/scripts "$OUT/lockstep-scripts"
cp -r scenarios locks "$OUT/"

for scenario in scenarios/*.toml; do
  name=$(basename "$scenario" .toml)
  # LLVMFuzzerTestOneInput: by this word ClusterFuzzLite knows a target.
  cat >"$OUT/$name" <<TARGET
#!/bin/sh
# LLVMFuzzerTestOneInput
here=\$(dirname "\$(readlink -f "\$0")")
LOCKSTEP_SCENARIO="\$here/$scenario" LOCKSTEP_SCRIPTS="\$here/lockstep-scripts" \\
  LOCKSTEP_OUT=/tmp/lockstep-out exec "\$here/lockstep_choices_fuzz" -max_len=65536 "\$@"
TARGET
  chmod +x "$OUT/$name"
done
