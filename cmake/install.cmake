# `cmake --install` and `find_package(foretell)`: what an out-of-tree service or plug-in needs.
include(CMakePackageConfigHelpers)

set(foretell_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/foretell)
