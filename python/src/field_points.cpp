// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Field: amounts left at points, values and slopes there.
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "boxes.h"
#include "call.h"
#include "choice.h"
#include "field_docs.h"
#include "field_object.h"
#include "numbers.h"
#include "outputs.h"

namespace juxta::python {
namespace {

constexpr std::array<Choice<FieldMethod>, 2> kMethods{
    {{"linear", FieldMethod::kLinear}, {"nearest", FieldMethod::kNearest}}};

FieldAccess access_of(py::handle component, py::handle method) {
  return {.component = component_of(component), .method = choice_of(method, "method", kMethods)};
}

std::uint32_t dimensions_of(const FieldObject& self) {
  const Reading reading(self);
  return self.field.options().world.dimensions;
}

/// Coordinates along each axis: a tuple of D arrays (n,), which are not copied if they are packed floats, or
/// points (n, D), or one point (D,).
class FieldPoints {
 public:
  FieldPoints(py::handle given, std::uint32_t dimensions) {
    if (are_columns(given, dimensions)) {
      take_columns(py::reinterpret_borrow<py::tuple>(given), dimensions);
      return;
    }
    const PointsIn points(given, "points", static_cast<int>(dimensions));
    single_ = points.single();
    const float* const from = dimensions == 2 ? reinterpret_cast<const float*>(points.as<2>().data())
                                              : reinterpret_cast<const float*>(points.as<3>().data());
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      std::vector<float>& column = split_[axis];
      column.resize(points.count());
      for (std::size_t i = 0; i < column.size(); ++i) {
        column[i] = from[i * dimensions + axis];
      }
      columns_[axis] = column;
    }
  }
  FieldPoints(const FieldPoints&) = delete;
  FieldPoints& operator=(const FieldPoints&) = delete;

  [[nodiscard]] std::size_t count() const noexcept { return columns_[0].size(); }
  [[nodiscard]] bool single() const noexcept { return single_; }
  [[nodiscard]] std::span<const float> operator[](std::size_t axis) const noexcept { return columns_[axis]; }

 private:
  static bool are_columns(py::handle given, std::uint32_t dimensions) {
    if (!py::isinstance<py::tuple>(given) || py::len(given) != dimensions) {
      return false;
    }
    for (const py::handle column : given) {
      if (!py::isinstance<py::array>(column) || py::reinterpret_borrow<py::array>(column).ndim() != 1) {
        return false;
      }
    }
    return true;
  }
  void take_columns(const py::tuple& given, std::uint32_t dimensions) {
    constexpr std::array<const char*, 3> kNames = {"x", "y", "z"};
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      whole_[axis] = std::make_unique<Numbers<float>>(given[axis], kNames[axis]);
      columns_[axis] = whole_[axis]->span();
      if (columns_[axis].size() != columns_[0].size()) {
        whole_[axis]->refuse_shape("Give as many coordinates as of x, " + std::to_string(count()));
      }
    }
  }

  std::array<std::unique_ptr<Numbers<float>>, 3> whole_;
  std::array<std::vector<float>, 3> split_;
  std::array<std::span<const float>, 3> columns_;
  bool single_ = false;
};

void deposit(FieldObject& self, const py::object& points, const py::object& amounts,
             const py::object& component, const py::object& method) {
  const FieldAccess access = access_of(component, method);
  const FieldPoints at(points, dimensions_of(self));
  const Numbers<float> given(amounts, "amounts");
  if (given.ndim() > 1 || (given.ndim() == 1 && given.size() != at.count())) {
    given.refuse_shape("Give one number, or one for each of the " + std::to_string(at.count()) + " points");
  }
  const Writing writing(self);
  unwrap(Call::released([&] { return self.field.deposit(at[0], at[1], at[2], given.span(), access); }));
}

py::object sample(const FieldObject& self, const py::object& points, const py::object& component,
                  const py::object& method, const py::object& threads) {
  const FieldAccess access = access_of(component, method);
  const FieldPoints at(points, dimensions_of(self));
  Call call(threads, py::none());
  auto out = new_array<float>(at.count());
  const std::span<float> to(out.mutable_data(), at.count());
  {
    const Reading reading(self);
    call.run(
        [&](const Context& context) { return self.field.sample(at[0], at[1], at[2], to, access, context); });
  }
  return at.single() ? py::object(py::float_(to[0])) : py::object(std::move(out));
}

py::array gradient(const FieldObject& self, const py::object& points, const py::object& component,
                   const py::object& method, const py::object& threads) {
  const FieldAccess access = access_of(component, method);
  const std::uint32_t dimensions = dimensions_of(self);
  const FieldPoints at(points, dimensions);
  Call call(threads, py::none());
  std::array<Buffer<float>, 3> slopes;
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    slopes[axis].resize(at.count());
  }
  auto out = at.single() ? new_array<float>(dimensions) : new_array<float>(at.count(), dimensions);
  float* const to = out.mutable_data();
  const Reading reading(self);
  call.run([&](const Context& context) {
    const Result<void> done = self.field.gradient(at[0], at[1], at[2], slopes[0].span(), slopes[1].span(),
                                                  slopes[2].span(), access, context);
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      const float* const from = slopes[axis].data();
      for (std::size_t i = 0; i < at.count(); ++i) {
        to[i * dimensions + axis] = from[i];
      }
    }
    return done;
  });
  return out;
}

}  // namespace

void bind_field_points(py::class_<FieldObject>& field) {
  using py::arg;
  const auto none = py::none();
  field
      .def("deposit", &deposit, arg("points"), arg("amounts"), py::kw_only(), arg("component") = 0,
           arg("method") = "linear", docs::kFieldDeposit)
      .def("sample", &sample, arg("points"), py::kw_only(), arg("component") = 0, arg("method") = "linear",
           arg("threads") = none, docs::kFieldSample)
      .def("gradient", &gradient, arg("points"), py::kw_only(), arg("component") = 0,
           arg("method") = "linear", arg("threads") = none, docs::kFieldGradient);
}

}  // namespace juxta::python
