# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# One function per kind of target, so that every folder's CMakeLists.txt is a list of names.
include_guard()

# Builds of this tree go through ccache where it is installed.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(JUXTA_CCACHE ccache)
  if(JUXTA_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${JUXTA_CCACHE})
  endif()
endif()

# What every target of this project is compiled with. -ffp-contract=off: gcc would otherwise fuse a*b+c,
# and the same program would give other bits on another instruction set (docs/decisions).
add_library(juxta_build_options INTERFACE)
target_compile_features(juxta_build_options INTERFACE cxx_std_20)
if(MSVC)  # clang-cl, which takes the options of cl: there, -Wall is every warning that Clang has. Not tried here.
  target_compile_options(juxta_build_options INTERFACE /W3 /utf-8 /EHsc /fp:precise /clang:-ffp-contract=off)
  target_compile_definitions(juxta_build_options INTERFACE NOMINMAX _CRT_SECURE_NO_WARNINGS)
  set(juxta_include_first /FI)
else()
  target_compile_options(juxta_build_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -ffp-contract=off
                                                       $<$<BOOL:${JUXTA_WERROR}>:-Werror>)
  set(juxta_include_first "-include ")
endif()

if(JUXTA_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 warns of std::string's own code (its PR 105329 and 105651), which it does not recognise as the system's in a
  # precompiled header. The builds without these still warn. A header that does not suit a file's flags is read as text.
  target_compile_options(juxta_build_options INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                                                       -Wno-stringop-overread -Wno-error=invalid-pch)
  # Files that are compiled together need more memory than the compiler takes before it starts to tidy up (128 MB).
  target_compile_options(juxta_build_options INTERFACE "SHELL:--param ggc-min-heapsize=524288")
endif()

# juxta_find_best_isa(): JUXTA_BEST_ISA is the best instruction set of this machine, such as kAvx3. A build for this
# machine alone holds only that one, and takes two thirds of the time.
function(juxta_find_best_isa)
  if(NOT CMAKE_CROSSCOMPILING AND NOT DEFINED JUXTA_BEST_ISA)
    try_run(code compiles ${PROJECT_BINARY_DIR}/best_isa ${PROJECT_SOURCE_DIR}/cmake/best_isa.cpp RUN_OUTPUT_VARIABLE best)
    if(compiles AND code EQUAL 0)
      set(JUXTA_BEST_ISA ${best} CACHE INTERNAL "The instruction set that kernels are compiled for, if only one")
      message(STATUS "Kernels for this machine alone: ${best}")
    endif()
  endif()
endfunction()

# Kernels find themselves again through the repository root (hwy/foreach_target.h), and start at SSE4.
add_library(juxta_kernel_options INTERFACE)
target_include_directories(juxta_kernel_options INTERFACE ${PROJECT_SOURCE_DIR})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
  if(JUXTA_COMMAND_ONLY)
    juxta_find_best_isa()
    set(juxta_only_isa ${JUXTA_BEST_ISA})  # for JuxtaInteractions too
  endif()
  if(juxta_only_isa)
    string(TOUPPER ${juxta_only_isa} juxta_only_target)
    string(REGEX REPLACE "^K" "HWY_" juxta_only_target ${juxta_only_target})
    target_compile_definitions(juxta_kernel_options INTERFACE HWY_COMPILE_ONLY_STATIC
                                                              HWY_BASELINE_TARGETS=${juxta_only_target})
  else()
    target_compile_definitions(juxta_kernel_options INTERFACE HWY_BASELINE_TARGETS=HWY_SSE4)
  endif()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64")
  # Every 64-bit Arm has NEON. Not SVE: its registers have no size, and cannot stand in the structs of kernels.
  # The last word keeps Highway from asking for AES, which a Raspberry Pi 4 lacks.
  target_compile_definitions(juxta_kernel_options INTERFACE HWY_COMPILE_ONLY_STATIC HWY_BASELINE_TARGETS=HWY_NEON
                                                            TOOLCHAIN_MISS_SYS_AUXV_H)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32)
  # Sizes have 32 bits there, and numbers in files 64: readers compare them with what the file holds.
  target_compile_options(juxta_build_options INTERFACE -Wno-shorten-64-to-32 -Wno-sign-conversion)
  target_compile_definitions(juxta_kernel_options INTERFACE HWY_COMPILE_ONLY_STATIC HWY_BASELINE_TARGETS=HWY_WASM)
endif()

# juxta_precompile(target header): the target's files begin with cmake/precompiled/<header>.h, compiled once.
# juxta_precompile(target REUSE_FROM other): with that of another target, which must have the same flags.
# Off unless JUXTA_PRECOMPILE is on, as in ./run and ./test: ccache does not keep what is compiled like this, and
# a file that forgets an include must not compile in the builds of those who edit it.
function(juxta_precompile target header)
  if(NOT JUXTA_PRECOMPILE)
    return()
  elseif(header STREQUAL REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${header}.h)
  endif()
endfunction()

