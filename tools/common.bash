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

# The stamp says of which repository build/app/lockstep was built, and, by its time, when: the time
# is that of the build's beginning, so that what is edited meanwhile counts as newer.
built_stamp=$repository/build/.lockstep-built

# build PRESET TARGET CMAKE_ARGUMENT…: configures and builds. REQUIRES: the caller has the lock.
build() {
  local preset=$1 target=$2 folder
  shift 2
  folder=$(build_folder "$preset")
  printf '%s\n' "$repository" >"$folder/.lockstep-building"
  configure "$preset" "$@" || return 1
  if ! cmake --build "$folder" --parallel "$(nproc)" --target "$target" >&2; then
    say "the build of '$target' in ${folder##*/}/ failed; the compiler's words are above"
    return 1
  fi
  if [[ $preset == gcc-release && ($target == lockstep || $target == all) ]]; then
    mv "$folder/.lockstep-building" "$built_stamp"
  else
    rm "$folder/.lockstep-building"
  fi
}

# Whether build/app/lockstep was built here, after the last change of a source, a CMake file or a
# folder (a deleted file changes its folder).
lockstep_is_built() {
  local built_for='' list changed sources=()
  [[ -x $repository/build/app/lockstep && -f $built_stamp ]] || return 1
  read -r built_for <"$built_stamp" || return 1
  [[ $built_for == "$repository" ]] || return 1
  sources=("$repository/CMakeLists.txt" "$repository/CMakePresets.json" "$repository/cmake")
  for list in "$repository"/*/CMakeLists.txt; do
    case ${list#"$repository"/} in
      tests/* | bench/*) ;;
      *) sources+=("${list%/CMakeLists.txt}") ;;
    esac
  done
  changed=$(find "${sources[@]}" -newer "$built_stamp" -print -quit) || return 1
  [[ -z $changed ]]
}
