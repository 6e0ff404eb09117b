# `cpack` in the build folder makes a Debian package of what `cmake --install` installs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME foretell)
set(CPACK_PACKAGE_VENDOR foretell)
set(CPACK_PACKAGE_CONTACT "Foretell <foretell@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sees invariant violations of distributed systems coming")
set(CPACK_PACKAGE_DESCRIPTION "An agent that watches a live cluster, predicts how its invariants
can be violated and can keep that from happening; and the same checker offline.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS systemd)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/postinst
  ${PROJECT_SOURCE_DIR}/cmake/debian/prerm ${PROJECT_SOURCE_DIR}/cmake/debian/postrm)
include(CPack)
