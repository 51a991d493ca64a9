// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.PointTree: building, and what it holds.
#include "juxta/points/point_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "bind.h"
#include "call.h"
#include "errors.h"
#include "juxta/core/kept_memory.h"
#include "numbers.h"
#include "outputs.h"
#include "point_tree_docs.h"
#include "point_tree_object.h"

namespace juxta::python {
namespace {

bool is_narrow(const py::array& array) {
  return array.dtype().kind() == 'f' && array.dtype().itemsize() <= static_cast<py::ssize_t>(sizeof(float));
}

// Which axes are periodic. None: those of the box, if there is one.
std::array<bool, 3> periodic_axes(py::handle periodic, bool boxed, int dims) {
  std::array<bool, 3> axes{};
  if (periodic.is_none() || PyBool_Check(periodic.ptr()) != 0) {
    axes.fill(periodic.is_none() ? boxed : periodic.ptr() == Py_True);
    return axes;
  }
  const Numbers<double> flags(periodic, "periodic");
  if (flags.ndim() != 1 || flags.shape(0) != static_cast<std::size_t>(dims)) {
    flags.refuse_shape("Give True, False, or one of them for each of the " + std::to_string(dims) + " axes");
  }
  for (std::size_t axis = 0; axis < flags.size(); ++axis) {
    const double flag = flags.data()[axis];
    if (flag != 0 && flag != 1) {
      raise_value("periodic[" + std::to_string(axis) + "] is " + std::string(py::str(py::float_(flag))) +
                  ". Give True or False (1 or 0) for each axis");
    }
    axes[axis] = flag == 1;
  }
  return axes;
}

template <int D, class Real>
PointSpace<D, Real> space_of(py::handle box, py::handle periodic) {
  constexpr auto kAxes = static_cast<std::size_t>(D);
  PointSpace<D, Real> space;
  const std::array<bool, 3> axes = periodic_axes(periodic, !box.is_none(), D);
  std::copy_n(axes.begin(), D, space.periodic);
  if (box.is_none()) {
    if (std::any_of(axes.begin(), axes.end(), [](bool is_periodic) { return is_periodic; })) {
      raise_value(
          "periodic is given, but box is not. Give the lengths of the periodic axes, or their ends: " +
          std::string("(") + std::to_string(D) + ",) or (2, " + std::to_string(D) + ")");
    }
    return space;
  }
  const Numbers<Real> ends(box, "box");
  const bool lengths = ends.ndim() == 1;
  if (ends.ndim() < 1 || ends.ndim() > 2 || ends.shape(-1) != kAxes || (!lengths && ends.shape(0) != 2)) {
    ends.refuse_shape("Give the lengths of axes that begin at 0, (" + std::to_string(D) +
                      ",), or a row of lower and a row of upper ends, (2, " + std::to_string(D) + ")");
  }
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    space.lo[axis] = lengths ? 0 : ends.data()[axis];
    space.hi[axis] = ends.data()[lengths ? axis : kAxes + axis];
  }
  return space;
}

template <int D, class Real>
AnyPointTree build_tree_of(const CloudIn& points, py::handle box, py::handle periodic, Call& call) {
  const PointSpace<D, Real> space = space_of<D, Real>(box, periodic);
  return call.run([&](const Context& context) {
    return BasicPointTree<D, Real>::build(points.as<Real>(), space, context, kept_memory_resource());
  });
}

}  // namespace

CloudIn::CloudIn(py::handle value, const char* name) {
  const py::array array = py::isinstance<py::array>(value) ? py::reinterpret_borrow<py::array>(value)
                                                           : array_of_numbers(value, name);
  const std::string shapes = "Points are (n, 2) or (n, 3)";
  if (is_narrow(array)) {
    narrow_.emplace(array, name);
  } else {
    wide_.emplace(array, name);
  }
  const auto take = [&](const auto& numbers) {
    if (numbers.ndim() != 2 || numbers.shape(1) < 2 || numbers.shape(1) > 3) {
      numbers.refuse_shape(shapes);
    }
    dims_ = static_cast<int>(numbers.shape(1));
  };
  wide() ? take(*wide_) : take(*narrow_);
}

