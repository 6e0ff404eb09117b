# Manual pages from what the program says about itself: one for it, one for each command.
#   cmake -DFORETELL=PROGRAM -DVERSION=... -DOUT=FOLDER -P man.cmake

function(help_of text)
  execute_process(COMMAND ${FORETELL} ${ARGN} --help OUTPUT_VARIABLE out RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${FORETELL} ${ARGN} --help: exit code ${code}")
  endif()
  set(${text} "${out}" PARENT_SCOPE)
endfunction()

# Text as troff takes it for text.
function(escape text out)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(write_page name line text also)
  string(TOUPPER "${name}" title)
  escape("${title}" title)
  escape("${name} - ${line}" heading)
  string(REPLACE " \\- " " \\- " heading "${heading}")
  escape("${text}" text)
  file(WRITE ${OUT}/${name}.1 ".TH ${title} 1 \"\" \"foretell ${VERSION}\" \"Foretell\"\n"
    ".SH NAME\n${heading}\n.SH DESCRIPTION\n.nf\n${text}.fi\n.SH SEE ALSO\n${also}\n")
endfunction()

file(REMOVE_RECURSE ${OUT})
help_of(root)
# Of "  check      Search a service for violations" the name and the line.
string(REGEX REPLACE ".*\nSubcommands:\n" "" listed "${root}")
string(REGEX REPLACE "\n\n.*" "\n" listed "${listed}")
string(REPLACE ";" "\\;" listed "${listed}")
string(REGEX MATCHALL "  [a-z][a-z-]* +[^\n]*\n" listed "${listed}")
set(also "")
foreach(command ${listed})
  string(REGEX MATCH "^  ([a-z-]+) +([^\n]*)\n$" ignored "${command}")
  set(name ${CMAKE_MATCH_1})
  set(line "${CMAKE_MATCH_2}")
  help_of(text ${name})
  write_page(foretell-${name} "${line}" "${text}" ".BR foretell (1)")
  string(APPEND also ".BR foretell\\-${name} (1)\n")
endforeach()
if(also STREQUAL "")
  message(FATAL_ERROR "${FORETELL} --help lists no commands")
endif()
write_page(foretell "find the ways in which a distributed system can go wrong" "${root}" "${also}")
