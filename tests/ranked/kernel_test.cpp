// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The kernels of the module ranked against their plain twins, on every instruction set.
#include <gtest/gtest.h>

#include <memory_resource>

#include "ranked/brute.h"
#include "ranked/cells_kernel.h"
#include "ranked/quantise_kernel.h"
#include "ranked/store.h"
#include "ranked/top_kernel.h"
#include "scenes/hard_points.h"
#include "support/each_isa.h"

namespace juxta::ranked_detail {
namespace {

template <class T>
std::vector<T> values_with_repeats(std::size_t n) {
  std::uint32_t state = static_cast<std::uint32_t>(n);
  std::vector<T> values(n);
  for (auto& value : values) {
    state = state * 1664525u + 1013904223u;
    value = state % 4 == 0 ? static_cast<T>(state >> 29) : static_cast<T>(state >> 8) / 1000 - 8000;
  }
  return values;
}

template <class T>
void check_quantiles(std::size_t n) {
  const std::vector<T> values = values_with_repeats<T>(n);
  const StridedColumn<T> column{reinterpret_cast<const std::byte*>(values.data()), sizeof(T)};
  Workspace workspace;
  AxisStore store(std::pmr::get_default_resource());
  const Axis axis = build_axis(store, column, n, BuildContext{serial_executor(), workspace});
  EXPECT_EQ(axis.lowest, static_cast<double>(*std::min_element(values.begin(), values.end())));
  EXPECT_EQ(axis.highest, static_cast<double>(*std::max_element(values.begin(), values.end())));

  std::vector<std::uint32_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = static_cast<std::uint32_t>(n - 1 - i);
  }
  std::vector<std::uint16_t> got(n), want(n), turned(n);
  quantise_column_reference(axis.view, column, nullptr, 0, n, want.data());
  test::for_each_isa([&](Isa) {
    quantise_column(axis.view, column, nullptr, 0, n, got.data());
    ASSERT_EQ(got, want);
    quantise_column(axis.view, column, order.data(), 0, n, turned.data());
    ASSERT_TRUE(std::equal(turned.rbegin(), turned.rend(), want.begin()));
  });
  // What the query relies on: quanta ascend with the values, and no value is above its quantum's bound.
  for (std::size_t i = 0; i < n; ++i) {
    const auto quantum = static_cast<std::size_t>(want[i] >> axis.view.shift());
    ASSERT_FALSE(values[i] > axis.view.highest_in<T>(quantum));
    ASSERT_GE(values[i], axis.view.level<T>(axis.view.levels - 1)[quantum]);
    ASSERT_FALSE(i > 0 && values[i - 1] < values[i] && want[i - 1] > want[i]);
  }
}

TEST(RankedKernels, QuantilesEqualUpperBound) {
  for (const std::size_t n : {1u, 2u, 17u, 300u, 5000u, 200'000u}) {
    check_quantiles<float>(n);
    check_quantiles<double>(n);
  }
}

TEST(RankedKernels, TopAndCountEqualTheirTwins) {
  for (const auto set_kind : scenes::kHardSets) {
    const std::size_t n = 5000;
    const scenes::HardPoints set = scenes::make_hard_points(set_kind, n, 4);
    Workspace workspace;
    const BuildContext context{serial_executor(), workspace};
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return set.rank[a] < set.rank[b]; });

    RankedStore store(std::pmr::get_default_resource());
    RankedView& view = store.view;
    const StridedColumn<float> xs{reinterpret_cast<const std::byte*>(set.x.data())};
    const StridedColumn<float> ys{reinterpret_cast<const std::byte*>(set.y.data())};
    const Axis x = build_axis(store.x_axis, xs, n, context), y = build_axis(store.y_axis, ys, n, context);
    std::vector<std::uint16_t> qx(n), qy(n);
    quantise_column(x.view, xs, order.data(), 0, n, qx.data());
    quantise_column(y.view, ys, order.data(), 0, n, qy.data());
    view.size = n;
    view.x_axis = x.view;
    view.y_axis = y.view;
    view.bounds[0] = x.lowest;
    view.bounds[1] = y.lowest;
    view.bounds[2] = x.highest;
    view.bounds[3] = y.highest;
    view.index_of = order.data();
    view.xs = xs.data;
    view.ys = ys.data;
    view.x_stride = view.y_stride = sizeof(float);
    view.tall = build_tree(store.tall, qx, qy, true, context);
    view.flat = build_tree(store.flat, qx, qy, false, context);
    view.grid = build_grid(store.grid, qx, qy, context);
    view.levels = build_levels(store.levels, view.tall, n, context);

    for (const bool lists : {false, true}) {  // without lists, the trees and the levels answer everything
      view.lists = lists ? build_lists(store.lists, view, qx, qy, context) : ListView{};
      test::for_each_isa([&](Isa) {
        for (const auto family : scenes::kQueryFamilies) {
          for (const RectF& query : scenes::make_hard_queries(family, set, 25, 6)) {
            const RectD rect = test::as_double(query);
            for (const std::size_t k : {100u, 255u, 256u, 2500u}) {
              std::vector<std::uint32_t> got(k), want(k);
              const QueryResult g = top_points(view, rect, k, got.data());
              const QueryResult w = top_points_reference(view, rect, k, want.data());
              ASSERT_EQ(g.written, w.written) << scenes::name(set_kind) << ' ' << scenes::name(family);
              ASSERT_EQ(got, want) << scenes::name(set_kind) << ' ' << scenes::name(family);
            }
            ASSERT_EQ(count_points(view, rect).found, count_points_reference(view, rect).found);
            if (rect.lx < rect.hx && rect.ly < rect.hy) {
              const CellGrid grid = {rect, 16, 9, {rect.lx, rect.hx, 16}, {rect.ly, rect.hy, 9}};
              std::vector<std::uint32_t> cells(16 * 9), twins(16 * 9);
              ASSERT_EQ(count_cells(view, grid, cells, context).found,
                        count_cells_reference(view, grid, twins).found);
              ASSERT_EQ(cells, twins);
            }
          }
        }
      });
    }
  }
}

}  // namespace
}  // namespace juxta::ranked_detail
