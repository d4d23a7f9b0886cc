# What the tools share: where the repository is, and how it is configured and built.
#
# Sourced by the other tools, not run. Everything said here goes to standard error, so that a tool's
# standard output is its result.
# shellcheck shell=bash

set -euo pipefail

repository=$(cd -P "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

say() { printf 'tools/%s: %s\n' "${0##*/}" "$*" >&2; }

fail() {
  say "$@"
  exit 1
}

# The lines at the top of a tool, without the first: its help.
print_help() { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; }

# build_folder PRESET: the folder that CMakePresets.json gives the preset.
build_folder() {
  case $1 in
    gcc-release) printf '%s/build' "$repository" ;;
    gcc-debug | clang-release | clang-debug | clang-fuzz | dev | tidy) printf '%s/build-%s' "$repository" "$1" ;;
    *) fail "there is no preset '$1'; there are gcc-release, gcc-debug, clang-release, clang-debug, clang-fuzz, dev, tidy" ;;
  esac
}

# A test that takes longer hangs, and fails: the slowest takes a tenth of this on a machine that is busy.
# shellcheck disable=SC2034 # of the tools that run ctest
hung_test_s=900

# lock_folder FOLDER: waits until nobody else builds in it; keeps the lock while this process runs,
# or until unlock_folder.
lock_folder() {
  mkdir -p "$1"
  exec {folder_lock}>"$1/.lockstep-lock"
  if ! flock --nonblock "$folder_lock"; then
    say "waiting for another build in ${1##*/}/"
    flock "$folder_lock"
  fi
}

unlock_folder() { exec {folder_lock}>&-; }

# A cache of another folder (the repository was moved or copied) or of a configuration that failed
# half-way is of no use: CMake would build the other folder, or fail again.
forget_configuration() { rm -rf "$1/CMakeCache.txt" "$1/CMakeFiles"; }

# configure PRESET CMAKE_ARGUMENT…: quiet where it works, everything where it does not.
configure() {
  local preset=$1 folder log
  shift
  folder=$(build_folder "$preset")
  log=$folder/configure.log
  if [[ -f $folder/CMakeCache.txt ]] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$repository" "$folder/CMakeCache.txt"; then
    forget_configuration "$folder"
  fi
  cmake -S "$repository" --preset "$preset" "$@" >"$log" 2>&1 && return
  forget_configuration "$folder"
  cmake -S "$repository" --preset "$preset" "$@" >"$log" 2>&1 && return
  cat "$log" >&2
  say "CMake could not configure ${folder##*/}/ (preset $preset); its words are above"
  return 1
}

# The stamp says of which repository build/app/lockstep was built, of which sources (source_digest), and
# which program that is; and, by its time, when: the time is that of the build's beginning, so that what
# is edited meanwhile counts as newer.
built_stamp=$repository/build/.lockstep-built

# build PRESET TARGET CMAKE_ARGUMENT…: configures and builds. REQUIRES: the caller has the lock.
build() {
  local preset=$1 target=$2 folder
  shift 2
  folder=$(build_folder "$preset")
  { printf '%s\n' "$repository" && source_digest; } >"$folder/.lockstep-building"
  configure "$preset" "$@" || return 1
  if ! cmake --build "$folder" --parallel "$(nproc)" --target "$target" >&2; then
    say "the build of '$target' in ${folder##*/}/ failed; the compiler's words are above"
    return 1
  fi
  if [[ $preset == gcc-release && ($target == lockstep || $target == all) ]]; then
    { cat "$folder/.lockstep-building" && program_digest; } >"$built_stamp.new"
    touch -r "$folder/.lockstep-building" "$built_stamp.new"
    mv "$built_stamp.new" "$built_stamp"
    rm "$folder/.lockstep-building"
  else
    rm "$folder/.lockstep-building"
  fi
}

# program_sources: the files and folders that build/app/lockstep is made of, one a line.
program_sources() {
  local list
  printf '%s\n' CMakeLists.txt CMakePresets.json cmake
  for list in "$repository"/*/CMakeLists.txt; do
    list=${list%/CMakeLists.txt}
    case ${list##*/} in
      tests | bench) ;;
      *) printf '%s\n' "${list##*/}" ;;
    esac
  done
}

# source_digest: tells other sources apart, whatever their times: a checkout makes all of them new.
source_digest() {
  (
    cd "$repository"
    mapfile -t sources < <(program_sources)
    find "${sources[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
  ) | { read -r digest _ && printf '%s\n' "$digest"; }
}

program_digest() { sha256sum <"$repository/build/app/lockstep"; }

# Whether build/app/lockstep is what was built here of just these sources, though their times say
# nothing of that: a cached build in a fresh checkout. If so the next start sees it by the times.
lockstep_is_of_these_sources() {
  local stamp=()
  [[ -x $repository/build/app/lockstep && -f $built_stamp ]] || return 1
  mapfile -t stamp <"$built_stamp"
  [[ ${#stamp[@]} -eq 3 && ${stamp[0]} == "$repository" ]] || return 1
  : >"$built_stamp.new"
  if [[ ${stamp[1]} == "$(source_digest)" && ${stamp[2]} == "$(program_digest)" ]]; then
    touch -r "$built_stamp.new" "$built_stamp" "$repository/build/app/lockstep"
    rm "$built_stamp.new"
    return 0
  fi
  rm "$built_stamp.new"
  return 1
}

# Whether build/app/lockstep was built here, after the last change of a source, a CMake file or a
# folder (a deleted file changes its folder).
lockstep_is_built() {
  local built_for='' changed sources=()
  [[ -x $repository/build/app/lockstep && -f $built_stamp ]] || return 1
  read -r built_for <"$built_stamp" || return 1
  [[ $built_for == "$repository" ]] || return 1
  mapfile -t sources < <(program_sources)
  sources=("${sources[@]/#/$repository/}")
  changed=$(find "${sources[@]}" -newer "$built_stamp" -print -quit) || return 1
  [[ -z $changed ]]
}
