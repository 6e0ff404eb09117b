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

set(expected 0)
set(prefix ${WORK}/prefix)
# A stale header of an earlier run would hide one that is no longer installed.
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

file(GLOB_RECURSE leaked ${prefix}/*_test* ${prefix}/*testdata* ${prefix}/*testing*)
if(leaked)
  message(FATAL_ERROR "test files are installed: ${leaked}")
endif()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G Ninja
  -DCMAKE_PREFIX_PATH=${prefix} "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/explore)

# The README's last two commands, with the installed executable.
set(foretell ${prefix}/bin/foretell)
set(plugin ${WORK}/build/liblock.so)
run(${foretell} check lock --plugin ${plugin} --require-complete)
set(expected 1)
run(${foretell} check lock --plugin ${plugin} --bug forgets-holder --json ${WORK}/bug.json)
set(expected 0)
run(${foretell} explain ${WORK}/bug.json --plugin ${plugin})
