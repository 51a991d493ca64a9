# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# What the core library needs: Highway, tl::expected and Random123, and oneTBB if JUXTA_TBB is on. A target that the
# including project has defined already (hwy or hwy::hwy, tl::expected) is used as it is. Otherwise the component is
# found on the system, or fetched at the version below if JUXTA_FETCH_DEPENDENCIES is on.
# What the modules `files` and `study` need is found beside their sources.
include_guard()

if(NOT CMAKE_SYSTEM_NAME STREQUAL WASI)
  find_package(Threads REQUIRED)
endif()
if(JUXTA_TBB)
  find_package(TBB REQUIRED)
endif()

# juxta_fetch(name repository tag): the sources of a component, without its own CMakeLists.txt: that of Highway, for
# example, would add its tests and install rules to yours. Sets <name>_SOURCE_DIR.
function(juxta_fetch name repository tag)
  include(FetchContent)
  message(STATUS "juxta: fetching ${name} ${tag}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON
                       SOURCE_SUBDIR no-cmake-project-here)
  FetchContent_MakeAvailable(${name})
  set(${name}_SOURCE_DIR ${${name}_SOURCE_DIR} PARENT_SCOPE)
  set(JUXTA_FETCHED TRUE PARENT_SCOPE)
endfunction()

# juxta_not_found(component file package): what to do about it.
function(juxta_not_found component file package)
  message(FATAL_ERROR "juxta: ${component} (${file}) is not on this system. Install it (Debian: ${package}), or "
                      "configure with -DJUXTA_FETCH_DEPENDENCIES=ON to download it.")
endfunction()

# Of Highway, the headers alone: the choice of the instruction set is our own (src/core/simd/dispatch.h).
add_library(juxta_highway INTERFACE)
if(TARGET hwy AND NOT TARGET hwy::hwy)
  add_library(hwy::hwy ALIAS hwy)
endif()
if(NOT TARGET hwy::hwy AND JUXTA_FETCH_DEPENDENCIES)
  juxta_fetch(highway https://github.com/google/highway.git 1.0.3)
  target_include_directories(juxta_highway SYSTEM INTERFACE ${highway_SOURCE_DIR})
else()
  if(NOT TARGET hwy::hwy)
    find_package(hwy QUIET)
    if(NOT hwy_FOUND)
      juxta_not_found(Highway hwy-config.cmake libhwy-dev)
    endif()
  endif()
  target_include_directories(juxta_highway SYSTEM INTERFACE
                             $<TARGET_PROPERTY:hwy::hwy,INTERFACE_INCLUDE_DIRECTORIES>)
endif()

if(NOT TARGET tl::expected)
  if(JUXTA_FETCH_DEPENDENCIES)
    juxta_fetch(tl_expected https://github.com/TartanLlama/expected.git v1.0.0)
    add_library(juxta_tl_expected INTERFACE)
    add_library(tl::expected ALIAS juxta_tl_expected)
    target_include_directories(juxta_tl_expected SYSTEM INTERFACE ${tl_expected_SOURCE_DIR}/include)
  else()
    find_package(tl-expected QUIET)
    if(NOT tl-expected_FOUND)
      juxta_not_found(tl::expected tl-expected-config.cmake libexpected-dev)
    endif()
  endif()
endif()

if(JUXTA_FETCH_DEPENDENCIES)
  juxta_fetch(random123 https://github.com/DEShawResearch/random123.git v1.14.0)
  set(juxta_random123_dir ${random123_SOURCE_DIR}/include)
else()
  find_path(JUXTA_RANDOM123_INCLUDE_DIR Random123/philox.h)
  if(NOT JUXTA_RANDOM123_INCLUDE_DIR)
    juxta_not_found(Random123 Random123/philox.h librandom123-dev)
  endif()
  set(juxta_random123_dir ${JUXTA_RANDOM123_INCLUDE_DIR})
endif()
