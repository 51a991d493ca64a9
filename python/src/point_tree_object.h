// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.PointTree: one class for both dimensions and both types of coordinates.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "call.h"
#include "guard.h"
#include "juxta/points/point_tree.h"
#include "numbers.h"

namespace juxta::python {

namespace py = pybind11;

using AnyPointTree = std::variant<BasicPointTree<2, float>, BasicPointTree<3, float>,
                                  BasicPointTree<2, double>, BasicPointTree<3, double>>;

struct PointTreeObject : Guarded {
  AnyPointTree tree;
};

/// work(tree), with the tree as it is.
template <class Work>
decltype(auto) with_tree(const PointTreeObject& self, Work&& work) {
  return std::visit(std::forward<Work>(work), self.tree);
}

/// Points (n, D) of float32 or float64, in their own type; anything else becomes float64.
class CloudIn {
 public:
  CloudIn(py::handle value, const char* name);
  CloudIn(const CloudIn&) = delete;
  CloudIn& operator=(const CloudIn&) = delete;

  [[nodiscard]] int dims() const noexcept { return dims_; }
  /// float64.
  [[nodiscard]] bool wide() const noexcept { return wide_.has_value(); }
  template <class Real>
  [[nodiscard]] std::span<const Real> as() const noexcept {
    if constexpr (std::is_same_v<Real, float>) {
      return narrow_->span();
    } else {
      return wide_->span();
    }
  }

 private:
  std::optional<Numbers<float>> narrow_;
  std::optional<Numbers<double>> wide_;
  int dims_ = 0;
};

/// Points that are asked about, in the type of a tree: (D,) or (m, D). None: the tree's own.
template <int D, class Real>
class QueriesIn {
 public:
  QueriesIn(py::handle value, const char* name) {
    if (value.is_none()) {
      return;
    }
    numbers_.emplace(value, name);
    const int ndim = numbers_->ndim();
    if (ndim < 1 || ndim > 2 || numbers_->shape(-1) != D) {
      numbers_->refuse_shape("This tree has points in " + std::to_string(D) + "D: give (" +
                             std::to_string(D) + ",) or (m, " + std::to_string(D) + ")");
    }
    single_ = ndim == 1;
  }

  /// The tree's own points are meant.
  [[nodiscard]] bool own() const noexcept { return !numbers_; }
  /// One point, given without an axis of its own.
  [[nodiscard]] bool single() const noexcept { return single_; }
  [[nodiscard]] std::span<const Real> span() const noexcept { return numbers_->span(); }
  [[nodiscard]] std::size_t count(const BasicPointTree<D, Real>& tree) const noexcept {
    return numbers_ ? numbers_->size() / D : tree.size();
  }

 private:
  std::optional<Numbers<Real>> numbers_;
  bool single_ = false;
};

/// Builds a tree of `points`. box=, periodic= as PointTree has them.
AnyPointTree build_tree(const CloudIn& points, py::handle box, py::handle periodic, Call& call);

void bind_point_neighbors(py::class_<PointTreeObject>& tree, py::module_& module);
void bind_point_pairs(py::class_<PointTreeObject>& tree);
void bind_point_nearest(py::class_<PointTreeObject>& tree);

}  // namespace juxta::python
