# What every folder of the tree has in common: a library, its unit tests, its benchmarks.

add_library(foretell_flags INTERFACE)
# Off: a warning about defaulted members of designated initialisers, which we use on purpose, and
# two on which GCC 12 is wrong: temporaries of initialiser lists, and "literal" + std::string
# (GCC bug 105651).
set(foretell_warnings -Wall -Wextra -Wshadow -Wconversion -Wno-missing-field-initializers -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND foretell_warnings -Wno-array-bounds -Wno-maybe-uninitialized -Wno-restrict
       -Wno-stringop-overflow -Wno-stringop-overread)
else()
  # The rules of model/sync/mutex.h. Off: what GCC's -Wconversion leaves out.
  list(APPEND foretell_warnings -Wthread-safety -Wno-sign-conversion)
endif()
target_compile_options(foretell_flags INTERFACE "$<BUILD_INTERFACE:${foretell_warnings}>")

# foretell_precompiled(TARGET HEADER... [LINK target...]): a target that others take precompiled
# headers from. Parsing them is 40 % of what compiling costs. The Clang preset does without, so that
# every file still includes what it uses.
function(foretell_precompiled target)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(WRITE ${PROJECT_BINARY_DIR}/${target}.cc "")
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cc)
  target_link_libraries(${target} PRIVATE foretell_flags ${ARG_LINK})
  target_precompile_headers(${target} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
endfunction()

set(foretell_headers <algorithm> <chrono> <functional> <map> <memory> <optional> <set> <string>
  <utility> <vector> <absl/container/flat_hash_map.h> <absl/status/statusor.h>
  <absl/strings/str_cat.h>)
foretell_precompiled(foretell_library_headers ${foretell_headers})
if(FORETELL_TESTS)
  set(foretell_test_options $<$<CONFIG:Release>:-O1>)
  foretell_precompiled(foretell_test_headers ${foretell_headers} <gmock/gmock.h> <gtest/gtest.h>
    LINK GTest::gtest GTest::gmock)
  target_compile_options(foretell_test_headers PRIVATE ${foretell_test_options})
  # As in the executables that take it.
  set_target_properties(foretell_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(foretell_test_headers PRIVATE -fPIE)
endif()

# A header is included by its path behind "foretell/", in this tree as in an installed package, so
# that nobody's own model/ collides with ours.
foreach(folder agent dir integration lmc model predictors search snapshot tests)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/foretell)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/include/foretell/${folder}
    SYMBOLIC)
endforeach()

# The headers that users include are short names for headers of rooms: AS FILE.
set(foretell_front_doors
  service.h model/typed/foretell.h
  process.h model/process/foretell.h
  check.h predictors/check/check.h
  testing.h predictors/check/testing.h)
function(foretell_write_front_doors as file)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/foretell/${as}
    CONTENT "#pragma once\n\n#include \"foretell/${file}\"\n")
  if(ARGN)
    foretell_write_front_doors(${ARGN})
  endif()
endfunction()
foretell_write_front_doors(${foretell_front_doors})

# foretell_folder(NAME [DEPS target...] [EXCEPT folder...]): the sources of the current folder and
# its rooms, but for those that are libraries of their own, become the library foretell_NAME (alias
# foretell::NAME); its *_test.cc become the test NAME_test and its *_bench.cc the executable
# NAME_bench. Each testdata/*_plugin.cc becomes a plug-in for the test to load.
function(foretell_folder name)
  cmake_parse_arguments(ARG "" "" "DEPS;EXCEPT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  foreach(folder ${ARG_EXCEPT})
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
  endforeach()
  set(tests ${sources})
  set(benches ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|_bench|main)\\.cc$|/(testdata|testing)/")

  add_library(foretell_${name} STATIC ${sources})
  add_library(foretell::${name} ALIAS foretell_${name})
  set_target_properties(foretell_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(foretell_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(foretell_${name} PUBLIC cxx_std_20)
  target_precompile_headers(foretell_${name} REUSE_FROM foretell_library_headers)
  target_link_libraries(foretell_${name} PUBLIC ${ARG_DEPS}
                                         PRIVATE $<BUILD_INTERFACE:foretell_flags>)
  if(FORETELL_TESTS)
    foretell_tests(${name} "${tests}")
    foretell_benches(${name} "${benches}")
  endif()
endfunction()

# For tests: what takes time in them is in the libraries, and compiling them is half of a build.
function(foretell_quick_to_compile target)
  target_compile_options(${target} PRIVATE ${foretell_test_options})
  target_precompile_headers(${target} REUSE_FROM foretell_test_headers)
endfunction()

# Each test case is a ctest of its own: failures are named, and both cores are used.
function(foretell_tests name tests)
  if(NOT tests)
    return()
  endif()
  add_executable(${name}_test ${tests})
  foretell_quick_to_compile(${name}_test)
  target_link_libraries(${name}_test PRIVATE foretell_${name} foretell_flags GTest::gtest_main
                                             GTest::gmock)
  foretell_test_plugins(${name})
  gtest_discover_tests(${name}_test PROPERTIES TIMEOUT 600 DISCOVERY_TIMEOUT 60)
endfunction()

# The test finds them in the folder FORETELL_TESTDATA.
function(foretell_test_plugins name)
  file(GLOB plugins CONFIGURE_DEPENDS testdata/*_plugin.cc)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/testdata)
  foreach(source ${plugins})
    cmake_path(GET source STEM plugin)
    add_library(${plugin} MODULE ${source})
    set_target_properties(${plugin} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${folder})
    target_link_libraries(${plugin} PRIVATE foretell_${name} foretell_flags)
    add_dependencies(${name}_test ${plugin})
  endforeach()
  target_compile_definitions(${name}_test PRIVATE FORETELL_TESTDATA="${folder}")
endfunction()

# Benchmarks run once, tiny, as a test, so that they cannot rot.
function(foretell_benches name benches)
  if(NOT benches)
    return()
  endif()
  add_executable(${name}_bench ${benches})
  target_link_libraries(${name}_bench PRIVATE foretell_${name} foretell_flags
                                              benchmark::benchmark_main)
  add_test(NAME ${name}_bench COMMAND ${name}_bench --benchmark_min_time=0.001)
endfunction()

if(FORETELL_TESTS)
  include(GoogleTest)
endif()
