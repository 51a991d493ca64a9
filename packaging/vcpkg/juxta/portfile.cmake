# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# UNTESTED: written by vcpkg's documentation, never run. The core of the checkout that this file is in; a port in a
# registry would get the sources of a release with vcpkg_from_git() instead.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES tbb JUXTA_TBB)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${features}
    -DJUXTA_BUILD_FILES=OFF
    -DJUXTA_BUILD_CONTEST=OFF
    -DJUXTA_BUILD_EXAMPLES=OFF
    -DJUXTA_WERROR=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/juxta)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
