// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace juxta {

/// A read-only column of T, possibly one member of an array of structs: element i is `stride` bytes after
/// element i - 1, at any alignment.
template <class T>
struct StridedColumn {
  const std::byte* data = nullptr;
  std::size_t stride = sizeof(T);

  [[nodiscard]] T operator[](std::size_t i) const noexcept {
    T value;
    std::memcpy(&value, data + i * stride, sizeof(T));
    return value;
  }
};

/// The types that a column may have.
enum class ScalarType : std::uint8_t { kInt32, kInt64, kFloat, kDouble };

template <class T>
inline constexpr ScalarType kScalarTypeOf = std::same_as<T, float>          ? ScalarType::kFloat
                                            : std::same_as<T, double>       ? ScalarType::kDouble
                                            : std::same_as<T, std::int32_t> ? ScalarType::kInt32
                                                                            : ScalarType::kInt64;

template <class T, class... Types>
concept OneOf = (std::same_as<T, Types> || ...);

/// A borrowed column of one of a few types. Spans and vectors of those types convert to it. Or give a pointer
/// to the first element, the count and the stride in bytes.
template <class... Types>
class ColumnOf {
 public:
  template <OneOf<Types...> T>
  ColumnOf(const T* first, std::size_t size, std::size_t stride = sizeof(T)) noexcept
      : ColumnOf(StridedColumn<T>{reinterpret_cast<const std::byte*>(first), stride}, size) {}
  template <OneOf<Types...> T>
  ColumnOf(StridedColumn<T> values, std::size_t size) noexcept
      : data_(values.data), size_(size), stride_(values.stride), type_(kScalarTypeOf<T>) {}
  template <OneOf<Types...> T>
  ColumnOf(std::span<const T> values) noexcept : ColumnOf(values.data(), values.size()) {}  // NOLINT
  template <OneOf<Types...> T>
  ColumnOf(std::span<T> values) noexcept : ColumnOf(values.data(), values.size()) {}  // NOLINT
  /// From anything that has data() and size(): a std::vector, a std::array.
  template <class Values, class T = std::remove_cvref_t<decltype(*std::declval<const Values&>().data())>>
  requires(OneOf<T, Types...>) ColumnOf(const Values& values)
  noexcept  // NOLINT
      : ColumnOf(values.data(), values.size()) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] ScalarType type() const noexcept { return type_; }
  /// The column as T, which must be its type.
  template <class T>
  [[nodiscard]] StridedColumn<T> as() const noexcept {
    return {data_, stride_};
  }

 private:
  const std::byte* data_;
  std::size_t size_, stride_;
  ScalarType type_;
};

using CoordinateColumn = ColumnOf<float, double>;
using RankColumn = ColumnOf<std::int32_t, std::int64_t, float, double>;
/// Numbers that points may be filtered by.
using ValueColumn = RankColumn;

}  // namespace juxta
