# Installs Foretell under WORK, builds against it the projects beside this file, the one in the
# README and the one that `foretell new` writes, and runs the results.
#   cmake -DBUILD=... -DWORK=... -DFLAGS=... -P package_test.cmake
# FLAGS are the compiler flags of our build: sanitized libraries link only into sanitized programs.

set(expected 0)
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE code
    OUTPUT_VARIABLE out ERROR_VARIABLE out)
  message(STATUS "${ARGV}\n${out}")
  if(NOT code STREQUAL expected)
    message(FATAL_ERROR "exit code ${code}, expected ${expected}")
  endif()
endfunction()

# build(FOLDER): with the warnings that a careful user has.
function(build folder)
  run(${CMAKE_COMMAND} -S ${folder} -B ${folder}/build -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
    "-DCMAKE_CXX_FLAGS=${FLAGS} -Wall -Wextra -Wshadow -Wconversion -Werror")
  run(${CMAKE_COMMAND} --build ${folder}/build)
endfunction()

# A code block of the README becomes the file FOLDER/NAME that it quotes, as if somebody had copied
# it.
function(copy_from_readme folder name)
  file(READ ${CMAKE_CURRENT_LIST_DIR}/../../README.md text)
  string(FIND "${text}" "<!-- quote: tests/package/${folder}/${name} -->\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "the README does not quote ${folder}/${name}")
  endif()
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(REGEX REPLACE "^[^\n]*\n```[a-z]*\n" "" text "${text}")
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  file(WRITE ${WORK}/readme/${folder}/${name} "${text}")
endfunction()

set(prefix ${WORK}/prefix)
set(foretell ${prefix}/bin/foretell)
# A stale header of an earlier run would hide one that is no longer installed.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB_RECURSE leaked ${prefix}/*_test* ${prefix}/*testdata* ${prefix}/*/testing/*)
# Examples have tests of their own.
list(FILTER leaked EXCLUDE REGEX "/doc/foretell/examples/")
file(GLOB pages ${prefix}/share/man/man1/foretell*.1)
list(LENGTH pages count)
if(count LESS 10)
  message(FATAL_ERROR "${count} manual pages are installed")
endif()
if(leaked)
  message(FATAL_ERROR "test files are installed: ${leaked}")
endif()

foreach(name lock.h lock.cc lock_test.cc CMakeLists.txt)
  copy_from_readme(lock ${name})
endforeach()
build(${WORK}/readme/lock)
run(${WORK}/readme/lock/build/lock_test)
set(lock --plugin ${WORK}/readme/lock/build/liblock.so)
run(${foretell} check lock ${lock} --require-complete --require-coverage)
run(${foretell} check lock ${lock} --param clients=3 --crashes 1=1 --require-complete)
set(expected 1)
run(${foretell} check lock ${lock} --bug forgets-holder --json bug.json)
set(expected 0)
run(${foretell} explain bug.json ${lock})

foreach(name seats.h seats.cc seats_test.cc CMakeLists.txt)
  copy_from_readme(seats ${name})
endforeach()
build(${WORK}/readme/seats)
run(${WORK}/readme/seats/build/seats_test)
set(seats --plugin ${WORK}/readme/seats/build/libseats.so)
run(${foretell} check seats ${seats} --require-complete)
run(${foretell} check seats ${seats} --engine dpor --param customers=4 --require-complete)
set(expected 1)
run(${foretell} check seats ${seats} --engine dpor --bug by-name --json seats.json)
set(expected 0)
run(${foretell} explain seats.json ${seats} --format svg --output seats.svg)

file(COPY ${CMAKE_CURRENT_LIST_DIR}/ DESTINATION ${WORK}/others)
build(${WORK}/others)
run(${WORK}/others/build/explore)
set(commit --plugin ${WORK}/others/build/libcommit.so)
run(${foretell} check commit ${commit} --require-complete --require-coverage)
set(expected 1)
run(${foretell} check commit ${commit} --bug forgets-decision)
run(${foretell} check counter --plugin ${WORK}/others/build/libcounter.so)
set(expected 0)

# A name that the written header has already must compile, too.
run(${foretell} new ticket)
build(${WORK}/ticket)
run(${foretell} check ticket --plugin ${WORK}/ticket/build/libticket.so --require-complete)

run(${foretell} new ticket-office)
build(${WORK}/ticket-office)
run(${WORK}/ticket-office/build/ticket_office_test)
set(tickets --plugin ${WORK}/ticket-office/build/libticket_office.so)
run(${foretell} check ticket-office ${tickets} --require-complete --require-coverage)
set(expected 1)
run(${foretell} check ticket-office ${tickets} --bug forgets-numbers)
