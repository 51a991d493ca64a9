# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# For 64-bit Windows on another machine; programs run under Wine. Clang with mingw-w64's headers and GCC's libstdc++: GCC
# itself does not align the stack for AVX there (its PR 54412). JUXTA_WINDOWS_ROOT: headers of what Juxta needs
# (scripts/windows_root). JUXTA_MINGW_CLANG: the version of clang and lld.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(JUXTA_MINGW_CLANG 14 CACHE STRING "The version of clang and lld")
set(JUXTA_MINGW_GCC /usr/lib/gcc/x86_64-w64-mingw32/12-posix CACHE PATH "libstdc++ with threads of POSIX")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JUXTA_WINDOWS_ROOT JUXTA_MINGW_CLANG JUXTA_MINGW_GCC)
set(triple x86_64-w64-mingw32)
set(CMAKE_C_COMPILER clang-${JUXTA_MINGW_CLANG})
set(CMAKE_CXX_COMPILER clang++-${JUXTA_MINGW_CLANG})
set(CMAKE_C_COMPILER_TARGET ${triple})
set(CMAKE_CXX_COMPILER_TARGET ${triple})
set(CMAKE_RC_COMPILER ${triple}-windres)
# Clang 14 does not find Debian's folders. libstdc++ was compiled with emulated thread-local variables, which
# std::call_once() shares with its callers.
set(CMAKE_CXX_FLAGS_INIT "-femulated-tls -stdlib++-isystem ${JUXTA_MINGW_GCC}/include/c++ -stdlib++-isystem ${JUXTA_MINGW_GCC}/include/c++/${triple}")
# Of all libraries the static form: a program runs wherever Windows does.
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld-${JUXTA_MINGW_CLANG} -static -B${JUXTA_MINGW_GCC} -L${JUXTA_MINGW_GCC}")
endforeach()
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT -lpthread)  # libstdc++ stands before it, which lld does not mind
set(CMAKE_FIND_ROOT_PATH ${JUXTA_WINDOWS_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(JUXTA_WINE NAMES wine64 wine)
if(JUXTA_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${JUXTA_WINE})
endif()
