"""A machine for the tools to run on: a small repository, and programs that only write down calls.

Nothing is installed, built or asked of the network: cmake, ctest, dpkg-query, apt-get, apt-cache,
sudo and id are scripts in a folder that alone is on PATH, beside links to the plain tools of the
system. `calls()` tells which of them were called, with their arguments.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PLAIN_TOOLS = ("bash", "cat", "chmod", "cmp", "diff", "dirname", "env", "find", "flock", "grep",
               "head", "mkdir", "mktemp", "mv", "nproc", "printf", "pwd", "readlink", "rm", "sed", "sh",
               "sha256sum", "sleep", "sort", "touch", "tr", "wc", "xargs")

FAKES = {
    # Fails at a step where a file "fail-<step>" says so. A build makes a program that shows how it
    # was called.
    "cmake": """\
case $1 in
  --build)
    [ ! -e "$MACHINE/slow" ] || sleep 0.3
    echo 'compiling'
    [ ! -e "$MACHINE/fail-build" ] || { echo 'error: expected ;' >&2; exit 1; }
    mkdir -p "$2/app" "$2/tests"
    cat "$MACHINE/program" > "$2/app/lockstep"
    cat "$MACHINE/hashes" > "$2/tests/lockstep_hashes"
    chmod +x "$2/app/lockstep" "$2/tests/lockstep_hashes"
    ;;
  *)
    [ ! -e "$MACHINE/fail-configure" ] || { echo 'CMake Error: no compiler'; exit 1; }
    folder=$2/build; [ "$4" = gcc-release ] || folder=$2/build-$4
    mkdir -p "$folder"
    ! grep -qs poison "$folder/CMakeCache.txt" || { echo 'CMake Error: poison'; exit 1; }
    { echo "CMAKE_HOME_DIRECTORY:INTERNAL=$2"
      for word; do case $word in -D*) echo "${word#-D}" | sed 's/=/:BOOL=/';; esac; done
    } > "$folder/CMakeCache.txt"
    ;;
esac
""",
    "ctest": "echo '100% tests passed, 0 tests failed out of 7'\n",
    "dpkg-query": 'sed "s/$/ installed/" "$MACHINE/installed"\n',
    "apt-get": """\
[ ! -e "$MACHINE/fail-apt" ] || exit 100
for word; do
  [ -z "$after_install" ] || case $word in -*) ;; *) echo "$word" >> "$MACHINE/installed";; esac
  [ "$word" != install ] || after_install=yes
done
""",
    # Knows the names in the file "known", else every one; the pattern is ^name$.
    "apt-cache": """\
name=$(echo "$3" | sed 's/[\\\\^$]//g')
[ ! -e "$MACHINE/known" ] || grep -qxF "$name" "$MACHINE/known" || exit 0
echo "$name - a package"
""",
    "id": "echo 1000\n",
    # Becomes root for apt-get only, through env; the rest is written down and not done.
    "sudo": """\
