// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what files of points and files of cells share: types of numbers, names of fields.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "files/hdf_library.h"
#include "juxta/core/error.h"
#include "juxta/files/vtk_points.h"

namespace juxta::files_detail {

template <class T>
hid_t native_type() {
  if constexpr (std::is_same_v<T, float>) {
    return hdf5().native_float;
  } else if constexpr (std::is_same_v<T, double>) {
    return hdf5().native_double;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return hdf5().native_int32;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return hdf5().native_uint32;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return hdf5().native_int64;
  } else {
    static_assert(std::is_same_v<T, std::uint8_t>);
    return hdf5().native_uint8;
  }
}

/// '/' and a lone '.' mean something else in a path of HDF5; ':' and '|' in a reference of XDMF.
inline bool usable_name(std::string_view name) {
  const auto odd = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; };
  return !name.empty() && name != "." && name.find_first_of("/:|") == std::string_view::npos &&
         std::none_of(name.begin(), name.end(), odd);
}

/// A name of its own for field `index`. Errors: kInvalidArgument.
inline Result<void> check_name(const std::vector<PointField>& fields, std::size_t index) {
  const std::string& name = fields[index].name;
  const auto refuse = [&](const char* why) {
    return fail(ErrorCode::kInvalidArgument, "the field \"" + name + "\" " + why, index);
  };
  if (!usable_name(name)) {
    return refuse("needs another name: no '/', ':', '|' or control characters, neither empty nor \".\"");
  }
  for (std::size_t earlier = 0; earlier < index; ++earlier) {
    if (fields[earlier].name == name) {
      return refuse("is there twice: give each field a name of its own");
    }
  }
  return {};
}

[[nodiscard]] inline std::size_t length_of(const PointField& field) {
  return std::visit([](const auto& values) { return values.size(); }, field.values);
}
/// Of one value.
[[nodiscard]] inline std::size_t bytes_each(const PointField& field) {
  return std::visit([](const auto& values) { return sizeof(values[0]); }, field.values);
}

}  // namespace juxta::files_detail
