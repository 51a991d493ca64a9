// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/raycast.h"

// What a contender of bench_layer can do. One virtual call per frame, or per query (2 ns of some hundred, for
// every contender alike), keeps each peer's headers and compiler flags in a file of its own.

namespace juxta::bench {

/// True once Embree holds oneTBB to one thread (embree_scene.h): rows with threads refuse to run then.
inline std::atomic<bool> threads_are_held{false};

/// A caller's array that may be too short: counts what was left out.
class PairSink {
 public:
  explicit PairSink(std::span<Pair> out) noexcept : out_(out.data()), room_(out.size()) {}
  void add(std::uint32_t a, std::uint32_t b) noexcept {
    if (found_ < room_) {
      out_[found_] = {a, b};
    }
    ++found_;
  }
  [[nodiscard]] std::size_t found() const noexcept { return found_; }

 private:
  Pair* out_;
  std::size_t room_, found_ = 0;
};

/// Finds the overlapping pairs of boxes that all move from call to call; their number stays.
class PairFinder {
 public:
  virtual ~PairFinder() = default;
  /// Takes in where the boxes are now and writes each overlapping pair once, {a, b} or {b, a}. Returns how
  /// many there are, also when `out` is too short.
  virtual std::size_t pairs(std::span<const Aabb3> boxes, std::span<Pair> out) = 0;
  /// The same for a box of `a` and a box of `b`: {index in a, index in b}.
  virtual std::size_t cross(std::span<const Aabb3> a, std::span<const Aabb3> b, std::span<Pair> out) = 0;
  /// What it holds between the calls; 0: not known.
  [[nodiscard]] virtual std::size_t memory_bytes() const { return 0; }
};

/// "There is one": the answer of a contender that does not tell which.
inline constexpr std::uint32_t kSomeBody = kNoBody - 1;

/// Answers single questions about boxes that rest.
class BoxAsker {
 public:
  virtual ~BoxAsker() = default;
  /// A box that overlaps, kSomeBody or kNoBody.
  virtual std::uint32_t any(const Aabb3& query) = 0;
  /// All of them; returns how many. `out` is long enough.
  virtual std::size_t all(const Aabb3& query, std::span<std::uint32_t> out) = 0;
};

/// The same, and can take in other boxes.
class BoxBuilder : public BoxAsker {
 public:
  /// Builds anew over these boxes, which must stay where they are while it is asked; keeps its memory where
  /// it can.
  virtual void build(std::span<const Aabb3> boxes) = 0;
};

/// Answers many questions in one call.
class BatchAsker {
 public:
  virtual ~BatchAsker() = default;
  /// out[i]: a box that overlaps queries[i], kSomeBody or kNoBody.
  virtual void any(std::span<const Aabb3> queries, std::span<std::uint32_t> out) = 0;
  /// {query, box} of all overlaps; returns how many there are, also when `out` is too short.
  virtual std::size_t all(std::span<const Aabb3> queries, std::span<Pair> out) = 0;
};

/// The box that a ray enters first, of several at the same t the lowest.
class RayAsker {
 public:
  virtual ~RayAsker() = default;
  virtual RayHit closest(const Ray3& ray) = 0;
};

// The library, as users call it. Frames are built fast; of what rests, both qualities are rows.
[[nodiscard]] std::unique_ptr<PairFinder> make_juxta_pairs(bool refit);
[[nodiscard]] std::unique_ptr<BoxBuilder> make_juxta_boxes(std::span<const Aabb3> boxes,
                                                           OrderQuality quality);
[[nodiscard]] std::unique_ptr<BatchAsker> make_juxta_batch(std::span<const Aabb3> boxes,
                                                           OrderQuality quality);
[[nodiscard]] std::unique_ptr<RayAsker> make_juxta_rays(std::span<const Aabb3> boxes, OrderQuality quality);

// The article's structure with `cells` x `cells` buckets.
[[nodiscard]] std::unique_ptr<PairFinder> make_classic_pairs(std::uint32_t cells);
[[nodiscard]] std::unique_ptr<PairFinder> make_classic_dual_axis();
[[nodiscard]] std::unique_ptr<BoxAsker> make_classic_boxes(std::span<const Aabb3> boxes, std::uint32_t cells);
// any() stops at the first hit, which the published FindObjects cannot.
[[nodiscard]] std::unique_ptr<BoxAsker> make_classic_early_boxes(std::span<const Aabb3> boxes,
                                                                 std::uint32_t cells);
[[nodiscard]] std::unique_ptr<BatchAsker> make_classic_batch(std::span<const Aabb3> boxes,
                                                             std::uint32_t cells);
[[nodiscard]] std::unique_ptr<RayAsker> make_classic_rays(std::span<const Aabb3> boxes, std::uint32_t cells);

// Peers, where they are installed. `low`: Embree's build quality for what moves; else its best.
[[nodiscard]] std::unique_ptr<PairFinder> make_embree_pairs();
[[nodiscard]] std::unique_ptr<BoxBuilder> make_embree_boxes(std::span<const Aabb3> boxes, bool low = false);
[[nodiscard]] std::unique_ptr<BatchAsker> make_embree_batch(std::span<const Aabb3> boxes);
[[nodiscard]] std::unique_ptr<RayAsker> make_embree_rays(std::span<const Aabb3> boxes);
[[nodiscard]] std::unique_ptr<PairFinder> make_cgal_pairs(std::uint32_t cutoff);
[[nodiscard]] std::unique_ptr<BatchAsker> make_cgal_batch(std::span<const Aabb3> boxes, std::uint32_t cutoff);
[[nodiscard]] std::unique_ptr<PairFinder> make_boost_pairs();
[[nodiscard]] std::unique_ptr<BoxBuilder> make_boost_boxes(std::span<const Aabb3> boxes);
[[nodiscard]] std::unique_ptr<PairFinder> make_bullet_pairs();
[[nodiscard]] std::unique_ptr<BoxAsker> make_bullet_boxes(std::span<const Aabb3> boxes);

}  // namespace juxta::bench
