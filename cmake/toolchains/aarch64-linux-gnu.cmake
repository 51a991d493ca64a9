# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# For 64-bit Arm on another machine; programs run under QEMU. JUXTA_SYSROOT: Arm's libraries (scripts/cross_root).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)  # GCC notes that it passes some structs otherwise since version 10.1
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_SYSROOT ${JUXTA_SYSROOT})
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JUXTA_SYSROOT)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(JUXTA_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(JUXTA_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${JUXTA_QEMU} -L ${JUXTA_SYSROOT})
endif()
set(HDF5_ROOT ${JUXTA_SYSROOT}/usr/lib/aarch64-linux-gnu/hdf5/serial)  # not this machine's h5cc
