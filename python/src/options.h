// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a query leaves out: skip=, only=, category=, mask= of every query.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "juxta/layer/filter.h"
#include "juxta/layer/query_options.h"
#include "numbers.h"

namespace juxta::python {

namespace py = pybind11;

/// One byte a body: `only=`, an array of bool that is `capacity` long. None: empty.
class OnlyIn {
 public:
  OnlyIn(py::handle value, const char* name, std::size_t capacity);
  [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return bytes_; }

 private:
  py::array owner_{py::reinterpret_steal<py::array>(py::handle())};
  std::span<const std::uint8_t> bytes_;
};

/// The filter of a query: None means every bit.
Filter filter_of(py::handle category, py::handle mask);

/// Filters of `count` bodies: category and mask are None, one number, or one for each. Empty when both are
/// None.
std::vector<Filter> filters_of(py::handle category, py::handle mask, std::size_t count);

/// The options of one query or of a batch of them. Holds what they borrow, so it does not move.
class Narrowing {
 public:
  /// `capacity`: of the layer or bodies.
  Narrowing(py::handle skip, py::handle only, py::handle category, py::handle mask, std::size_t capacity);
  Narrowing(const Narrowing&) = delete;
  Narrowing& operator=(const Narrowing&) = delete;

  /// Of one query: `skip` is a number of a body, or several.
  [[nodiscard]] QueryOptions one() const;
  /// Of `count` queries: `skip` is a number of a body, or one for each query (-1: none). Raises ValueError
  /// for another length.
  [[nodiscard]] BatchOptions many(std::size_t count, bool sorted = false);
  /// many(), for the queries from `first` to `last`.
  [[nodiscard]] static BatchOptions part(const BatchOptions& all, std::size_t first, std::size_t last);

 private:
  struct TakesOne {
    std::span<const std::uint8_t> only;
    bool operator()(std::uint32_t body) const { return only[body] != 0; }
  };
  struct TakesMany {
    std::span<const std::uint8_t> only;
    bool operator()(std::uint32_t, std::uint32_t body) const { return only[body] != 0; }
  };

  Filter filter_;
  OnlyIn only_;
  TakesOne takes_one_;
  TakesMany takes_many_;
  std::optional<Numbers<std::uint32_t>> skip_;
  std::uint32_t skip_one_ = 0;
  std::span<const std::uint32_t> skipped_;
  bool skip_is_one_ = false;
  std::vector<std::uint32_t> spread_;
};

}  // namespace juxta::python
