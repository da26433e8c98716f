# What is installed: the library, its headers, the command line, and how others find them (CMake and pkg-config).
include(CMakePackageConfigHelpers)

set(itomap_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/itomap)
install(TARGETS itomap EXPORT itomap_targets)
install(EXPORT itomap_targets NAMESPACE itomap:: DESTINATION ${itomap_package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/itomap
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CITATION.cff
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/itomapConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/itomapConfig.cmake INSTALL_DESTINATION ${itomap_package_dir})
# Before 1.0 a minor version may break the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/itomapConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/itomapConfig.cmake ${PROJECT_BINARY_DIR}/itomapConfigVersion.cmake
        DESTINATION ${itomap_package_dir})

# What a program needs besides when it links this static library: modules of pkg-config, packages of Debian.
set(itomap_pc_requires "fmt")
set(itomap_pc_libs "")
set(itomap_deb_depends "libeigen3-dev, libfmt-dev")
if(ITOMAP_WITH_ZIP)
  # Not by its module: that asks for the static libraries of bzip2 and OpenSSL, which Debian's libzip-dev does not bring.
  set(itomap_pc_libs "-lzip ")
  string(APPEND itomap_deb_depends ", libzip-dev")
endif()
if(itomap_has_report)
  string(APPEND itomap_pc_requires " zlib")
  string(APPEND itomap_deb_depends ", zlib1g-dev")
endif()
if(ITOMAP_WITH_FFTW)
  string(APPEND itomap_pc_requires " fftw3")
  string(APPEND itomap_deb_depends ", libfftw3-dev")
endif()
if(ITOMAP_WITH_HDF5)
  string(APPEND itomap_pc_requires " hdf5")
  string(APPEND itomap_deb_depends ", libhdf5-dev")
endif()

# Paths relative to the .pc file keep it right wherever the prefix is moved, a .deb or a test's folder.
file(RELATIVE_PATH itomap_pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/itomap.pc.in ${PROJECT_BINARY_DIR}/itomap.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/itomap.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# `make package`: a .deb of everything installed, one of the Python package, and the sources as git knows them.
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME itomap)
if(ITOMAP_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-itomap)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-numpy, python3-scipy, python3-sklearn")
endif()
set(CPACK_PACKAGE_CONTACT "The itomap authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS "${itomap_deb_depends}")
set(CPACK_STRIP_FILES ON)
include(CPack)
