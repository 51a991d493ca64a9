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
target_compile_options(juxta_build_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -ffp-contract=off
                                                     $<$<BOOL:${JUXTA_WERROR}>:-Werror>)

# Kernels find themselves again through the repository root (hwy/foreach_target.h), and start at SSE4.
add_library(juxta_kernel_options INTERFACE)
target_include_directories(juxta_kernel_options INTERFACE ${PROJECT_SOURCE_DIR})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
  target_compile_definitions(juxta_kernel_options INTERFACE HWY_BASELINE_TARGETS=HWY_SSE4)
endif()

# juxta_test(name SOURCES... [LABELS ...] [LIBS ...]): a GoogleTest program, one ctest entry per program.
function(juxta_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE juxta juxta_build_options juxta_kernel_options GTest::gtest_main ${ARG_LIBS})
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
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()
