// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Contacts as columns, and what continues from frame to frame.
#include "contacts.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "bodies_docs.h"
#include "call.h"
#include "errors.h"
#include "numbers.h"
#include "results.h"
#include "shape_object.h"

namespace juxta::python {
namespace {

/// Columns of many manifolds, filled one by one.
class ManifoldColumns {
 public:
  explicit ManifoldColumns(std::size_t count)
      : normals_(count),
        counts_(new_array<std::int64_t>(count)),
        points_(new_array<float>(count, 4, 3)),
        distances_(new_array<float>(count, 4)),
        features_(new_array<std::uint32_t>(count, 4)) {
    part_a_.resize(2 * count);
    part_b_.resize(2 * count);
  }

  void set(std::size_t i, const Manifold& manifold) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    normals_.set(i, manifold.normal);
    counts_.mutable_data()[i] = manifold.count;
    for (std::size_t j = 0; j < 4; ++j) {
      const Manifold::Point point =
          j < manifold.count ? manifold.points[j] : Manifold::Point{Vec3::all(kNan), kNan, 0};
      std::copy_n(point.point.begin(), 3, points_.mutable_data() + 12 * i + 3 * j);
      distances_.mutable_data()[4 * i + j] = point.distance;
      features_.mutable_data()[4 * i + j] = point.feature;
    }
    set_part(part_a_, i, manifold.part_a);
    set_part(part_b_, i, manifold.part_b);
  }
  [[nodiscard]] py::tuple take(IndexType type) && {
    const std::size_t count = part_a_.size() / 2;
    return py::make_tuple(std::move(normals_).take(), std::move(counts_), std::move(points_),
                          std::move(distances_), std::move(features_), parts(std::move(part_a_), count, type),
                          parts(std::move(part_b_), count, type));
  }

 private:
  static void set_part(Buffer<std::uint32_t>& parts, std::size_t i, const PartId& part) {
    parts.span()[2 * i] = part.part;
    parts.span()[2 * i + 1] = part.triangle;
  }
  static py::array parts(Buffer<std::uint32_t>&& ids, std::size_t count, IndexType type) {
    return index_row(std::move(ids), type, nullptr)
        .reshape(std::vector<py::ssize_t>{static_cast<py::ssize_t>(count), 2});
  }

  VectorColumn normals_;
  py::array_t<std::int64_t> counts_;
  py::array_t<float> points_, distances_;
  py::array_t<std::uint32_t> features_;
  Buffer<std::uint32_t> part_a_, part_b_;
};

[[noreturn]] void refuse(const char* which, const std::string& why) {
  raise_value(std::string(which) + " is not what find_contacts() gives: " + why);
}

/// A field of a juxta._results.Contacts, in rows of `width` numbers each.
template <class T>
std::span<const T> rows_of(const Numbers<T>& numbers, const char* which, std::size_t count,
                           std::size_t width) {
  if (numbers.size() != count * width) {
    refuse(which, "its " + std::string(numbers.name()) + " has shape " + numbers.shape_text() + " for " +
                      std::to_string(count) + " pairs");
  }
  return numbers.span();
}

/// What match_contacts() reads of a juxta._results.Contacts; normals, distances and parts it does not.
std::vector<Bodies::Contact> read_contacts(const py::object& given, const char* which) {
  for (const char* field : {"pairs", "count", "points", "features"}) {
    if (!py::hasattr(given, field)) {
      raise_type(std::string(which) + " is " + std::string(py::str(py::type::of(given).attr("__name__"))) +
                 ". Give what find_contacts() returned");
    }
  }
  const Numbers<std::uint32_t> pairs(given.attr("pairs"), "pairs"), counts(given.attr("count"), "count"),
      features(given.attr("features"), "features");
  const Numbers<float> points(given.attr("points"), "points");
  if (pairs.ndim() != 2 || pairs.shape(0) != 2) {
    refuse(which, "its pairs has shape " + pairs.shape_text());
  }
  const std::size_t n = pairs.shape(1);
  const auto count_of = rows_of(counts, which, n, 1), feature_of = rows_of(features, which, n, 4);
  const auto point_of = rows_of(points, which, n, 12);
  std::vector<Bodies::Contact> made(n);
  for (std::size_t i = 0; i < n; ++i) {
    Bodies::Contact& contact = made[i];
    contact.a = pairs.data()[i];
    contact.b = pairs.data()[n + i];
    if (i > 0 && Pair{contact.a, contact.b} < Pair{made[i - 1].a, made[i - 1].b}) {
      refuse(which, "pair " + std::to_string(i) + " is out of order");
    }
    if (count_of[i] > 4) {
      refuse(which, "pair " + std::to_string(i) + " has " + std::to_string(count_of[i]) + " points");
    }
    contact.manifold.count = count_of[i];
    for (std::size_t j = 0; j < 4; ++j) {
      const float* const at = point_of.data() + 12 * i + 3 * j;
      contact.manifold.points[j].point = {at[0], at[1], at[2]};
      contact.manifold.points[j].feature = feature_of[4 * i + j];
    }
  }
  return made;
}

py::object match(const py::object& previous_in, const py::object& current_in, double slack,
                 const py::object& dtype) {
  const IndexType type = index_type_of(dtype);
  const std::vector<Bodies::Contact> previous = read_contacts(previous_in, "previous");
  const std::vector<Bodies::Contact> current = read_contacts(current_in, "current");
  Buffer<std::uint32_t> continues;
  continues.resize(4 * current.size());
  unwrap(Call::released(
      [&] { return match_contacts(previous, current, static_cast<float>(slack), continues.span()); }));
  return index_row(std::move(continues), type, nullptr)
      .reshape(std::vector<py::ssize_t>{static_cast<py::ssize_t>(current.size()), 4});
}

}  // namespace

py::tuple manifold_columns(std::span<const Manifold> found, IndexType type) {
  ManifoldColumns columns(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    columns.set(i, found[i]);
  }
  return std::move(columns).take(type);
}

py::object contacts_of(std::span<const Bodies::Contact> found, IndexType type) {
  Buffer<Pair> pairs(found.size());
  pairs.resize(found.size());
  ManifoldColumns columns(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    pairs.span()[i] = {found[i].a, found[i].b};
    columns.set(i, found[i].manifold);
  }
  return make_result(ResultType::kContacts, py::make_tuple(pair_array(std::move(pairs), type, nullptr)) +
                                                std::move(columns).take(type));
}

void bind_contacts(py::module_& module) {
  using py::arg;
  module.def("match_contacts", &match, arg("previous"), arg("current"), arg("slack") = 0.0, py::kw_only(),
             arg("dtype") = py::none(), docs::kMatchContacts);
}

}  // namespace juxta::python
