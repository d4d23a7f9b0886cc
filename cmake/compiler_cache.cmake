# What was compiled before, here or in another clone, is not compiled again where ccache is there.
#
# Clones lie in folders of their own, so paths below the repository are compared as relative ones, and
# __FILE__ is relative to it. The second line of settings lets ccache know a precompiled
# header by what it was made of.

find_program(ccache ccache)
if(ccache AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(with_cache ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${ccache})
  set(CMAKE_C_COMPILER_LAUNCHER ${with_cache})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${with_cache})
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

# Clang's precompiled headers hold the path of their folder: what includes one is known in no other clone.
# Of files that are compiled by folders they save it nothing.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
