# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# juxta_soname_of(name OUT LIBRARIES...): caches the SONAME of the shared library lib<name>.so among these, as in
# libhdf5_serial.so.103. Empty if there is none, and on systems without SONAMEs.
include_guard()

function(juxta_soname_of name out)
  set(soname "")
  foreach(library IN LISTS ARGN)
    get_filename_component(file ${library} NAME)
    if(file MATCHES "^lib${name}[a-z_]*[.]so" AND EXISTS ${library} AND CMAKE_READELF)
      execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE told ERROR_QUIET)
      if(told MATCHES "[(]SONAME[)][^[]*[[]([^]]+)[]]")
        set(soname ${CMAKE_MATCH_1})
        break()
      endif()
    endif()
  endforeach()
  set(${out} "${soname}" CACHE INTERNAL "The library that is loaded when ${name} is used; empty: it is linked")
endfunction()
