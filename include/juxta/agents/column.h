// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "juxta/core/id.h"

namespace juxta {

/// What the values of a column are, as far as the library knows: files and passes ask.
enum class ColumnKind : std::uint8_t {
  kFloat,      ///< float: passes can read and write it.
  kDouble,     ///< double
  kInt,        ///< std::int32_t
  kUnsigned,   ///< std::uint32_t
  kByte,       ///< std::uint8_t
  kReference,  ///< Id of an agent; becomes Id{} when that agent dies.
  kOther,      ///< Any other trivially copyable type: bytes.
  kResult,     ///< float that a pass fills: sort() does not carry it.
};

/// Names a column of one population. Cheap to copy; the default one names none.
template <class T>
struct Column {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t index = kNone;
};

/// The kind that add_column<T>() gives a column. Ids are kOther: add_references() makes the others.
template <class T>
[[nodiscard]] constexpr ColumnKind column_kind() noexcept {
  if constexpr (std::is_same_v<T, float>) {
    return ColumnKind::kFloat;
  } else if constexpr (std::is_same_v<T, double>) {
    return ColumnKind::kDouble;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return ColumnKind::kInt;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return ColumnKind::kUnsigned;
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return ColumnKind::kByte;
  } else {
    return ColumnKind::kOther;
  }
}

}  // namespace juxta
