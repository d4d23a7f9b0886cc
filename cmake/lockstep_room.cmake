# One library for each room of the house, and the warnings and sanitizers all of them share.

add_library(lockstep_options INTERFACE)
target_compile_options(lockstep_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
# Warnings are errors with the compilers that .ci/run tests. Others warn of other things, and a
# newcomer's first build must not fail for that.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12[.]")
  # GCC 12 takes `"text" + string` for an overlapping copy (GCC bug 105651).
  target_compile_options(lockstep_options INTERFACE -Werror -Wno-restrict)
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
  target_compile_options(lockstep_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lockstep_options INTERFACE -fsanitize=address,undefined)
endif()

# With LOCKSTEP_UNITY the files of one folder are compiled together, and no others: a new file then
# meets the private names of its neighbours only.
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
endfunction()

# -O1 takes two thirds of the time of -O3 to compile. For what is done once, not for each run.
function(lockstep_compile_soon target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # What GCC 12 believes to see of the memory of strings at -O1 is wrong.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()
