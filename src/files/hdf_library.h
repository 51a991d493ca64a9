// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: HDF5, which is loaded when the first file is written or read with it. It brings some thirty
// libraries along; a program that starts and never asks for them would wait for their loading all the same
// (docs/decisions/0070-hdf5-when-it-is-used.md).
//
//   JUXTA_TRY(load_hdf5());                         before anything else here
//   hdf5().H5Gopen2(file, "group", H5P_DEFAULT)     as H5Gopen2() itself
#pragma once

#include <hdf5.h>

#include "juxta/core/error.h"

namespace juxta::files_detail {

/// The functions that Juxta calls, by their own names. Some of them are macros, which name another function.
#define JUXTA_HDF5_FUNCTIONS(each)                                                                          \
  each(H5Aclose) each(H5Acreate2) each(H5Awrite) each(H5Dclose) each(H5Dcreate2) each(H5Dget_create_plist)  \
      each(H5Dget_space) each(H5Dget_type) each(H5Dopen2) each(H5Dread) each(H5Dwrite) each(H5Eclear2)      \
          each(H5Eget_auto2) each(H5Eset_auto2) each(H5Fclose) each(H5Fcreate) each(H5Fflush)               \
              each(H5Fget_file_image) each(H5Fget_vfd_handle) each(H5Fopen) each(H5Gclose) each(H5Gcreate2) \
                  each(H5Gopen2) each(H5Literate) each(H5Oget_info2) each(H5Pclose) each(H5Pcreate)         \
                      each(H5Pget_external_count) each(H5Pget_layout) each(H5Pset_fapl_core)                \
                          each(H5Pset_fclose_degree) each(H5Pset_fill_time) each(H5Pset_obj_track_times)    \
                              each(H5Sclose) each(H5Screate) each(H5Screate_simple)                         \
                                  each(H5Sget_simple_extent_dims) each(H5Sget_simple_extent_ndims)          \
                                      each(H5Sselect_hyperslab) each(H5Tclose) each(H5Tcopy)                \
                                          each(H5Tget_class) each(H5Tget_sign) each(H5Tget_size)            \
                                              each(H5Tset_order) each(H5Tset_size) each(H5Tset_strpad)

/// Types and classes of properties, which HDF5 makes when it starts: H5T_NATIVE_FLOAT is `native_float` here.
#define JUXTA_HDF5_IDS(each)                                                                      \
  each(file_access, H5P_CLS_FILE_ACCESS_ID_g) each(group_create, H5P_CLS_GROUP_CREATE_ID_g)       \
      each(dataset_create, H5P_CLS_DATASET_CREATE_ID_g) each(c_text, H5T_C_S1_g)                  \
          each(int64_le, H5T_STD_I64LE_g) each(double_le, H5T_IEEE_F64LE_g)                       \
              each(native_float, H5T_NATIVE_FLOAT_g) each(native_double, H5T_NATIVE_DOUBLE_g)     \
                  each(native_int32, H5T_NATIVE_INT32_g) each(native_uint32, H5T_NATIVE_UINT32_g) \
                      each(native_int64, H5T_NATIVE_INT64_g) each(native_uint8, H5T_NATIVE_UINT8_g)

/// H5F_ACC_RDONLY and H5F_ACC_TRUNC, which call HDF5 before they are a number.
inline constexpr unsigned kHdf5ReadOnly = 0, kHdf5Truncate = 2;

struct Hdf5 {
#define JUXTA_HDF5_MEMBER(name) decltype(&::name) name = nullptr;
  JUXTA_HDF5_FUNCTIONS(JUXTA_HDF5_MEMBER)
#undef JUXTA_HDF5_MEMBER
#define JUXTA_HDF5_MEMBER(name, id) hid_t name = H5I_INVALID_HID;
  JUXTA_HDF5_IDS(JUXTA_HDF5_MEMBER)
#undef JUXTA_HDF5_MEMBER
};

/// Loads HDF5 unless it is there already. Any number of threads may call it. Errors: kIo.
[[nodiscard]] Result<void> load_hdf5();
/// After load_hdf5().
[[nodiscard]] const Hdf5& hdf5() noexcept;

}  // namespace juxta::files_detail
