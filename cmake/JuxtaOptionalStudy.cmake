# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# With JUXTA_OPTIONAL_STUDY, which setup.py sets: what juxta::files and juxta::study need is looked for, and they are left
# out, with a warning that names what is missing, when it is not all there. The Python module then has no models.
include_guard()

# juxta_missing_for_study(OUT): "HDF5 (libhdf5-dev), ..."; empty when nothing is missing.
function(juxta_missing_for_study out)
  find_package(fmt QUIET)
  find_package(nlohmann_json QUIET)
  set(optional "")  # nobody needs what an option leaves out
  if(JUXTA_PNG)
    find_package(PNG QUIET)
    list(APPEND optional "PNG_FOUND|libpng (libpng-dev)")
  endif()
  if(JUXTA_HDF5)
    enable_language(C)  # for FindHDF5
    find_package(HDF5 QUIET COMPONENTS C)
    list(APPEND optional "HDF5_FOUND|HDF5 (libhdf5-dev)")
  endif()
  find_path(JUXTA_TINYGLTF_INCLUDE_DIR tiny_gltf.h)
  find_path(JUXTA_TOML_INCLUDE_DIR toml++/toml.h)
  set(missing "")
  foreach(part "fmt_FOUND|fmt (libfmt-dev)" "nlohmann_json_FOUND|nlohmann-json (nlohmann-json3-dev)"
               ${optional}
               "JUXTA_TINYGLTF_INCLUDE_DIR|tinygltf (libtinygltf-dev)" "JUXTA_TOML_INCLUDE_DIR|toml++ (libtomlplusplus-dev)")
    string(REGEX MATCH "(.*)[|](.*)" _ "${part}")
    if(NOT ${CMAKE_MATCH_1})
      list(APPEND missing "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  list(JOIN missing ", " text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

juxta_missing_for_study(juxta_missing)
if(juxta_missing)
  message(WARNING "juxta: juxta.models and juxta.sector are left out of the Python module. Missing: ${juxta_missing}. "
                  "Install what is missing (Debian: the names in parentheses) and build again.")
  set(JUXTA_BUILD_FILES OFF)
  set(JUXTA_BUILD_STUDY OFF)
endif()
