// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: HDF5's names of number types, and what names a field may have.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace juxta::files_detail {

template <class T>
hid_t native_type() {
  if constexpr (std::is_same_v<T, float>) {
    return H5T_NATIVE_FLOAT;
  } else if constexpr (std::is_same_v<T, double>) {
    return H5T_NATIVE_DOUBLE;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return H5T_NATIVE_INT32;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return H5T_NATIVE_UINT32;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return H5T_NATIVE_INT64;
  } else {
    static_assert(std::is_same_v<T, std::uint8_t>);
    return H5T_NATIVE_UINT8;
  }
}

/// '/' and a lone '.' mean something else in a path of HDF5; ':' and '|' in a reference of XDMF.
inline bool usable_name(std::string_view name) {
  const auto odd = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; };
  return !name.empty() && name != "." && name.find_first_of("/:|") == std::string_view::npos &&
         std::none_of(name.begin(), name.end(), odd);
}

}  // namespace juxta::files_detail
