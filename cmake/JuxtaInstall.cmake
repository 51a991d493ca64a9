# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# What `cmake --install` puts where. A static libjuxta leaves oneTBB to the final link, so its package
# asks for it; a shared one has linked it already, and its users need tl::expected's header alone.
# Components: library (all that find_package(juxta) needs), files, study (needs files), program and view (static; need
# study), cluster (MPI), contest, tool, docs. Where Debian packages are made, shared libraries are components of their own,
# runtime and study-runtime.
include(CMakePackageConfigHelpers)
set(juxta_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/juxta)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/juxta DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT library FILES_MATCHING PATTERN "*.h" PATTERN "juxta/view" EXCLUDE PATTERN "juxta/study/program.h" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/include/juxta.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

# juxta_install_library(target export-name component): one library with its own targets file, so that a user of
# find_package(juxta) pays for no more dependencies than the components asked for.
function(juxta_install_library target name component)
  set(runtime ${component})
  if(JUXTA_PACKAGES)
    string(REGEX REPLACE "^library$" "runtime" runtime ${component})
    string(REGEX REPLACE "^(files|study)$" "study-runtime" runtime ${runtime})
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT juxta-${name}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${runtime} NAMELINK_COMPONENT ${component}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
  install(EXPORT juxta-${name} NAMESPACE juxta:: DESTINATION ${juxta_cmake_dir} FILE juxta-${name}-targets.cmake
          COMPONENT ${component})
endfunction()
juxta_install_library(juxta juxta library)
if(TARGET juxta_files)
  juxta_install_library(juxta_files files files)
endif()
if(TARGET juxta_study)
  juxta_install_library(juxta_study study study)
endif()
if(TARGET juxta_program)
  juxta_install_library(juxta_program program program)
  install(FILES ${PROJECT_SOURCE_DIR}/include/juxta/study/program.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/juxta/study
          COMPONENT program)
endif()
if(TARGET juxta_view)
  juxta_install_library(juxta_view view view)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/juxta/view DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/juxta COMPONENT view)
endif()
if(TARGET juxta_cluster)
  juxta_install_library(juxta_cluster cluster cluster)
endif()

# The contest's plugin is opened with dlopen, never linked: it belongs beside the other libraries all the same.
if(TARGET juxta_contest)
  install(TARGETS juxta_contest LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT contest
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT contest)
endif()
if(TARGET juxta_tool)
  file(RELATIVE_PATH juxta_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(juxta_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${juxta_bin_to_lib}")
  install(TARGETS juxta_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
  if(TARGET juxta_mpi)
    set_target_properties(juxta_mpi PROPERTIES INSTALL_RPATH "$ORIGIN/${juxta_bin_to_lib}")
    install(TARGETS juxta_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT cluster)
  endif()
  set(juxta_manual ${PROJECT_SOURCE_DIR}/packaging/juxta.1)
  if(JUXTA_PACKAGES)
    set(juxta_manual ${PROJECT_BINARY_DIR}/packaging/juxta.1.gz)  # JuxtaPackages.cmake makes it
  endif()
  install(FILES ${juxta_manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/juxta.bash RENAME juxta
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
endif()

# The licence goes with the library, since every copy of it must have one.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT docs)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT docs)

# Programs in C that link the static library need what C++ ones get from their compiler.
set(juxta_cxx_runtime "")
if(NOT BUILD_SHARED_LIBS)
  set(juxta_cxx_runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  list(FILTER juxta_cxx_runtime INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
  list(REMOVE_DUPLICATES juxta_cxx_runtime)
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/juxta-config.cmake.in ${PROJECT_BINARY_DIR}/juxta-config.cmake
                              INSTALL_DESTINATION ${juxta_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/juxta-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/juxta-config.cmake ${PROJECT_BINARY_DIR}/juxta-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/JuxtaInteractions.cmake
        DESTINATION ${juxta_cmake_dir} COMPONENT library)

# pkg-config: Requires and not Requires.private in a static build, because there plain `pkg-config --libs` must
# link too; nothing in a shared build, because pkg-config insists on the .pc file of every private requirement.
set(juxta_pc_requires "")
if(NOT BUILD_SHARED_LIBS)
  if(JUXTA_TBB)
    set(juxta_pc_requires "tbb")
  endif()
  list(TRANSFORM juxta_cxx_runtime PREPEND -l OUTPUT_VARIABLE juxta_pc_runtime)
  list(JOIN juxta_pc_runtime " " juxta_pc_libs)
  string(PREPEND juxta_pc_libs "-pthread ")
else()
  set(juxta_pc_cflags "-DJUXTA_SHARED")
endif()
# Relative to the file itself, so that the installed tree can be moved.
file(RELATIVE_PATH juxta_pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/juxta.pc.in ${PROJECT_BINARY_DIR}/juxta.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/juxta.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
