# What every folder of the tree has in common: a library, its unit tests, its benchmarks.

add_library(foretell_flags INTERFACE)
# Off: a warning about defaulted members of designated initialisers, which we use on purpose, and
# two on which GCC 12 is wrong: temporaries of initialiser lists, and "literal" + std::string
# (GCC bug 105651).
set(foretell_warnings -Wall -Wextra -Wshadow -Wconversion -Wno-missing-field-initializers -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND foretell_warnings -Wno-maybe-uninitialized -Wno-restrict)
endif()
target_compile_options(foretell_flags INTERFACE "$<BUILD_INTERFACE:${foretell_warnings}>")

# foretell_folder(NAME [DEPS target...] [EXCEPT folder...] [APART regex]): the sources of the
# current folder, but for subfolders that are libraries of their own, become the library
# foretell_NAME (alias foretell::NAME); its *_test.cc become the test NAME_test and its *_bench.cc
# the executable NAME_bench. Each testdata/*_plugin.cc becomes a plug-in for the test to load.
# Tests that match APART are left to the folder's own build file.
function(foretell_folder name)
  cmake_parse_arguments(ARG "" "APART" "DEPS;EXCEPT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  foreach(folder ${ARG_EXCEPT})
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
  endforeach()
  set(tests ${sources})
  set(benches ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(ARG_APART)
    list(FILTER tests EXCLUDE REGEX "${ARG_APART}")
  endif()
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|_bench|main)\\.cc$|/(testdata|testing)/")

  add_library(foretell_${name} STATIC ${sources})
  add_library(foretell::${name} ALIAS foretell_${name})
  set_target_properties(foretell_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(foretell_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/foretell>)
  target_compile_features(foretell_${name} PUBLIC cxx_std_20)
  target_link_libraries(foretell_${name} PUBLIC ${ARG_DEPS}
                                         PRIVATE $<BUILD_INTERFACE:foretell_flags>)
  if(FORETELL_TESTS)
    foretell_tests(${name} "${tests}")
    foretell_benches(${name} "${benches}")
  endif()
endfunction()

# For tests: what takes time in them is in the libraries, and compiling them is half of a build.
function(foretell_quick_to_compile target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
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
