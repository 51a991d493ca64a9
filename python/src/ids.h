// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ids as numbers of 64 bits: the slot in the low half, the generation in the high one.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "juxta/core/error.h"
#include "juxta/core/id.h"
#include "numbers.h"
#include "outputs.h"

namespace juxta::python {

namespace py = pybind11;

[[nodiscard]] constexpr std::uint64_t number_of(Id id) noexcept {
  return std::uint64_t{id.generation} << 32 | id.slot;
}
[[nodiscard]] constexpr Id id_from(std::uint64_t number) noexcept {
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
}

/// One Id or many: an int, or an array (n,) of uint64.
class IdsIn {
 public:
  IdsIn(py::handle value, const char* name);

  [[nodiscard]] bool single() const noexcept { return numbers_.ndim() == 0; }
  [[nodiscard]] std::size_t count() const noexcept { return numbers_.size(); }
  [[nodiscard]] Id operator[](std::size_t i) const noexcept { return id_from(numbers_.data()[i]); }
  /// All of them, as the library takes them: no copy where an Id is laid out as the number is.
  [[nodiscard]] std::span<const Id> span() const noexcept {
    static_assert(sizeof(Id) == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    return {reinterpret_cast<const Id*>(numbers_.data()), count()};
  }
  /// Raises ValueError when one is there twice.
  void check_distinct() const;

  /// of(id) for one, or an array of it for many.
  template <class T, class Of>
  [[nodiscard]] py::object map(Of&& of) const {
    if (single()) {
      return py::cast(of((*this)[0]));
    }
    auto out = new_array<T>(count());
    T* const to = out.mutable_data();
    for (std::size_t i = 0; i < count(); ++i) {
      to[i] = of((*this)[i]);
    }
    return out;
  }

 private:
  Numbers<std::uint64_t> numbers_;
};

/// An array (n,) of uint64.
py::array_t<std::uint64_t> id_array(std::span<const Id> ids);

/// NotFound: `id`, element `index` of many.
Error dead_id(Id id, std::size_t index, bool single);

}  // namespace juxta::python
