# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# For WebAssembly with SIMD128, by Debian's clang 19, wasi-libc and libc++-19-dev-wasm32. Programs run in Node.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})  # Platform/WASI.cmake
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
# Debian's C++ library has no exceptions: what would throw ends the program. SIMD128 is in every browser since 2021
# (Safari: 2023).
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -mbulk-memory -mnontrapping-fptoint -fignore-exceptions -fno-rtti -nostdinc++ \
-isystem /usr/lib/llvm-19/include/wasm32-wasi/c++/v1 -isystem /usr/include/wasm32-wasi")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L/usr/lib/llvm-19/lib/wasm32-wasi -Wl,--stack-first -Wl,-z,stack-size=1048576")
set(CMAKE_CROSSCOMPILING_EMULATOR node;${CMAKE_CURRENT_LIST_DIR}/../../js/test/run_wasi.mjs)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
