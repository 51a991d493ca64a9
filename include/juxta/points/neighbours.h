// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All neighbours within a radius, of every point at once.
//
//   JUXTA_TRY_LET(const PointTree tree, PointTree::build(coordinates));
//   JUXTA_TRY_LET(const NeighbourTable table, NeighbourTable::build(tree, radius));
//   std::vector<std::uint32_t> index(table.found());
//   JUXTA_TRY(table.write({.index = index}));
//   // the neighbours of point i: index[table.offsets()[i]] ... index[table.offsets()[i + 1] - 1], ascending
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/core/query_result.h"
#include "juxta/points/point_tree.h"

namespace juxta {
namespace points_detail {
template <int D, class Real>
struct TableStore;
}  // namespace points_detail

/// Which neighbours, and how they are written.
struct NeighbourOptions {
  /// Of the points of one tree: only neighbours with a higher number, so that each pair is met once. Changes
  /// the result.
  bool half = false;
  /// Each list ascends. If not, lists are in the order of the tree: the same on every machine, and quicker.
  /// Changes the result.
  bool sorted = true;
  /// Distances or displacements will be written. Never changes the result.
  bool measured = false;
};

/// Where lists go, one behind the other. Each span is empty (not wanted) or has room for all of them.
template <int D, class Real>
struct NeighbourLists {
  std::span<std::uint32_t> index = {};   ///< The neighbour's number.
  std::span<std::int64_t> index64 = {};  ///< The same.
  std::span<std::uint32_t> pairs = {};   ///< The point's number and the neighbour's, two for each neighbour.
  std::span<std::int64_t> pairs64 = {};  ///< The same.
  std::span<Real> distance = {};         ///< The root of d2 (point_tree.h).
  /// D numbers each: the neighbour's position less the point's, by the nearest image: (c - s), (c - s) - L or
  /// (c - s) + L.
  std::span<Real> displacement = {};
};

/// A tree's own parameter, where a template must not deduce it again.
template <class Real>
using SameReal = std::type_identity_t<Real>;

/// How many neighbours each point of the tree has, itself not counted: counts[i] for point i. `found` is
/// their sum.
///
/// Cost:    O(points tested), sixteen at a time: about 70 ns a point with 30 neighbours in 3D.
/// Memory:  nothing.
/// Threads: uses the executor's.
/// Errors:  kInvalidArgument (radius negative or NaN; not one count for each point), kCancelled.
template <int D, class Real>
[[nodiscard]] Result<QueryResult> count_neighbours(const BasicPointTree<D, Real>& tree, SameReal<Real> radius,
                                                   std::span<std::uint32_t> counts,
                                                   const NeighbourOptions& options = {},
                                                   const Context& context = {});

/// The same for other points, which are interleaved as the tree's: how many points of the tree are near each
/// of them. A point of the tree in the same place is a neighbour. `radii`: one for all, or one for each.
/// `half` is not looked at. Errors: also those of BasicPointTree::build(), with the index.
template <int D, class Real>
[[nodiscard]] Result<QueryResult> count_neighbours(const BasicPointTree<D, Real>& tree,
                                                   std::span<const SameReal<Real>> points,
                                                   std::span<const SameReal<Real>> radii,
                                                   std::span<std::uint32_t> counts,
                                                   const NeighbourOptions& options = {},
                                                   const Context& context = {});

/// The neighbours of every point, as lists one behind the other.
///
///   offsets   0       2           5   ...     offsets()[i] is where the list of point i begins
///   index     4 7   | 0 2 9     | ...         as write() gives it
///
/// Order:   by point, and in each list by neighbour (NeighbourOptions::sorted).
/// Cost:    build() about 110 ns a point with 30 neighbours in 3D, write() as much again.
/// Memory:  8 bytes a point and 4 a neighbour, and up to 64 KiB a thread.
/// Threads: const members from any number of threads at once.
/// Borrowed: the tree, which must stay as it is for as long as the table is used.
template <int D, class Real>
class JUXTA_API BasicNeighbourTable {
 public:
  using Tree = BasicPointTree<D, Real>;

  /// No points.
  explicit BasicNeighbourTable(std::pmr::memory_resource* resource = huge_page_resource());

  /// Of the points of the tree. Errors: kInvalidArgument (radius negative or NaN), kCancelled.
  [[nodiscard]] static Result<BasicNeighbourTable> build(
      const Tree& tree, Real radius, const NeighbourOptions& options = {}, const Context& context = {},
      std::pmr::memory_resource* resource = huge_page_resource());
  /// Of other points, which are interleaved as the tree's: which points of the tree are near each of them. A
  /// point of the tree in the same place is a neighbour. `radii`: one for all, or one for each. `half` is not
  /// looked at. Errors: also those of BasicPointTree::build(), with the index.
  [[nodiscard]] static Result<BasicNeighbourTable> build(
      const Tree& tree, std::span<const Real> points, std::span<const Real> radii,
      const NeighbourOptions& options = {}, const Context& context = {},
      std::pmr::memory_resource* resource = huge_page_resource());
  /// The same in place: forgets what was found, keeps the memory. After an error the table is empty.
  [[nodiscard]] Result<void> rebuild(const Tree& tree, Real radius, const NeighbourOptions& options = {},
                                     const Context& context = {});
  [[nodiscard]] Result<void> rebuild(const Tree& tree, std::span<const Real> points,
                                     std::span<const Real> radii, const NeighbourOptions& options = {},
                                     const Context& context = {});

  /// Points whose neighbours are listed.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Neighbours in all lists together.
  [[nodiscard]] std::size_t found() const noexcept;
  /// size() + 1 of them.
  [[nodiscard]] std::span<const std::uint64_t> offsets() const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Writes the lists. Errors: kInvalidArgument (a span that is too short; distances or displacements, but
  /// the table was built without `measured`), kCancelled.
  [[nodiscard]] Result<QueryResult> write(const NeighbourLists<D, Real>& lists,
                                          const Context& context = {}) const;

 private:
  Owned<points_detail::TableStore<D, Real>> store_;
};

using NeighbourTable = BasicNeighbourTable<3, float>;
using NeighbourTable2 = BasicNeighbourTable<2, float>;

extern template class BasicNeighbourTable<2, float>;
extern template class BasicNeighbourTable<3, float>;
extern template class BasicNeighbourTable<2, double>;
extern template class BasicNeighbourTable<3, double>;

}  // namespace juxta
