# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# What the components need to be found where CMake's packages are those of another machine: headers that are the same on
# every machine, through a folder of links, because the C library's headers beside them are not the same.
include_guard()

set(juxta_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${juxta_headers})
foreach(folder hwy tl Random123)
  file(CREATE_LINK /usr/include/${folder} ${juxta_headers}/${folder} SYMBOLIC)
endforeach()
foreach(component hwy::hwy tl::expected)
  add_library(${component} INTERFACE IMPORTED)
  set_target_properties(${component} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${juxta_headers})
endforeach()
set(JUXTA_RANDOM123_INCLUDE_DIR ${juxta_headers})

# There are no threads, and FindThreads would look for a library.
add_library(Threads::Threads INTERFACE IMPORTED)
set(Threads_FOUND TRUE)
