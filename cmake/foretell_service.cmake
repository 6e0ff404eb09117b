# What find_package(foretell) gives those who write services.
include(${CMAKE_CURRENT_LIST_DIR}/source_version.cmake)

# foretell_add_service(NAME SOURCE... [LINK target...]): a plug-in for `foretell check NAME --plugin
# libNAME.so`. Its version is a hash of the sources and of the headers that they include from their
# own folders; comments and white space do not count. What another version recorded is refused.
function(foretell_add_service name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  if(NOT ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "foretell_add_service(${name}): name its sources")
  endif()
  set(sources "")
  foreach(source ${ARG_UNPARSED_ARGUMENTS})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    list(APPEND sources ${source})
  endforeach()
  foretell_own_dependencies(dependencies ${sources})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${dependencies})
  foretell_hash(version ${dependencies})
  add_library(${name} MODULE ${sources})
  target_compile_features(${name} PRIVATE cxx_std_20)
  # With the second, what reads beyond the end of a vector, or an optional without a value, crashes
  # and is named, instead of finding whatever is there.
  target_compile_definitions(${name} PRIVATE FORETELL_SOURCE_VERSION="${version}"
    _GLIBCXX_ASSERTIONS)
  target_link_libraries(${name} PRIVATE foretell::model ${ARG_LINK})
endfunction()
