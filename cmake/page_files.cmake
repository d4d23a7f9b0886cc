# Makes the files of an HTML report's page into a C++ source: cmake -Dbody=… -Dstyle=… -Dscripts=…;…
# -Doutput=… -P page_files.cmake. A file must not contain `)page"`.

# As raw string literals of moderate length: compilers need not take longer ones.
function(append_text name)
  set(content "")
  foreach(path ${ARGN})
    file(READ ${path} text)
    string(APPEND content "${text}")
  endforeach()
  set(literals "")
  while(NOT content STREQUAL "")
    string(SUBSTRING "${content}" 0 8000 piece)
    string(LENGTH "${content}" length)
    if(length GREATER 8000)
      # Between two lines, so that no character is cut in two.
      string(FIND "${piece}" "\n" end REVERSE)
      math(EXPR end "${end} + 1")
      string(SUBSTRING "${piece}" 0 ${end} piece)
    endif()
    string(APPEND literals "\n    R\"page(${piece})page\"")
    string(LENGTH "${piece}" length)
    string(SUBSTRING "${content}" ${length} -1 content)
  endwhile()
  string(APPEND source "const std::string_view ${name} = ${literals};\n")
  set(source "${source}" PARENT_SCOPE)
endfunction()

set(source "// Made by cmake/page_files.cmake.\n#include \"reports/html/html_page.h\"\n\nnamespace lockstep::reports {\n\n")
append_text(page_body ${body})
append_text(page_style ${style})
append_text(page_script ${scripts})
string(APPEND source "\n}  // namespace lockstep::reports\n")
file(WRITE ${output} "${source}")
