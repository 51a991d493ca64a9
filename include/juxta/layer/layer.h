// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/id.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/layer/filter.h"
#include "juxta/math/aabb.h"
#include "juxta/order/order_quality.h"

namespace juxta {
namespace layer_detail {
struct Access;
template <int D>
struct LayerStore;
}  // namespace layer_detail

/// How to build a layer. Only `filters` changes an answer.
struct LayerOptions {
  std::span<const Filter> filters = {};  ///< One per box, or none: then every body meets every other.
  /// kTight for layers that are built once and asked often: takes some ten times as long, and rays and boxes
  /// are answered in about three quarters of the time. Changes the order of answers only. A layer that sorts
  /// itself again does so as kFast: it moves.
  OrderQuality quality = OrderQuality::kFast;
};

/// What a layer holds and how good its order is.
struct LayerStats {
  std::size_t bodies = 0;        ///< Alive.
  std::size_t blocks = 0;        ///< Of up to 16 bodies each.
  std::size_t levels = 0;        ///< Of the tree, the bodies' own blocks included.
  std::size_t memory_bytes = 0;  ///< Held, spare capacity included.
  std::uint64_t sorts = 0;       ///< How often this layer has sorted its bodies along the curve.
  double looseness = 1;          ///< Sum of the blocks' edges now over that after the last sort; it sorts
                                 ///< again when this passes 1.15.
  std::size_t strays = 0;        ///< Bodies that joined (or moved far) since the last sort.
};

/// A set of axis-aligned boxes (bodies) that answers which of them overlap, and what a box, ray, point or
/// frustum touches: find_pairs.h, query.h, raycast.h, nearest.h, frustum.h, several.h.
///
///   bodies along a space-filling curve, 16 to a block | B0 | B1 | ... | B15 | B16 | ...
///   bounds of 16 blocks in one block of the next level |       N0           |  N1 ...      and so on up
///
/// Bodies are named by number: body i of a build is box i. insert() gives out an Id, whose slot is the body's
/// number; the bodies of a build have Ids too: id_of(). Numbers of removed bodies are given out again.
///
/// Refused everywhere, with the index: NaN, infinite and inverted boxes. Then the layer is as it was.
/// Touching boxes overlap; -0 equals 0. Every answer is exact, and the same (order included) on any executor
/// and instruction set: a function of the calls made since build() alone.
///
/// Memory: about 34 bytes a box (26 in 2D), 8 more with filters; rebuilding in place allocates nothing when
///         the size did not grow, and an eighth more than it needs when it did. From the first insert() or
///         remove() on 12 more for Ids, and with strays room for an eighth more bodies and the scratch for
///         sorting: about 100 in all.
/// Threads: const members and queries from any number of threads at once; the others from one.
/// A moved-from layer may only be assigned to or destroyed; so may one whose last change ended in
/// std::bad_alloc.
template <int D>
class JUXTA_API BasicLayer {
 public:
  using Box = Aabb<D>;

  /// An empty layer.
  explicit BasicLayer(std::pmr::memory_resource* resource = huge_page_resource());

  /// A layer of these boxes: body i is boxes[i]. Cost: O(n), a radix sort along the curve and one gather;
  /// about 15 ns a box at 100k. Errors: kNotFinite (NaN or infinite side), kInvalidArgument (inverted;
  /// filters not as long as boxes), kTooLarge (more than 2^32 - 2), kUnsupportedCpu, kCancelled.
  [[nodiscard]] static Result<BasicLayer> build(std::span<const Box> boxes, const LayerOptions& options = {},
                                                const Context& context = {},
                                                std::pmr::memory_resource* resource = huge_page_resource());

  /// The same in place: forgets all bodies, keeps the memory. Ids start
  /// anew: one from before may name a new body. Cost and errors as build().
  [[nodiscard]] Result<void> rebuild(std::span<const Box> boxes, const LayerOptions& options = {},
                                     const Context& context = {});

  /// All bodies move: boxes[body] is the new box of each living body (of dead ones it is ignored). Keeps the
  /// order while it is good and sorts again when it is not, as a function of the boxes alone; stats() tells.
  /// Ids and filters stay. Cost: O(n), about half of a rebuild, a whole one when it sorts.
  /// Errors: kNotFinite, kInvalidArgument (inverted; boxes not as long as capacity()).
  [[nodiscard]] Result<void> refit(std::span<const Box> boxes, const Context& context = {});

  /// A new body. Cost: O(log n), amortised: strays are sorted in as they become many.
  /// Errors: kNotFinite, kInvalidArgument, kTooLarge.
  [[nodiscard]] Result<Id> insert(const Box& box, Filter filter = {});
  /// Many at once: ids[i] names boxes[i]; all or none. `filters`: one per box or none.
  /// Errors: as insert(), with the index; kInvalidArgument (lengths differ).
  [[nodiscard]] Result<void> insert(std::span<const Box> boxes, std::span<Id> ids,
                                    std::span<const Filter> filters = {});
  /// One body moves; queries see it at once. Cost: O(log n), about 70 ns near its old place.
  /// Errors: kNotFound (dead Id, named in the message), kNotFinite, kInvalidArgument.
  [[nodiscard]] Result<void> move(Id id, const Box& box);
  /// One body goes. Cost: O(log n). Errors: kNotFound (removed already, never there; named in the message).
  [[nodiscard]] Result<void> remove(Id id);
  /// Changes what a body is and meets. Errors: kNotFound.
  [[nodiscard]] Result<void> set_filter(Id id, Filter filter);

  /// Living bodies.
  [[nodiscard]] std::size_t size() const noexcept;
  /// One more than the highest body number ever alive since the last build: what refit() and options that
  /// hold one entry per body must be as long as.
  [[nodiscard]] std::size_t capacity() const noexcept;
  [[nodiscard]] bool alive(Id id) const noexcept;
  /// The Id of a living body. A dead or unknown number gives an Id that is not alive.
  [[nodiscard]] Id id_of(std::uint32_t body) const noexcept;
  /// The box of a living body, as it was given. Errors: kNotFound.
  [[nodiscard]] Result<Box> box_of(std::uint32_t body) const;
  /// The filter of a living body. Errors: kNotFound.
  [[nodiscard]] Result<Filter> filter_of(std::uint32_t body) const;
  [[nodiscard]] LayerStats stats() const noexcept;
  /// The boxes around its blocks of up to 16 bodies each, in the layer's order: what a picture of it shows.
  /// Writes as many as fit into `out` and returns how many there are (at most stats().blocks: one that holds
  /// no living body is left out). Cost: O(capacity()).
  [[nodiscard]] std::size_t block_boxes(std::span<Box> out) const noexcept;

  /// Writes everything (order, Ids, filters), so that load() goes on as this one would: same answers in the
  /// same order, same Ids. Replaces the file as a whole or not at all. Errors: kIo.
  [[nodiscard]] Result<void> save(std::string_view path) const;
  /// Reads what save() wrote. Errors: kIo, kCorruptFile (another file, version or dimension; truncated,
  /// damaged or contradicting itself: every number is checked).
  [[nodiscard]] static Result<BasicLayer> load(std::string_view path,
                                               std::pmr::memory_resource* resource = huge_page_resource());

 private:
  friend struct layer_detail::Access;
  Owned<layer_detail::LayerStore<D>> store_;
};

using Layer = BasicLayer<3>;
using Layer2 = BasicLayer<2>;

extern template class BasicLayer<2>;
extern template class BasicLayer<3>;

/// A box where a template must not deduce its dimension: the layer's decides.
template <int D>
using BoxOf = std::type_identity_t<Aabb<D>>;

}  // namespace juxta