[ "$1" != --non-interactive ] || { [ ! -e "$MACHINE/no-sudo" ]; exit; }
[ "$1" != env ] || exec "$@"
[ "$1" != tee ] || cat > "$MACHINE/tee-$(echo "$2" | tr / _)"
""",
}

PROGRAM = """\
#!/bin/sh
echo "in $(pwd) as $LOCKSTEP_COMMAND"
for word; do printf '[%s]\\n' "$word"; done
[ "$1" != fail ] || exit "$2"
"""

# Stands in for lockstep_hashes: one scenario, two seeds. A build whose name is in the file "differs"
# has another second event with seed 2.
HASHES = """\
#!/bin/sh
second=same
for name in $(cat "$MACHINE/differs" 2>/dev/null); do
  case $0 in */"$name"/*) second=other;; esac
done
case $* in
  "--events --seed 2 scenarios/a.toml") echo first; echo "second $second"; echo "third $second";;
  "--seeds 3 scenarios" | "--seeds 1 scenarios")
             echo "scenarios/a.toml seed=1 events=3 hash=1"
             [ "$2" = 1 ] || echo "scenarios/a.toml seed=2 events=3 hash=$second";;
  *) echo "not expected: $*" >&2; exit 1;;
esac
"""


class FakeMachine:
    """Owns a temporary folder; `close()` removes it."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name).resolve()
        self.repository = self.folder / "repository"
        self.elsewhere = self.folder / "elsewhere"
        self.elsewhere.mkdir()
        self._make_programs()
        self.make_repository()
        self.install_everything()

    def close(self):
        self._folder.cleanup()

    def _make_programs(self):
        self.programs = self.folder / "bin"
        self.programs.mkdir()
        for tool in PLAIN_TOOLS:
            (self.programs / tool).symlink_to(shutil.which(tool, path="/usr/bin:/bin"))
        (self.folder / "program").write_text(PROGRAM)
        (self.folder / "hashes").write_text(HASHES)
        for name, body in FAKES.items():
            script = self.programs / name
            script.write_text("#!/bin/sh\n"
                              f'printf "%s\\n" "{name} $*" >> "$MACHINE/calls"\n'
                              + body)
            script.chmod(0o755)

    def make_repository(self):
        tools = self.repository / "tools"
        tools.mkdir(parents=True)
        for name in ("common.bash", "lockstep", "matrix", "packages", "setup", "test"):
            shutil.copy(REPOSITORY / "tools" / name, tools / name)
        for path in ("CMakeLists.txt", "CMakePresets.json", "cmake/rooms.cmake",
                     "sim/CMakeLists.txt", "sim/deep/clock.cpp", "sim/deep/queue.cpp",
                     "app/CMakeLists.txt", "app/main.cpp", "tests/CMakeLists.txt",
                     "tests/sim/clock_test.cpp", "bench/CMakeLists.txt", "scenarios/a.toml"):
            file = self.repository / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(path)

    def packages(self, *groups):
        """The first alternatives of the packages of some groups, in order."""
        lines = (self.repository / "tools" / "packages").read_text().splitlines()
        rows = [line.split() for line in lines if line and not line.startswith("#")]
        return [row[1].split("|")[0] for row in rows if row[0] in groups]

    def install_everything(self):
        self.set_installed(self.packages("run", "test", "bench", "ci", "browser"))

    def set_installed(self, names):
        (self.folder / "installed").write_text("".join(name + "\n" for name in names))

    def installed(self):
        return (self.folder / "installed").read_text().split()

    def flag(self, name, content=""):
        """Sets one of the switches that the fakes look at."""
        (self.folder / name).write_text(content)

    def unflag(self, name):
        (self.folder / name).unlink()

    def remove_program(self, name):
        (self.programs / name).unlink()

    def environment(self):
        return {"PATH": str(self.programs), "MACHINE": str(self.folder), "LC_ALL": "C.UTF-8"}

    def run(self, *command, cwd=None):
        """Runs a tool to its end, by default from a folder outside the repository."""
        return subprocess.run([str(word) for word in command], cwd=cwd or self.elsewhere,
                              env=self.environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300, check=False)

    def start(self, *command):
        return subprocess.Popen([str(word) for word in command], cwd=self.elsewhere,
                                env=self.environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def calls(self, program=None):
        """The calls so far, one line each; of one program only, if it is named."""
        file = self.folder / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        return [line for line in lines if program is None or line.split()[0] == program]

    def forget_calls(self):
        (self.folder / "calls").unlink(missing_ok=True)

    def touch_later(self, path):
        """Edits a file of the repository, so that it is newer than any build so far."""
        file = self.repository / path
        with file.open("a") as text:
            text.write("edited\n")
        stamp = (self.repository / "build" / ".lockstep-built").stat().st_mtime
        os.utime(file, (stamp + 1, stamp + 1))
