# The version of a service changes with the code that it depends on, and with nothing else.
#   cmake -DWORK=... -P source_version_test.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/source_version.cmake)

function(version result)
  foretell_dependencies(files ${WORK} ${WORK}/integration/mine/family.cc)
  foretell_hash(hash ${files})
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

function(expect what)
  version(now)
  if(what STREQUAL same AND NOT now STREQUAL before OR what STREQUAL other AND now STREQUAL before)
    message(FATAL_ERROR "${ARGN}: ${before} became ${now}, expected the ${what}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/integration/mine/family.cc
  "#include \"foretell/integration/family/script.h\"\nint a;\n")
file(WRITE ${WORK}/integration/family/script.h "#include \"foretell/model/cut.h\"\nint b;\n")
file(WRITE ${WORK}/integration/family/script.cc "int c;\n")
file(WRITE ${WORK}/model/cut.h "int d;\n")
file(WRITE ${WORK}/model/other.h "int e;\n")
version(before)

file(WRITE ${WORK}/model/other.h "int f;\n")
expect(same "a header that nobody includes")
file(WRITE ${WORK}/model/cut.h "// Words.\nint  d;\n")
expect(same "a comment")
file(WRITE ${WORK}/model/cut.h "int g;\n")
expect(other "a header behind a header")
version(before)
file(WRITE ${WORK}/integration/family/script.cc "int h;\n")
expect(other "the source of a header")
version(before)
file(WRITE ${WORK}/integration/mine/family.cc
  "#include \"foretell/integration/family/script.h\"\nint i;\n")
expect(other "the service itself")