AnyPointTree build_tree(const CloudIn& points, py::handle box, py::handle periodic, Call& call) {
  if (points.dims() == 2) {
    return points.wide() ? build_tree_of<2, double>(points, box, periodic, call)
                         : build_tree_of<2, float>(points, box, periodic, call);
  }
  return points.wide() ? build_tree_of<3, double>(points, box, periodic, call)
                       : build_tree_of<3, float>(points, box, periodic, call);
}

namespace {

std::unique_ptr<PointTreeObject> build(const py::object& points, const py::object& box,
                                       const py::object& periodic, const py::object& threads,
                                       const py::object& progress) {
  const CloudIn cloud(points, "points");
  Call call(threads, progress);
  auto made = std::make_unique<PointTreeObject>();
  made->tree = build_tree(cloud, box, periodic, call);
  return made;
}

py::object periodic_of(const PointTreeObject& self) {
  const Reading reading(self);
  return with_tree(self, []<int D, class Real>(const BasicPointTree<D, Real>& tree) -> py::object {
    auto array = new_array<bool>(D);
    std::copy_n(tree.space().periodic, D, array.mutable_data());
    return array;
  });
}

// Of an axis that is not periodic, whatever box= said was not looked at.
py::object box_of(const PointTreeObject& self) {
  const Reading reading(self);
  return with_tree(self, []<int D, class Real>(const BasicPointTree<D, Real>& tree) -> py::object {
    auto array = new_array<double>(2, D);
    for (int axis = 0; axis < D; ++axis) {
      const auto& space = tree.space();
      const bool wraps = space.periodic[axis];
      array.mutable_at(0, axis) = wraps ? static_cast<double>(space.lo[axis]) : -INFINITY;
      array.mutable_at(1, axis) = wraps ? static_cast<double>(space.hi[axis]) : INFINITY;
    }
    return array;
  });
}

template <class Read>
auto reading(Read read) {
  return [read](const PointTreeObject& self) {
    const Reading held(self);
    return with_tree(self, read);
  };
}

}  // namespace

void bind_point_tree(py::module_& module) {
  using py::arg;
  const auto dims = []<int D, class Real>(const BasicPointTree<D, Real>&) { return D; };
  const auto dtype = []<int D, class Real>(const BasicPointTree<D, Real>&) {
    return std::string(std::is_same_v<Real, float> ? "float32" : "float64");
  };
  const auto size = [](const auto& tree) { return tree.size(); };
  py::class_<PointTreeObject> tree(module, "PointTree", docs::kPointTree);
  tree.def(py::init(&build), arg("points"), py::kw_only(), arg("box") = py::none(),
           arg("periodic") = py::none(), arg("threads") = py::none(), arg("progress") = py::none(),
           docs::kPointTreeInit)
      .def_property_readonly("dims", reading(dims), "int: 2 or 3.")
      .def_property_readonly("dtype", reading(dtype), docs::kPointTreeDtype)
      .def_property_readonly("periodic", &periodic_of, docs::kPointTreePeriodic)
      .def_property_readonly("box", &box_of, docs::kPointTreeBox)
      .def_property_readonly("memory_bytes", reading([](const auto& one) { return one.memory_bytes(); }),
                             "int: bytes that this object holds.")
      .def("__len__", reading(size))
      .def("__repr__", [=](const PointTreeObject& self) {
        const Reading held(self);
        return "<juxta.PointTree of " + std::to_string(with_tree(self, size)) + " points in " +
               std::to_string(with_tree(self, dims)) + "D, " + with_tree(self, dtype) + ">";
      });
  bind_point_neighbors(tree, module);
  bind_point_pairs(tree);
  bind_point_nearest(tree);
}

}  // namespace juxta::python
