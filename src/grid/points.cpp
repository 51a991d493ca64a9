// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Values and slopes at points, and amounts left there.
#include <algorithm>
#include <array>
#include <atomic>

#include "core/prefetch.h"
#include "grid/field_store.h"
#include "grid/points_kernel.h"
#include "grid/points_over_ranks.h"
#include "juxta/core/executor.h"
#include "juxta/core/try.h"

namespace juxta {
namespace grid_detail {
namespace {

constexpr std::size_t kPointsOfTask = 4096;

using Positions = std::array<std::span<const float>, 3>;

/// As many coordinates along each axis of the field as there are points, and none along z in 2D.
Result<void> check_lengths(const FieldStore& store, const Positions& at, std::size_t points) {
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::size_t due = axis < store.options.world.dimensions ? points : 0;
    if (at[axis].size() != due) {
      return fail(ErrorCode::kInvalidArgument, std::string("There are ") + std::to_string(at[axis].size()) +
                                                   " coordinates " + "xyz"[axis] + " where " +
                                                   std::to_string(due) + " are due.");
    }
  }
  return {};
}

/// Errors: what is wrong with the position of point `i`, if anything.
Result<void> check_position(const FieldStore& store, const Positions& at, std::size_t i) {
  for (std::uint32_t axis = 0; axis < store.options.world.dimensions; ++axis) {
    const float p = at[axis][i];
    const Axis& along = store.axes[axis];
    if (finite(p) && allowed(along, p)) [[likely]] {
      continue;
    }
    const std::string what = "Point " + std::to_string(i) + ": " + "xyz"[axis] + " is " + std::to_string(p);
    if (!finite(p)) {
      return fail(ErrorCode::kNotFinite, what + ". It must be finite.", i);
    }
    return fail(
        ErrorCode::kInvalidArgument,
        what + ". The walls are at " + std::to_string(along.lo) + " and " + std::to_string(along.hi) + ".",
        i);
  }
  return {};
}

Result<void> answer(const FieldStore& store, const Positions& at, const PointsTask& task,
                    const Context& context) {
  const std::size_t points = at[0].size();
  std::atomic<std::size_t> first_bad{points};
  executor_or_serial(context.executor)
      .parallel_for(points, kPointsOfTask, [&](std::size_t first, std::size_t last) {
        const std::size_t end = answer_points(task, first, last);
        std::size_t known = first_bad.load();
        while (end < last && end < known && !first_bad.compare_exchange_weak(known, end)) {
        }
      });
  const std::size_t bad = first_bad.load();
  if (bad == points) {
    return {};
  }
  JUXTA_TRY(check_position(store, at, bad));
  return fail(ErrorCode::kNotFinite,
              "Point " + std::to_string(bad) +
                  ": the field is not finite there, or its slope is beyond float. Check its values.",
              bad);
}

PointsTask task_of(const FieldStore& store, const Positions& at, std::uint32_t component,
                   PointQuestion question) noexcept {
  return {.axes = &store.axes,
          .dimensions = store.options.world.dimensions,
          .question = question,
          .values = store.planes[component].data(),
          .position = {at[0].data(), at[1].data(), at[2].data()},
          .out = {}};
}

/// What a point adds, and where: up to 8 cells.
struct Share {
  std::array<std::uint32_t, 8> cell;
  std::array<float, 8> amount;
  std::uint32_t count = 0;
};

/// Shares amounts among the cells of one component.
class Sharer {
 public:
  Sharer(const FieldStore& store, FieldMethod method)
      : axes_(store.axes),
        dimensions_(store.options.world.dimensions),
        nearest_(method == FieldMethod::kNearest) {}

  void share(const Positions& at, std::size_t point, float amount, Share& out) {
    for (std::uint32_t axis = 0; axis < dimensions_; ++axis) {
      const float p = at[axis][point];
      if (nearest_) {
        cells_[axis][0] = nearest_cell(axes_[axis], p);
        continue;
      }
      const Between between = between_cells(axes_[axis], p);
      cells_[axis][0] = cell_of(axes_[axis], between.first);
      cells_[axis][1] = cell_of(axes_[axis], between.first + 1);
      weights_[axis] = {1 - between.weight, between.weight};
    }
    out.count = 0;
    along(dimensions_, 0, amount, out);
  }

 private:
  /// Among the cells along the axes that are left, x last.
  void along(std::uint32_t axes_left, std::int32_t offset, float amount, Share& out) const {
    if (axes_left == 0) {
      out.cell[out.count] = static_cast<std::uint32_t>(offset);
      out.amount[out.count] = amount;
      ++out.count;
      return;
    }
    const std::uint32_t axis = axes_left - 1;
    for (std::size_t k = 0; k < (nearest_ ? 1 : 2); ++k) {
      const CellOfAxis& cell = cells_[axis][k];
      if (cell.there) {
        along(axis, offset + cell.index * axes_[axis].stride,
              nearest_ ? amount : product(amount, weights_[axis][k]), out);
      }
    }
  }

