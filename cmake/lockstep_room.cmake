# One library for each room of the house, and the warnings and sanitizers all of them share.

add_library(lockstep_options INTERFACE)
target_compile_options(lockstep_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
# Warnings are errors with the compilers that .ci/run tests. Others warn of other things, and a
# newcomer's first build must not fail for that.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12[.]")
  # GCC 12 takes `"text" + string` for an overlapping or endless copy (GCC bug 105651), and tells of it
  # where the headers are precompiled.
  target_compile_options(lockstep_options INTERFACE
    -Werror -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION MATCHES "^14[.]")
  target_compile_options(lockstep_options INTERFACE -Werror)
endif()
# Of files that are compiled together, Clang also minds a parameter with the name of another file's
# private function. GCC's check stays on in every build, Clang's where files are compiled alone.
if(LOCKSTEP_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  target_compile_options(lockstep_options INTERFACE -Wno-shadow)
endif()
target_include_directories(lockstep_options INTERFACE ${PROJECT_SOURCE_DIR})
if(LOCKSTEP_FUZZ)
  target_compile_options(lockstep_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(LOCKSTEP_SANITIZE OR LOCKSTEP_FUZZ)
  # Without a check of each pointer: it took a third of the time to compile. A null pointer stops a program
  # with AddressSanitizer, too; what is not aligned is given up, as nothing here makes a pointer of another type's.
  target_compile_options(lockstep_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize=null,alignment -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lockstep_options INTERFACE -fsanitize=address,undefined)
endif()

# With LOCKSTEP_UNITY the files of one folder are compiled together, and no others but those of
# lockstep_compile_together: a new file then meets the private names of its neighbours only.
function(lockstep_compile_by_folder target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# lockstep_sources_of(TARGET FOUND FOLDER...): sets FOUND to the target's sources in these folders of the room
# (. is its own).
function(lockstep_sources_of target found)
  get_target_property(sources ${target} SOURCES)
  set(in_folders)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
    if(folder STREQUAL "")
      set(folder .)
    endif()
    if(folder IN_LIST ARGN)
      list(APPEND in_folders ${source})
    endif()
  endforeach()
  set(${found} ${in_folders} PARENT_SCOPE)
endfunction()

# lockstep_compile_together(TARGET FOLDER...): with LOCKSTEP_UNITY these folders of the room (. is its own)
# are compiled as one. Small folders take longer to read what they include than to compile what they say:
# a folder of its own is for what takes ten seconds. Their private names must differ then, too.
function(lockstep_compile_together target)
  list(GET ARGN 0 first)
  string(MAKE_C_IDENTIFIER "${target}_with_${first}" group)
  lockstep_sources_of(${target} sources ${ARGN})
  set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${group})
endfunction()

# What most files include is read once, not for each folder: that takes longer than many a folder by
# itself. Files that share a precompiled header are compiled with the same options: lockstep_precompiled
# for most rooms, lockstep_precompiled_soon for those of lockstep_compile_soon.
function(lockstep_share_headers target name)
  if(NOT TARGET ${name})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "// Only for its headers.\n")
    add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE lockstep_options fmt::fmt)
    target_compile_options(${name} PRIVATE ${ARGN})
    target_precompile_headers(${name} PRIVATE
      <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span>
      <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
  endif()
  set_target_properties(${target} PROPERTIES PRECOMPILE_HEADERS_REUSE_FROM ${name})
endfunction()

# lockstep_room(NAME LIBRARY...) makes the target lockstep_NAME (alias lockstep::NAME) from every
# .cpp below the calling folder, linked to the libraries named. The order of the rooms in
# docs/architecture.md is the order of the links; tests/architecture holds the includes to it.
function(lockstep_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(lockstep_${name} STATIC ${sources})
  add_library(lockstep::${name} ALIAS lockstep_${name})
  target_link_libraries(lockstep_${name} PUBLIC $<BUILD_INTERFACE:lockstep_options> ${ARGN})
  # A new enumerator is asked for wherever there is a switch, `default:` or not.
  target_compile_options(lockstep_${name} PRIVATE -Wswitch-enum)
  lockstep_compile_by_folder(lockstep_${name})
  if("fmt::fmt" IN_LIST ARGN)
    lockstep_share_headers(lockstep_${name} lockstep_precompiled)
  endif()
endfunction()

# lockstep_inline_more(TARGET): GCC lets a unit grow by two fifths at most as it takes small functions in.
# Of a folder compiled together more than that are on the way of each event: a run took a twentieth longer.
function(lockstep_inline_more target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(option --param=inline-unit-growth=100)
    target_compile_options(${target} PRIVATE ${option})
    lockstep_share_headers(${target} lockstep_precompiled_inlining ${option})
  endif()
endfunction()

# lockstep_compile_soon(TARGET [FOLDER...]): -O1 takes two thirds of the time of -O3 to compile. For what is
# done once, not in each run: the whole target, or these folders of it (. is its own).
function(lockstep_compile_soon target)
  set(option $<$<CONFIG:Release>:-O1>)
  if(ARGN)
    get_target_property(sources ${target} SOURCES)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    lockstep_sources_of(${target} soon ${ARGN})
    list(REMOVE_ITEM sources ${soon})
    add_library(${target}_soon OBJECT ${soon})
    target_link_libraries(${target}_soon PRIVATE ${libraries})
    target_compile_options(${target}_soon PRIVATE -Wswitch-enum)
    set_target_properties(${target}_soon PROPERTIES UNITY_BUILD_MODE GROUP)
    set_target_properties(${target} PROPERTIES SOURCES "${sources}")
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_soon>)
    set(target ${target}_soon)
  endif()
  target_compile_options(${target} PRIVATE ${option})
  lockstep_share_headers(${target} lockstep_precompiled_soon ${option})
endfunction()
