# Tells ctest of the test suites of a GoogleTest program, one ctest test for each suite.
#
# gtest_discover_tests makes a process of each case; with thousands of cases the starts take longer
# than the tests. A suite that fails still names the case.
#
# As a script: cmake -D PROGRAM=… -D PREFIX=… -D PROPERTIES=… -D OUTPUT=… -P discover_suites.cmake
# Included: discover_suites(TARGET PREFIX PROPERTY VALUE…)
#
# In a value @AND@ separates the parts of a list, and @SUITE@ is the suite's name. Each suite has a folder
# tmp/SUITE to write to, for no two tests of one build, or of two, may meet.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(discover_suites_script ${CMAKE_CURRENT_LIST_FILE})

  function(discover_suites target prefix)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
    string(JOIN "|" properties ${ARGN})
    add_custom_command(TARGET ${target} POST_BUILD
      BYPRODUCTS ${output}
      COMMAND ${CMAKE_COMMAND} -D "PROGRAM=$<TARGET_FILE:${target}>" -D "PREFIX=${prefix}"
              -D "PROPERTIES=${properties}" -D "OUTPUT=${output}" -P ${discover_suites_script}
      VERBATIM)
    # A program that is not built yet is a test that fails, and none that is silently left out.
    set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
    file(WRITE ${include} "if(EXISTS \"${output}\")\n  include(\"${output}\")\nelse()\n"
      "  add_test(${prefix}NOT_BUILT \"${target} is not built\")\nendif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
  endfunction()
  return()
endif()

execute_process(COMMAND ${PROGRAM} --gtest_list_tests
  OUTPUT_VARIABLE listing ERROR_VARIABLE errors RESULT_VARIABLE result TIMEOUT 120)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests ended with ${result}\n${listing}${errors}")
endif()

string(REPLACE "|" "]==] [==[" properties "${PROPERTIES}")
string(REPLACE "@AND@" ";" properties "${properties}")
get_filename_component(folder ${OUTPUT} DIRECTORY)
string(REPLACE ";" "\\;" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")
set(content "")
set(suites 0)
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([A-Za-z0-9_/]+)[.]")  # a case, or what the program says of itself
    continue()
  endif()
  set(suite ${CMAKE_MATCH_1})
  math(EXPR suites "${suites} + 1")
  string(REPLACE "/" "-" suite_folder ${suite})
  file(MAKE_DIRECTORY ${folder}/tmp/${suite_folder})
  string(REPLACE "@SUITE@" "${suite_folder}" suite_properties "${properties}")
  string(APPEND content
    "add_test([==[${PREFIX}${suite}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${suite}.*]==])\n"
    "set_tests_properties([==[${PREFIX}${suite}]==] PROPERTIES [==[${suite_properties}]==])\n")
endforeach()
if(suites EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} lists no tests")
endif()
file(WRITE ${OUTPUT} "${content}")
