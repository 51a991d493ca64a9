// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/world_boxes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "transform/exact_side.h"
#include "transform/spans.h"
#include "transform/world_boxes_kernel.h"

namespace juxta {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Aabb3 all_of_space() noexcept {
  return {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
}

bool finite(const Aabb3& box) noexcept {
  bool all = true;
  for (int axis = 0; axis < 3; ++axis) {
    all = all && std::isfinite(box.lo[axis]) && std::isfinite(box.hi[axis]);
  }
  return all;
}

/// Where each world axis comes from.
struct AxisMap {
  int from[3];
  float sign[3];
};

/// A rotation maps axes to axes when its components are 0 or of one size, and one, two or four of them are
/// not 0: the 24 rotations of a cube. With components of -1, 0 and 1 the matrix is exact in small integers.
bool maps_axes(Quat q) noexcept {
  const float x = std::abs(q.x), y = std::abs(q.y), z = std::abs(q.z), w = std::abs(q.w);
  const float size = std::max(std::max(x, y), std::max(z, w));
  const int zeros = (x == 0) + (y == 0) + (z == 0) + (w == 0);
  const int equal = (x == size) + (y == size) + (z == size) + (w == size);
  return size > 0 && zeros + equal == 4 && equal != 3;
}

AxisMap axis_map(Quat q) noexcept {
  const auto unit = [](float component) { return (component > 0) - (component < 0); };
  const int x = unit(q.x), y = unit(q.y), z = unit(q.z), w = unit(q.w);
  const int matrix[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
  AxisMap map{};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      if (matrix[row][column] != 0) {
        map.from[row] = column;
        map.sign[row] = matrix[row][column] < 0 ? -1.0F : 1.0F;
      }
    }
  }
  return map;
}

struct Sizes {
  double of[3];       // scale * stretch, exact
  float position[3];  // the transform's, by axis
};

Sizes sizes_of(const Qvvs& t) noexcept {
  const double scale = t.scale;
  return {{scale * t.stretch.x, scale * t.stretch.y, scale * t.stretch.z},
          {t.position.x, t.position.y, t.position.z}};
}

Aabb3 straight_box(Quat q, const Sizes& sizes, const Aabb3& local) noexcept {
  const bool as_it_is = q.w != 0 && q.x == 0 && q.y == 0 && q.z == 0;  // most of all nodes
  const AxisMap map = as_it_is ? AxisMap{{0, 1, 2}, {1, 1, 1}} : axis_map(q);
  Aabb3 box;
  for (int row = 0; row < 3; ++row) {
    const int column = map.from[row];
    const double size = sizes.of[column] * static_cast<double>(map.sign[row]);
    const float low = size < 0 ? local.hi[column] : local.lo[column];
    const float high = size < 0 ? local.lo[column] : local.hi[column];
    box.lo[row] = transform_detail::exact_side<false>(sizes.position[row], size, low);
    box.hi[row] = transform_detail::exact_side<true>(sizes.position[row], size, high);
  }
  return box;
}

/// Row by row the smaller and the larger of each product (Arvo 1990), in double, so that what rounds is only
/// the float arithmetic of others, which `slack` covers: rotate() is wrong by less than 18 * 2^-24 of the
/// reach, a rotation of squared length n away from that of length 1 by at most 2 |n - 1| of it.
Aabb3 turned_box(Quat q, const Sizes& sizes, const Aabb3& local) noexcept {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  const double matrix[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  double ends[3][2], reach = 0;
  for (int axis = 0; axis < 3; ++axis) {
    ends[axis][0] = sizes.of[axis] * local.lo[axis];
    ends[axis][1] = sizes.of[axis] * local.hi[axis];
    reach += std::max(std::abs(ends[axis][0]), std::abs(ends[axis][1]));
  }
  const double off = std::abs((x * x + y * y) + (z * z + w * w) - 1);
  Aabb3 box;
  for (int row = 0; row < 3; ++row) {
    const double position = sizes.position[row];
    double low = position, high = position;
    for (int axis = 0; axis < 3; ++axis) {
      const double a = matrix[row][axis] * ends[axis][0], b = matrix[row][axis] * ends[axis][1];
      low += std::min(a, b);
      high += std::max(a, b);
    }
    // The last term: below the normal floats, a step is not a fraction of the number.
    const double slack = (0x1p-19 + 2 * off) * reach + 0x1p-22 * std::abs(position) + 0x1p-148;
    box.lo[row] = static_cast<float>(low - slack);
    box.hi[row] = static_cast<float>(high + slack);
  }
  return box;
}

}  // namespace

Aabb3 world_box(const Qvvs& transform, const Aabb3& local) noexcept {
  if (local.empty()) {
    return {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  }
  const Sizes sizes = sizes_of(transform);
  const Quat q = transform.rotation;
  const Aabb3 box = maps_axes(q) ? straight_box(q, sizes, local) : turned_box(q, sizes, local);
  return finite(box) ? box : all_of_space();
}

Result<void> world_boxes(std::span<const Qvvs> transforms, std::span<const Aabb3> local, std::span<Aabb3> out,
                         const Context& context) {
  JUXTA_TRY(transform_detail::same_length("the local boxes", local.size(), transforms.size()));
  JUXTA_TRY(transform_detail::same_length("`out`", out.size(), transforms.size()));
  const auto box = active_isa() ? transform_detail::box_nodes : transform_detail::box_nodes_reference;
  executor_or_serial(context.executor)
      .parallel_for(transforms.size(), transform_detail::kSpanGrain,
                    [&](std::size_t first, std::size_t last) {
                      box(transforms.data() + first, local.data() + first, out.data() + first, last - first);
                    });
  return {};
}

}  // namespace juxta
