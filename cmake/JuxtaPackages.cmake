# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# Debian packages by `cpack -G DEB` (scripts/build_packages): a package for each kind of user.
#
#   libjuxta0.3         the library
#   libjuxta-study0.3   files and study, with HDF5, PNG, giflib and fmt as dependencies of theirs alone
#   libjuxta-dev        headers, CMake and pkg-config files, guides, examples; program and view, which are static
#   juxta               the command, with the viewer
#   python3-juxta       the Python module, where that is built
#
# Two versions of the libraries can be installed side by side: their names end in the SONAME.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME juxta)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(JUXTA_PACKAGE_CONTACT "The Juxta authors <juxta@example.org>" CACHE STRING "Whom the packages name as their maintainer")
set(CPACK_PACKAGE_CONTACT ${JUXTA_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The packages' own libraries are found where they were built.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})

# Every package says under which terms it may be copied, and what changed.
set(documents ${PROJECT_BINARY_DIR}/packaging)
string(TIMESTAMP juxta_today "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT ${documents}/changelog.Debian CONTENT
"juxta (@PROJECT_VERSION@-@CPACK_DEBIAN_PACKAGE_RELEASE@) unstable; urgency=medium

  * What is new stands in changelog.gz.

 -- @JUXTA_PACKAGE_CONTACT@  @juxta_today@
" @ONLY)
file(COPY_FILE ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${documents}/changelog ONLY_IF_DIFFERENT)
file(COPY_FILE ${PROJECT_SOURCE_DIR}/packaging/juxta.1 ${documents}/juxta.1 ONLY_IF_DIFFERENT)
foreach(text changelog changelog.Debian juxta.1)
  execute_process(COMMAND gzip -9nc ${documents}/${text} OUTPUT_FILE ${documents}/${text}.gz COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# juxta_package(group name section depends summary long-text components...)
function(juxta_package group name section depends summary text)
  string(TOUPPER ${group} upper)
  foreach(component IN LISTS ARGN)
    string(TOUPPER ${component} component_upper)
    set(CPACK_COMPONENT_${component_upper}_GROUP ${group} PARENT_SCOPE)
  endforeach()
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  set(CPACK_COMPONENT_GROUP_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  list(GET ARGN 0 component)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/copyright ${documents}/changelog.gz ${documents}/changelog.Debian.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endfunction()

# juxta_shared_package(group package library...): programs built with a library run with this version of it and later ones
# of the same SONAME, and the loader learns of it.
function(juxta_shared_package group package)
  string(TOUPPER ${group} upper)
  set(shlibs "")
  foreach(library IN LISTS ARGN)
    string(APPEND shlibs "${library} ${juxta_soversion} ${package} (>= ${PROJECT_VERSION})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${documents}/${group}/shlibs CONTENT "${shlibs}" @ONLY)
  file(CONFIGURE OUTPUT ${documents}/${group}/triggers CONTENT "activate-noawait ldconfig\n" @ONLY)
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA "${documents}/${group}/shlibs;${documents}/${group}/triggers" PARENT_SCOPE)
endfunction()

# juxta_python_package(): the extensions and the modules where Debian's python3 looks. An extension serves one version of
# Python. The metadata is for pip and importlib.metadata.
macro(juxta_python_package)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import sys; v = sys.version_info; print(f'{v[0]}.{v[1]};{v[0]}.{v[1] + 1}')"
                  OUTPUT_VARIABLE juxta_python_versions OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(GET juxta_python_versions 0 juxta_python_from)
  list(GET juxta_python_versions 1 juxta_python_below)
  juxta_package(python python3-juxta python
    "python3 (>= ${juxta_python_from}), python3 (<< ${juxta_python_below}), python3-numpy, libjuxta${juxta_soversion} ${juxta_same}, libjuxta-study${juxta_soversion} ${juxta_same}"
    "spatial questions, answered as NumPy arrays"
    "Overlapping boxes, rays, nearest bodies, neighbours of points, the most
important points of a rectangle, hierarchies, agent-based models: arrays go in
without copies, and the answers are arrays." python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-matplotlib, g++")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/python3-juxta/postinst
                                                ${PROJECT_SOURCE_DIR}/packaging/debian/python3-juxta/prerm)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(juxta_python_packages lib/python3/dist-packages)
  foreach(extension juxta_python juxta_python_study juxta_python_view)
    if(TARGET ${extension})
      install(TARGETS ${extension} LIBRARY DESTINATION ${juxta_python_packages}/juxta COMPONENT python)
    endif()
  endforeach()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/juxta DESTINATION ${juxta_python_packages} COMPONENT python
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  # What juxta.compile_rules() compiles with (python/CMakeLists.txt).
  install(DIRECTORY ${JUXTA_PYTHON_OUTPUT}/include DESTINATION ${juxta_python_packages}/juxta COMPONENT python)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-juxta
          COMPONENT python FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
  set(juxta_python_info ${documents}/juxta-${PROJECT_VERSION}.dist-info)
  file(CONFIGURE OUTPUT ${juxta_python_info}/METADATA CONTENT
"Metadata-Version: 2.1
Name: juxta
Version: @PROJECT_VERSION@
Summary: Spatial questions, answered as NumPy arrays
License: MIT
Requires-Dist: numpy
" @ONLY)
  file(CONFIGURE OUTPUT ${juxta_python_info}/INSTALLER CONTENT "debian\n" @ONLY)
  install(DIRECTORY ${juxta_python_info} DESTINATION ${juxta_python_packages} COMPONENT python)
endmacro()

get_target_property(juxta_soversion juxta SOVERSION)
set(juxta_same "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
juxta_package(runtime libjuxta${juxta_soversion} libs "" "spatial queries as short SIMD sweeps"
  "Juxta keeps things that are near each other in space next to each other in
memory. It answers which boxes overlap, where shapes meet, which points of a
region matter most, who is near whom, and where every part of a hierarchy is.
The answers are exact, and the same on any number of threads." runtime)
# HDF5 is loaded when it is used, which dpkg-shlibdeps cannot see.
set(juxta_study_needs "libjuxta${juxta_soversion} ${juxta_same}")
if(JUXTA_HDF5 AND JUXTA_HDF5_SONAME)
  execute_process(COMMAND dpkg-query -S */${JUXTA_HDF5_SONAME} OUTPUT_VARIABLE juxta_hdf5_package COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[:,].*" "" juxta_hdf5_package ${juxta_hdf5_package})
  string(APPEND juxta_study_needs ", ${juxta_hdf5_package}")
endif()
juxta_package(study libjuxta-study${juxta_soversion} libs "${juxta_study_needs}" "models, sweeps, tables and pictures for Juxta"
  "Runs agent-based models with Juxta, collects what they report, sweeps their
parameters, and writes tables, pictures and recordings." study-runtime)
if(NOT TARGET juxta_view)
  message(FATAL_ERROR "juxta: the packages have the viewer, which needs Boost's headers (Debian: libboost-dev)")
endif()
# Whoever links juxta::program, a static library, links fmt too. Boost, CLI11 and nlohmann-json were headers of the build.
juxta_package(dev libjuxta-dev libdevel
  "libjuxta${juxta_soversion} ${juxta_same}, libjuxta-study${juxta_soversion} ${juxta_same}, libexpected-dev, libfmt-dev"
  "development files of Juxta"
  "Headers, CMake and pkg-config files, guides and examples of Juxta, a library
that answers spatial questions. Programs of your own models, and your own
world in a browser, are static libraries." library files study program view docs)
juxta_package(command juxta science
  "libjuxta${juxta_soversion} ${juxta_same}, libjuxta-study${juxta_soversion} ${juxta_same}" "answers spatial questions about your files"
  "The juxta command finds overlapping boxes, the most important points of a
rectangle and what rays hit, runs published models and space battles, draws
what it found, and shows it in a browser." tool)
juxta_shared_package(runtime libjuxta${juxta_soversion} libjuxta)
juxta_shared_package(study libjuxta-study${juxta_soversion} libjuxta_files libjuxta_study)
set(CPACK_COMPONENTS_ALL runtime study-runtime library files study program view docs tool)
if(TARGET juxta_python)
  juxta_python_package()
endif()
include(CPack)