  const Axes& axes_;
  std::uint32_t dimensions_;
  bool nearest_;
  std::array<std::array<CellOfAxis, 2>, 3> cells_{};
  std::array<std::array<float, 2>, 3> weights_{};
};

/// What all points leave, in their order.
std::vector<Portion> portions_of(const FieldStore& store, const Positions& at, std::span<const float> amounts,
                                 const FieldAccess& access) {
  Sharer sharer(store, access.method);
  Share share;
  std::vector<Portion> portions;
  for (std::size_t i = 0; i < at[0].size(); ++i) {
    sharer.share(at, i, amounts[amounts.size() == 1 ? 0 : i], share);
    for (std::uint32_t k = 0; k < share.count; ++k) {
      portions.push_back({share.cell[k], share.amount[k]});
    }
  }
  return portions;
}

/// Adds in the order of the points. Returns the first one whose cell would not be finite, or their number.
std::size_t add_amounts(FieldStore& store, const Positions& at, std::span<const float> amounts,
                        const FieldAccess& access) {
  constexpr std::size_t kBatch = 32;  // cells are asked for before they are needed
  float* const values = store.planes[access.component].data();
  Sharer sharer(store, access.method);
  std::array<Share, kBatch> shares;
  const std::size_t points = at[0].size();
  for (std::size_t first = 0; first < points; first += kBatch) {
    const std::size_t count = std::min(kBatch, points - first);
    for (std::size_t i = 0; i < count; ++i) {
      sharer.share(at, first + i, amounts[amounts.size() == 1 ? 0 : first + i], shares[i]);
      for (std::uint32_t k = 0; k < shares[i].count; k += 2) {
        core_detail::prefetch_line(values + shares[i].cell[k]);
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::uint32_t k = 0; k < shares[i].count; ++k) {
        const float sum = values[shares[i].cell[k]] + shares[i].amount[k];
        if (!finite(sum)) [[unlikely]] {
          return first + i;
        }
        values[shares[i].cell[k]] = sum;
      }
    }
  }
  return points;
}

Result<void> check_deposit(const FieldStore& store, const Positions& at, std::span<const float> amounts,
                           const FieldAccess& access) {
  const std::span<const float> x = at[0];
  JUXTA_TRY(check_component(store, access.component));
  JUXTA_TRY(check_lengths(store, at, x.size()));
  if (amounts.size() != 1 && amounts.size() != x.size()) {
    return fail(ErrorCode::kInvalidArgument, "There are " + std::to_string(amounts.size()) + " amounts for " +
                                                 std::to_string(x.size()) +
                                                 " points. Give one for each, or one for all.");
  }
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (!finite(amounts[i])) {
      return fail(ErrorCode::kNotFinite, "Amount " + std::to_string(i) + " is not finite.", i);
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    JUXTA_TRY(check_position(store, at, i));
  }
  return {};
}

/// What sample() and gradient() read is here afterwards. `checked`: what this rank thinks of its arguments.
Result<void> prepare(const FieldStore& store, const Positions& at, const FieldAccess& access,
                     const Result<void>& checked) {
  if (!store.over) {
    return checked;
  }
  JUXTA_TRY(agree(store.over->ranks, checked));
  return fetch_around(store, at[store.options.world.dimensions - 1], access.component);
}

Result<void> agreed_answer(const FieldStore& store, const Positions& at, const PointsTask& task,
                           const Context& context) {
  const Result<void> mine = answer(store, at, task, context);
  return store.over ? agree(store.over->ranks, mine) : mine;
}

}  // namespace
}  // namespace grid_detail

Result<void> Field::deposit(std::span<const float> x, std::span<const float> y, std::span<const float> z,
                            std::span<const float> amounts, const FieldAccess& access) {
  const grid_detail::Positions at = {x, y, z};
  const Result<void> checked = grid_detail::check_deposit(*store_, at, amounts, access);
  if (store_->over) {
    JUXTA_TRY(agree(store_->over->ranks, checked));
    return grid_detail::hand_out(*store_, grid_detail::portions_of(*store_, at, amounts, access),
                                 access.component);
  }
  JUXTA_TRY(checked);
  const std::size_t bad = grid_detail::add_amounts(*store_, at, amounts, access);
  if (bad != x.size()) [[unlikely]] {
    return fail(ErrorCode::kNotFinite,
                "Point " + std::to_string(bad) + ": the sum in a cell is beyond float. Use smaller amounts.",
                bad);
  }
  return {};
}

Result<void> Field::sample(std::span<const float> x, std::span<const float> y, std::span<const float> z,
                           std::span<float> out, const FieldAccess& access, const Context& context) const {
  const grid_detail::Positions at = {x, y, z};
  JUXTA_TRY(grid_detail::prepare(*store_, at, access,
                                 grid_detail::check_component(*store_, access.component).and_then([&] {
                                   return grid_detail::check_lengths(*store_, at, out.size());
                                 })));
  auto task =
      grid_detail::task_of(*store_, at, access.component,
                           access.method == FieldMethod::kNearest ? grid_detail::PointQuestion::kNearestValue
                                                                  : grid_detail::PointQuestion::kLinearValue);
  task.out[0] = out.data();
  return grid_detail::agreed_answer(*store_, at, task, context);
}

Result<void> Field::gradient(std::span<const float> x, std::span<const float> y, std::span<const float> z,
                             std::span<float> out_x, std::span<float> out_y, std::span<float> out_z,
                             const FieldAccess& access, const Context& context) const {
  const grid_detail::Positions at = {x, y, z};
  const Result<void> checked =
      grid_detail::check_component(*store_, access.component)
          .and_then([&] { return grid_detail::check_lengths(*store_, at, x.size()); })
          .and_then([&] {
            return grid_detail::check_lengths(*store_, {out_x, out_y, out_z}, x.size())
                .map_error([](Error error) {
                  error.message += " (Of the results.)";
                  return error;
                });
          });
  JUXTA_TRY(grid_detail::prepare(*store_, at, access, checked));
  auto task =
      grid_detail::task_of(*store_, at, access.component,
                           access.method == FieldMethod::kNearest ? grid_detail::PointQuestion::kNearestSlope
                                                                  : grid_detail::PointQuestion::kLinearSlope);
  task.out = {out_x.data(), out_y.data(), out_z.data()};
  return grid_detail::agreed_answer(*store_, at, task, context);
}

}  // namespace juxta
