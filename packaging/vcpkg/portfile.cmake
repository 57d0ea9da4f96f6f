# An overlay port of a clone: the sources are the tree that this file is in.
set(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../..")
vcpkg_configure_meson(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -Dtests=false -Dexamples=false -Dbench=false -Dcli=disabled -Drust=disabled -Dgo=disabled -Djava=disabled -Dpython=disabled)
vcpkg_install_meson()
vcpkg_fixup_pkgconfig()
vcpkg_cmake_config_fixup(PACKAGE_NAME pto CONFIG_PATH lib/cmake/pto)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
