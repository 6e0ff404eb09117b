# Fails unless `foretell explain --format gtest` writes GOLDEN.
#   cmake -DFORETELL=... -DGOLDEN=... -DWORK=... -P golden.cmake
set(path ${WORK}/shipping_path.cc)
execute_process(COMMAND ${FORETELL} check shipping --bug blind-append --engine por
  --json ${WORK}/path.json OUTPUT_QUIET RESULT_VARIABLE code)
if(NOT code EQUAL 1)
  message(FATAL_ERROR "check: exit code ${code}, expected 1")
endif()
execute_process(COMMAND ${FORETELL} explain ${WORK}/path.json --format gtest --output ${path}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${path} ${GOLDEN} RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${path} is not what ${GOLDEN} says")
endif()