# juxta_together(target [FOLDERS...]): where JUXTA_PRECOMPILE is on, files of one folder are compiled eight at a time.
# Most of what a file costs are its headers, and a compiler that has to start. Kernels, which include themselves, and
# files with options of their own stay alone. Without FOLDERS: those of the target's own folder.
function(juxta_together target)
  if(NOT JUXTA_PRECOMPILE)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(root ${target} SOURCE_DIR)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${root})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${root})
    if((folder IN_LIST ARGN OR (folder STREQUAL "." AND NOT ARGN)) AND source MATCHES "[.]cpp$"
       AND NOT source MATCHES "_kernel[.]cpp$")
      math(EXPR batch "0${count_${folder}} / 8")
      math(EXPR count_${folder} "0${count_${folder}} + 1")
      set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${folder}_${batch}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # files within files
endfunction()

# juxta_format_once(target): cmake/precompiled/fmt_once.h uses the vformat_to() of libfmt, where that has one.
function(juxta_format_once target)
  if(NOT DEFINED JUXTA_FMT_HAS_VFORMAT_TO)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_LIBRARIES fmt::fmt)
    set(CMAKE_REQUIRED_FLAGS "-std=c++20 -O0")
    set(CMAKE_REQUIRED_DEFINITIONS -DJUXTA_FMT_HAS_VFORMAT_TO)
    set(CMAKE_REQUIRED_INCLUDES ${PROJECT_SOURCE_DIR}/cmake/precompiled)
    check_cxx_source_compiles("#include \"fmt_once.h\"
      int main() { std::string s; fmt::format_to(std::back_inserter(s), \"{}\", 1.5); return int(s.size()); }"
      JUXTA_FMT_HAS_VFORMAT_TO)
  endif()
  if(JUXTA_FMT_HAS_VFORMAT_TO)
    target_compile_definitions(${target} PRIVATE JUXTA_FMT_HAS_VFORMAT_TO)
  endif()
endfunction()

# juxta_text_only(target FILES...): the target's files in which nothing is computed. Less optimisation takes a third less
# time to compile. Where JUXTA_PRECOMPILE is on, they are objects of <target>_text, compiled together.
function(juxta_text_only target)
  set(less $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
  if(NOT JUXTA_PRECOMPILE)
    target_sources(${target} PRIVATE ${ARGN})
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${less}")
    return()
  endif()
  add_library(${target}_text OBJECT ${ARGN})
  foreach(property LINK_LIBRARIES INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS POSITION_INDEPENDENT_CODE
                   CXX_VISIBILITY_PRESET VISIBILITY_INLINES_HIDDEN)
    get_target_property(value ${target} ${property})
    if(value)
      set_target_properties(${target}_text PROPERTIES ${property} "${value}")
    endif()
  endforeach()
  target_compile_options(${target}_text PRIVATE ${less})
  set_target_properties(${target}_text PROPERTIES UNITY_BUILD ON)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_text>)
endfunction()

# juxta_test_flags(name LABELS): how much a test is optimised, and the precompiled header that goes with it. At -O1 a test
# compiles in two thirds of the time and runs as fast, since what it tests is in the library, which keeps its own flags.
# Tests of golden hashes keep the library's flags: they compute results in templates too.
function(juxta_test_flags name labels)
  set(headers juxta_test_headers)
  set(less $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
  if("golden" IN_LIST labels)
    set(headers juxta_golden_test_headers)
    set(less "")
  endif()
  target_compile_options(${name} PRIVATE ${less})
  if(JUXTA_PRECOMPILE)
    if(NOT TARGET ${headers})
      add_library(${headers} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled/nothing.cpp)
      target_link_libraries(${headers} PRIVATE juxta juxta_build_options juxta_kernel_options GTest::gtest_main)
      target_compile_options(${headers} PRIVATE ${less})
      juxta_precompile(${headers} test)
    endif()
    juxta_precompile(${name} REUSE_FROM ${headers})
  endif()
endfunction()

# juxta_test(name SOURCES... [RAPIDCHECK SOURCES...] [POSIX SOURCES...] [WINDOWS SOURCES...] [LABELS ...] [LIBS ...]):
# a GoogleTest program, one ctest entry per program. RAPIDCHECK: files that need it, left out where it is missing (on
# Windows); POSIX, WINDOWS: files for such systems alone. Without any file there is no program.
function(juxta_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;LIBS;POSIX;RAPIDCHECK;WINDOWS" ${ARGN})
  set(sources ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_RAPIDCHECK AND TARGET rapidcheck)
    list(APPEND sources ${ARG_RAPIDCHECK})
    list(APPEND ARG_LIBS rapidcheck)
  endif()
  if(WIN32)
    list(APPEND sources ${ARG_WINDOWS})
  else()
    list(APPEND sources ${ARG_POSIX})
  endif()
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE juxta juxta_build_options juxta_kernel_options GTest::gtest_main ${ARG_LIBS})
  juxta_test_flags(${name} "${ARG_LABELS}")
  # Tests reach private headers beside the sources, by room.
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
  foreach(label golden memory threads)  # tests/CMakeLists.txt makes a target of each list
    if(label IN_LIST ARG_LABELS)
      set_property(GLOBAL APPEND PROPERTY JUXTA_TESTS_${label} ${name})
    endif()
  endforeach()
endfunction()

# juxta_bench(name SOURCES... [LIBS ...]): a Google Benchmark program.
function(juxta_bench name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE juxta juxta_build_options benchmark::benchmark ${ARG_LIBS})
  add_dependencies(benches ${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()
