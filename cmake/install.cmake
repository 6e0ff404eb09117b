# `cmake --install` and `find_package(foretell)`: what an out-of-tree service or plug-in needs.
# The folders in `foretell_public` are libraries for others; the agent is an executable only.
include(CMakePackageConfigHelpers)

set(foretell_public model search snapshot lmc dir predictors integration)
set(foretell_inner sdk storage)  # Libraries in subfolders of these.
set(foretell_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/foretell)

set(foretell_public_targets ${foretell_public} ${foretell_inner})
list(TRANSFORM foretell_public_targets PREPEND foretell_)
install(TARGETS ${foretell_public_targets} EXPORT foretell
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Headers name each other by folder ("model/service.h"), so the folders stay together.
install(DIRECTORY ${foretell_public} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/foretell
  FILES_MATCHING PATTERN "*.h"
  # Ours alone: they need the generated schema, kj or raft.h.
  PATTERN "convert.h" EXCLUDE
  PATTERN "fixture_replay_impl.h" EXCLUDE
  PATTERN "instance_impl.h" EXCLUDE
  PATTERN "message.h" EXCLUDE
  PATTERN "rpc_acceptor.h" EXCLUDE
  PATTERN "rpc_hints.h" EXCLUDE
  PATTERN "rpc_link.h" EXCLUDE
  PATTERN "rpc_loop.h" EXCLUDE
  PATTERN "rpc_node.h" EXCLUDE
  PATTERN "rpc_pack.h" EXCLUDE
  PATTERN "rpc_peer.h" EXCLUDE
  PATTERN "rpc_socket.h" EXCLUDE
  PATTERN "rpc_status.h" EXCLUDE
  PATTERN "rpc_tls.h" EXCLUDE
  PATTERN "testdata" EXCLUDE
  PATTERN "testing" EXCLUDE
  PATTERN "*_test*" EXCLUDE)
install(EXPORT foretell NAMESPACE foretell:: FILE foretell-targets.cmake
  DESTINATION ${foretell_config_dir})

configure_package_config_file(cmake/foretell-config.cmake.in
  ${CMAKE_BINARY_DIR}/foretell-config.cmake INSTALL_DESTINATION ${foretell_config_dir})
# Before 1.0 every minor version may break its users.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/foretell-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/foretell-config.cmake
  ${CMAKE_BINARY_DIR}/foretell-config-version.cmake DESTINATION ${foretell_config_dir})

if(TARGET foretell)
  install(TARGETS foretell RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Where systemd looks, below any prefix; the rest is to be copied and changed.
install(FILES agent/ops/foretell-agent.service DESTINATION lib/systemd/system)
install(FILES agent/ops/agent.toml agent/ops/foretell-alerts.yml agent/ops/grafana-dashboard.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/foretell)
