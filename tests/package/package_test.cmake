# Installs Foretell under WORK, builds the project beside this file against it, and runs the result.
#   cmake -DBUILD=... -DWORK=... -DFLAGS=... -P package_test.cmake
# FLAGS are the compiler flags of our build: sanitized libraries link only into sanitized programs.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  message(STATUS "${ARGV}\n${out}")
  if(NOT code STREQUAL expected)
    message(FATAL_ERROR "exit code ${code}, expected ${expected}")
  endif()
endfunction()

find_program(CMAKE_CTEST_COMMAND ctest REQUIRED)
set(expected 0)
set(prefix ${WORK}/prefix)
# A stale header of an earlier run would hide one that is no longer installed.
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

file(GLOB_RECURSE leaked ${prefix}/*_test* ${prefix}/*testdata* ${prefix}/*/testing/*)
if(leaked)
  message(FATAL_ERROR "test files are installed: ${leaked}")
endif()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G Ninja
  -DCMAKE_PREFIX_PATH=${prefix} "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/explore)
run(${WORK}/build/lock_test)

# The README's last two commands, with the installed executable.
set(foretell ${prefix}/bin/foretell)
set(plugin ${WORK}/build/liblock.so)
run(${foretell} check lock --plugin ${plugin} --require-complete)
run(${foretell} check lock --plugin ${plugin} --param clients=3 --crashes 1=1 --require-complete)
set(expected 1)
run(${foretell} check counter --plugin ${WORK}/build/libcounter.so)
run(${foretell} check lock --plugin ${plugin} --bug forgets-holder --json ${WORK}/bug.json)
set(expected 0)
run(${foretell} explain ${WORK}/bug.json --plugin ${plugin})

# `foretell new` writes a project that builds, holds, and breaks where it should.
execute_process(COMMAND ${foretell} new ticket-office WORKING_DIRECTORY ${WORK}
  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "foretell new: exit code ${code}\n${out}")
endif()
run(${CMAKE_COMMAND} -S ${WORK}/ticket-office -B ${WORK}/ticket-office/build -G Ninja
  -DCMAKE_PREFIX_PATH=${prefix} "-DCMAKE_CXX_FLAGS=${FLAGS} -Wall -Wextra -Werror")
run(${CMAKE_COMMAND} --build ${WORK}/ticket-office/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/ticket-office/build)
set(tickets ${WORK}/ticket-office/build/libticket_office.so)
run(${foretell} check ticket-office --plugin ${tickets} --require-complete --require-coverage)
set(expected 1)
run(${foretell} check ticket-office --plugin ${tickets} --bug forgets-numbers)
