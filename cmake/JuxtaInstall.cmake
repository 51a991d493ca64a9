# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# What `cmake --install` puts where: libraries, public headers, the CMake package and the pkg-config file.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/juxta DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
