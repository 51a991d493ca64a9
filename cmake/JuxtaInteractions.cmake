# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
include_guard()

# juxta_warn_without_build_type(): one warning per configuration when nothing asks for optimisation. Interactions
# without it take about five times as long. Setting a build type is the project's own business.
function(juxta_warn_without_build_type)
  get_property(warned GLOBAL PROPERTY JUXTA_WARNED_WITHOUT_BUILD_TYPE)
  if(CMAKE_BUILD_TYPE OR CMAKE_CONFIGURATION_TYPES OR CMAKE_CXX_FLAGS MATCHES "(^| )-O" OR warned)
    return()
  endif()
  set_property(GLOBAL PROPERTY JUXTA_WARNED_WITHOUT_BUILD_TYPE TRUE)
  message(WARNING "CMAKE_BUILD_TYPE is empty: your program is compiled without optimisation, and models with "
                  "interactions run about five times slower. Configure with -DCMAKE_BUILD_TYPE=Release.")
endfunction()

# juxta_add_interactions(target FILE.cpp ...)
#
# Adds files of interactions and actions (docs/interactions.md) to a target: each is compiled once per instruction
# set, without fused operations, and the copy for this machine is chosen when the program runs. What such a file
# includes and is defined with is what the target has when this is called, and later.
function(juxta_add_interactions target)
  juxta_warn_without_build_type()
  set(common -ffp-contract=off -fno-math-errno -fno-trapping-math)
  if(CMAKE_CXX_COMPILER_ID STREQUAL MSVC)
    message(FATAL_ERROR "juxta: interactions need GCC, Clang or, on Windows, clang-cl: configure with -T ClangCL")
  elseif(MSVC)  # clang-cl has these of Clang's own
    list(TRANSFORM common PREPEND /clang:)
  endif()
  # GCC 12 fuses pairs of a*b-c and a*b+c in what it vectorises, despite -ffp-contract=off (its PR 107647), and
  # AVX-512 always has the instruction. Interactions name their lanes, so nothing is lost.
  list(APPEND common
       $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-fno-tree-vectorize>)
  if(JUXTA_INTERACTIONS_ONCE)  # for builds whose speed does not matter: one copy, for any machine
    set(copies only)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
    set(copies kSse4 kAvx2 kAvx3)
    set(flags_kSse4 -msse4.2)
    set(flags_kAvx2 -mavx2 -mbmi -mbmi2)
    set(flags_kAvx3 -mavx2 -mbmi -mbmi2 -mavx512f -mavx512bw -mavx512dq -mavx512vl)
    set(definition_chooser JUXTA_COPIES_X86)
    list(APPEND copies chooser)
    if(juxta_only_isa)  # a build for this machine alone
      set(copies only)
      set(flags_only ${flags_${juxta_only_isa}})
    endif()
  else()
    set(copies only)
  endif()
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME_WE)
    foreach(copy IN LISTS copies)
      set(object ${target}_${name}_${copy})
      add_library(${object} OBJECT ${file})
      if(copy MATCHES "^k")
        set(definition_${copy} JUXTA_COPY=${copy})
      endif()
      target_compile_definitions(${object} PRIVATE ${definition_${copy}}
                                                   $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
      target_compile_options(${object} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS> ${common}
                                               ${flags_${copy}})
      target_include_directories(${object} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
      target_link_libraries(${object} PRIVATE juxta::juxta)
      set_target_properties(${object} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
  endforeach()
endfunction()
