// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/layer/interval_tree.h"
#include "juxta/core/array.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/raycast.h"
#include "juxta/math/aabb.h"

namespace juxta::classics {

/// The cells of the world in y and z. Boxes outside of `world` belong to its outermost cells.
struct LayerCells {
  Aabb3 world{};
  std::uint32_t y = 1, z = 1;  ///< At least 1 each.
};

/// y and z bounds with the upper ones negated, so that one 4-wide `less` decides: a and b overlap in y and z
/// exactly when no lane of flipped(a) is less than its lane of b.
///
///   b            ymin    zmin   -ymax   -zmax
///   flipped(a)   ymax    zmax   -ymin   -zmin
struct alignas(16) YzBounds {
  float ymin, zmin, minus_ymax, minus_zmax;
};
[[nodiscard]] constexpr YzBounds yz_of(const Aabb3& box) noexcept {
  return {box.lo[1], box.lo[2], -box.hi[1], -box.hi[2]};
}
[[nodiscard]] constexpr YzBounds flipped(const YzBounds& yz) noexcept {
  return {-yz.minus_ymax, -yz.minus_zmax, -yz.ymin, -yz.zmin};
}

/// Rows of one bucket, ascending in xmin.
struct LayerRows {
  const float* xmin;
  const float* xmax;
  const YzBounds* yz;
  const std::uint32_t* source;
  std::uint32_t size;
};

/// What the layer is going to be asked.
enum class Ask : std::uint8_t { kPairs, kPairsAndObjects };  // the latter builds the trees
/// How the backward half of a query walks the tree: the answers are the same.
enum class TreeWalk : std::uint8_t {
  kRecursive,    ///< As printed first.
  kCheckpoints,  ///< As printed then: a loop over the recursion's frames, 32 of them.
  kStack,        ///< Not a printed form: a loop over a stack of nodes.
};
/// How pairs are found; the pairs are the same.
enum class Sweep : std::uint8_t {
  kOneAxis,     ///< As the article has it: along x, one 4-wide compare a box.
  kPaired,      ///< As later releases of the framework have it: two boxes to an 8-wide compare.
  kTwoAxes,     ///< As kOneAxis between buckets; within a bucket the dual-axis sweep of dual_axis-inl.h.
  kUnfiltered,  ///< As kOneAxis, before "Find Pairs 5": all boxes of the cross bucket meet every bucket.
};

/// What one FindObjects did, added up over its buckets.
struct ObjectsWork {
  std::uint64_t buckets = 0;
  std::uint64_t swept =
      0;  ///< Boxes that begin inside the query's x interval: tested in y and z, side by side.
  std::uint64_t nodes = 0;   ///< Nodes of interval trees that were read.
  std::uint64_t inside = 0;  ///< Those whose interval holds the query's begin: tested in y and z.
  std::uint64_t hits = 0;
};

/// The broadphase that Juxta's layers started from: the CollisionLayer, FindPairs and FindObjects of
/// Psyshock (Dreaming381's Latios Framework 0.5 to 0.12), as its "Optimization Adventures" describe them.
///
///   buckets   | y0 z0 | y0 z1 | ... | boxes that lie in several cells |    each sorted by xmin
///   columns   xmin, xmax, {ymin, zmin, -ymax, -zmax}, index of the box
///
/// Pairs: each bucket is swept along x; the cross bucket is swept against every other, after the boxes
/// that miss that one's bounds were dropped from it. Objects: a binary search finds the first box that begins
/// inside the query, a sweep follows; those that began before it come out of an interval tree.
///
/// As printed: cells, cross bucket, columns with flipped signs, the sweeps (kOneAxis, kPaired, kUnfiltered),
/// the binary search, the tree's build in two recursions, both walks (kRecursive, kCheckpoints), and
/// FindObjects without a way to stop. Not as printed:
/// - One radix sort over bucket and xmin builds the layer, where the original counts, scatters and sorts each
///   bucket. The order is the same.
/// - kOnePass, kStack and any_object_early: quicker ways that the article lacks.
/// - The cross bucket is filtered by the bounds of the boxes in the other bucket and without a branch; the
///   original takes the bounds of the cell.
/// - kTwoAxes: head of dual_axis-inl.h.
/// - Boxes have no colliders: rays, casts and distances end at boxes.
/// - One thread.
///
/// Boxes must be finite and not inverted. Touching is overlapping. Const members: any thread, each with its
/// own workspace.
class CollisionLayer {
 public:
  explicit CollisionLayer(const LayerCells& cells = {});

  /// Forgets all boxes and takes these. Allocates nothing when the size did not grow.
  void build(std::span<const Aabb3> boxes, Workspace& workspace, Ask ask = Ask::kPairs,
             TreeBuild tree = TreeBuild::kOnePass);
  /// Takes over the boxes of `from` whose byte in `keep` (one per box) is not zero, without sorting: they
  /// stand in order already. They keep their indices.
  void build_from(const CollisionLayer& from, std::span<const std::uint8_t> keep, Ask ask = Ask::kPairs);

