// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "classics/layer/dual_axis-inl.h"
#include "juxta/order/ordered_key.h"
#include "juxta/order/radix_sort.h"

namespace juxta::classics {
namespace {

// Rows in ascending order of value(row), equal ones as they stand.
template <class Value>
std::span<std::uint32_t> rows_by(std::uint32_t size, Workspace& workspace, const Value& value) {
  const auto order = workspace.take<std::uint32_t>(size);
  std::iota(order.begin(), order.end(), 0U);
  const Workspace::Scope scope(workspace);
  const auto keys = workspace.take<std::uint32_t>(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    keys[i] = ordered_key(value(i));
  }
  static_cast<void>(
      sort_pairs(keys, order, {.workspace = &workspace}).has_value());  // u32 rows are never too many
  return order;
}

}  // namespace

DualAxes make_dual_axes(const LayerRows& rows, Workspace& workspace) {
  const auto zmin = [&](std::uint32_t i) { return rows.yz[i].zmin; };
  const auto zmax = [&](std::uint32_t i) { return -rows.yz[i].minus_zmax; };
  DualAxes axes;
  axes.by_xmax = rows_by(rows.size, workspace, [&](std::uint32_t i) { return rows.xmax[i]; });
  axes.by_rank = rows_by(rows.size, workspace, zmin);
  axes.rank = workspace.take<std::uint32_t>(rows.size);
  axes.first = workspace.take<std::uint32_t>(rows.size);
  axes.last = workspace.take<std::uint32_t>(rows.size);
  axes.yz = workspace.take<YzBounds>(rows.size);
  axes.open = workspace.take<std::uint64_t>(rows.size / 64 + 1);
  // The lowest rank still open only grows: what ended before one zmin ended before the next.
  std::uint32_t lowest = 0;
  for (std::uint32_t rank = 0; rank < rows.size; ++rank) {
    const std::uint32_t row = axes.by_rank[rank];
    axes.rank[row] = rank;
    axes.yz[rank] = rows.yz[row];
    while (zmax(axes.by_rank[lowest]) < zmin(row)) {
      ++lowest;
    }
    axes.first[row] = lowest;
  }
  const Workspace::Scope scope(workspace);
  std::uint32_t begun = 0;
  for (const std::uint32_t row : rows_by(rows.size, workspace, zmax)) {
    while (begun < rows.size && zmin(axes.by_rank[begun]) <= zmax(row)) {
      ++begun;
    }
    axes.last[row] = begun;
  }
  return axes;
}

}  // namespace juxta::classics
