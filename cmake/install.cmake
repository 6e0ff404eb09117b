# `cmake --install` and `find_package(foretell)`: what an out-of-tree service or plug-in needs.
# A header is public by its position: it stands in one of these folders itself, not below it. What
# they include is public as well (tests/tidy), so the rooms behind them can change as they like.
include(CMakePackageConfigHelpers)

set(foretell_public_folders model model/foreign model/liveness model/plain model/process
  model/process/mpi model/typed
  predictors/check snapshot/node integration/sdk integration/sdk/values)
set(foretell_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/foretell)

install(TARGETS foretell_model foretell_search foretell_lmc foretell_dir foretell_predictors
  foretell_storage foretell_snapshot foretell_sdk EXPORT foretell
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(folder ${foretell_public_folders})
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.h)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/foretell/${folder})
endforeach()
foreach(header service.h process.h check.h testing.h)
  install(FILES ${PROJECT_BINARY_DIR}/include/foretell/${header}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/foretell)
endforeach()
# The C header of services in other languages stands where every compiler looks.
install(FILES ${PROJECT_SOURCE_DIR}/model/foreign/wire/foretell_service.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT foretell NAMESPACE foretell:: FILE foretell-targets.cmake
  DESTINATION ${foretell_config_dir})

configure_package_config_file(cmake/foretell-config.cmake.in
  ${CMAKE_BINARY_DIR}/foretell-config.cmake INSTALL_DESTINATION ${foretell_config_dir})
# Before 1.0 every minor version may break its users.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/foretell-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/foretell_service.cmake cmake/source_version.cmake
  DESTINATION ${foretell_config_dir})
install(FILES ${CMAKE_BINARY_DIR}/foretell-config.cmake
  ${CMAKE_BINARY_DIR}/foretell-config-version.cmake DESTINATION ${foretell_config_dir})

if(TARGET foretell)
  install(TARGETS foretell RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Where systemd looks, below any prefix; the rest is to be copied and changed.
install(FILES agent/ops/foretell-agent.service agent/ops/foretell-node@.service
  DESTINATION lib/systemd/system)
install(FILES agent/ops/foretell.sysusers.conf DESTINATION lib/sysusers.d RENAME foretell.conf)
install(FILES agent/ops/foretell.tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME foretell.conf)
install(FILES agent/ops/agent.toml agent/ops/foretell-alerts.yml agent/ops/foretell-alerts.test.yml
  agent/ops/grafana-dashboard.json DESTINATION ${CMAKE_INSTALL_DATADIR}/foretell)
install(FILES agent/ops/foretell.bash-completion
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME foretell)
install(FILES README.md ARCHITECTURE.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Services of one's own to begin with: those that the tests build against an installation.
install(DIRECTORY tests/package/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
  PATTERN "*_test.cmake" EXCLUDE)
if(TARGET foretell)
  install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" -DFORETELL=$<TARGET_FILE:foretell>
    -DVERSION=${PROJECT_VERSION} -DOUT=${CMAKE_BINARY_DIR}/man
    -P \"${PROJECT_SOURCE_DIR}/cmake/man.cmake\" COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
include(cmake/package.cmake)