  /// All pairs of indices, a < b; writes as many as `out` holds, returns how many there are.
  std::size_t find_pairs(Workspace& workspace, std::span<Pair> out, Sweep sweep = Sweep::kOneAxis) const;
  /// Pairs of a box of this layer and a box of `other`, which must have the same cells.
  std::size_t find_pairs(const CollisionLayer& other, Workspace& workspace, std::span<Pair> out,
                         Sweep sweep = Sweep::kOneAxis) const;
  /// Sets the byte of every box that overlaps another one of this layer; the visitor of the article.
  void flag_pairs(Workspace& workspace, std::span<std::uint8_t> hit, Sweep sweep = Sweep::kOneAxis) const;
  /// Sets the byte of every box of this layer that overlaps one of `other`.
  void flag_pairs(const CollisionLayer& other, Workspace& workspace, std::span<std::uint8_t> hit,
                  Sweep sweep = Sweep::kOneAxis) const;

  /// Indices of the boxes that overlap the query; writes as many as `out` holds, returns how many there are.
  /// Needs Ask::kPairsAndObjects, as the rest below.
  std::size_t find_objects(const Aabb3& query, std::span<std::uint32_t> out,
                           TreeWalk walk = TreeWalk::kStack) const;
  /// Whether there is one. As published: all are visited, because FindObjects has no way to stop early.
  [[nodiscard]] bool any_object(const Aabb3& query, TreeWalk walk = TreeWalk::kStack) const;
  /// The same with the early out that the article misses.
  [[nodiscard]] bool any_object_early(const Aabb3& query, TreeWalk walk = TreeWalk::kStack) const;
  /// What find_objects() does for this query. All walks read the same nodes, but kStack leaves out some of
  /// those that begin exactly at the query's begin.
  [[nodiscard]] ObjectsWork count_objects(const Aabb3& query, TreeWalk walk = TreeWalk::kRecursive) const;
  /// The box that a sound ray enters first; of several the lowest index. Every box that overlaps the bounds
  /// of the ray's part inside the world is tested: nothing gets shorter when a hit is found.
  [[nodiscard]] RayHit raycast_closest(const Ray3& ray) const;
  /// The same for a box that moves along `direction`, up to `max` lengths of it: where it first touches
  /// another. 0 where it touches from the start.
  [[nodiscard]] RayHit boxcast_closest(const Aabb3& box, const Vec3& direction, float max) const;
  /// The box nearest to a point, or to a box, within max_distance; of several the lowest index. Squares as
  /// juxta/layer/nearest.h has them. Every box that overlaps the query's box, widened by max_distance on all
  /// sides, is tested: an infinite distance tests them all.
  [[nodiscard]] NearestHit nearest(const Vec3& point, float max_distance) const;
  [[nodiscard]] NearestHit nearest(const Aabb3& box, float max_distance) const;

  [[nodiscard]] std::size_t size() const noexcept { return source_.size(); }
  /// The last bucket is the cross bucket.
  [[nodiscard]] std::uint32_t buckets() const noexcept { return cells_.y * cells_.z + 1; }
  [[nodiscard]] LayerRows rows(std::uint32_t bucket) const noexcept;
  /// All boxes in the layer's order, bucket by bucket: visiting queries in it goes along the layer.
  [[nodiscard]] std::span<const std::uint32_t> order() const noexcept { return source_.span(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  // The cells that an interval of y or z lies in; a monotone function of the bounds, so boxes in different
  // cells cannot overlap, rounding or not.
  struct CellRange {
    std::uint32_t first, last;
  };
  struct Axis {
    float origin, scale, last;
    [[nodiscard]] std::uint32_t cell(float v) const noexcept {
      const float at = (v - origin) * scale;
      return at > 0 ? static_cast<std::uint32_t>(at < last ? at : last) : 0;
    }
    [[nodiscard]] CellRange cells(float lo, float hi) const noexcept { return {cell(lo), cell(hi)}; }
  };
  static Axis axis_of(const LayerCells& cells, int axis, std::uint32_t count);

  [[nodiscard]] std::uint32_t bucket_of(const Aabb3& box) const noexcept;
  void resize(std::size_t size);
  void set_row(std::uint32_t row, const Aabb3& box, std::uint32_t source);
  void finish(Ask ask, TreeBuild tree);
  [[nodiscard]] LayerRows cross_rows_near(std::uint32_t bucket, const CollisionLayer& cells_of,
                                          Workspace& workspace) const;
  template <Sweep kSweep>
  [[nodiscard]] LayerRows cross_rows(std::uint32_t bucket, const CollisionLayer& cells_of,
                                     Workspace& workspace) const;
  template <Sweep kSweep, class Sink>
  void sweep_self(Workspace& workspace, Sink& sink) const;
  template <Sweep kSweep, class Sink>
  void sweep_both(const CollisionLayer& other, Workspace& workspace, Sink& sink) const;
  // In find_objects-inl.h. True when all were visited.
  [[nodiscard]] Aabb3 box_of(std::uint32_t row) const noexcept;
  template <class Visit>
  bool visit_objects(const Aabb3& query, TreeWalk walk, const Visit& visit) const;
  template <class Visit>
  bool visit_bucket(std::uint32_t bucket, const Aabb3& query, TreeWalk walk, const Visit& visit) const;

  LayerCells cells_;
  Axis y_, z_;
  std::vector<std::uint32_t> begin_;  // of each bucket, and the end
  std::vector<YzBounds> bounds_;      // of each bucket; minima, all four
  Aabb3 world_{};                     // bounds of all boxes
  Array<float> xmin_, xmax_;
  Array<YzBounds> yz_;
  Array<std::uint32_t> source_;
  Array<IntervalNode> tree_;  // of each bucket, at the bucket's rows
};

}  // namespace juxta::classics
