// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shapes against a whole layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/core/query_result.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair.h"
#include "juxta/layer/query_options.h"
#include "juxta/shape/query.h"
#include "juxta/shape/shape.h"

namespace juxta {
namespace shape_detail {
struct BodiesStore;
}  // namespace shape_detail

/// A shape and where it stands.
struct Body {
  Shape shape;
  Qvvs at{};
};

/// One cast of many: as the arguments of cast_closest(), or as those with a Motion where `turn` is not 0.
struct BodyCast {
  Shape shape;
  Qvvs from{};
  Vec3 way{};
  Vec3 turn{}, pivot{};  ///< As those of Motion.
};
/// One question of many: as the arguments of nearest().
struct BodyNear {
  Shape shape;
  Qvvs at{};
  float max_distance = std::numeric_limits<float>::infinity();
};

struct BodyRayHit : SurfaceHit {
  std::uint32_t body = kNoBody;
};
struct BodyCastHit : CastHit {
  std::uint32_t body = kNoBody;
};
struct BodyDistance : ClosestPoints {  ///< a: what was asked with; b: the body.
  std::uint32_t body = kNoBody;
};

/// Which contacts to find. Both decide before two shapes are compared, as the filters of the layer do.
struct FindContactsOptions {
  /// One byte per body: only bodies with a non-zero byte take part. Empty: all.
  std::span<const std::uint8_t> only = {};
  /// Says whether a pair of bodies whose boxes come near, a below b, may have contacts: not two that a joint
  /// holds together. It must say the same each time: it is asked twice, on the executor's threads, from
  /// several at once. Empty: every pair may.
  FunctionRef<bool(std::uint32_t a, std::uint32_t b)> accept = {};
};

/// Bodies and the layer of their boxes. Queries are exact; of answers at one t or distance the lowest body
/// comes first. Threads: queries from any number at once; build and refit from one. The same bits for any
/// executor and instruction set. What is asked with need not pass check_shape(), but what is not finite finds
/// nothing.
class JUXTA_API Bodies {
 public:
  explicit Bodies(std::pmr::memory_resource* resource = huge_page_resource());

  /// Body i is bodies[i]; what shapes borrow outlives this. Errors: those of check_shape(), with the index;
  /// of Layer::build().
  [[nodiscard]] Result<void> rebuild(std::span<const Body> bodies, const LayerOptions& options = {},
                                     const Context& context = {});
  /// All bodies move: at[i] is the new place of body i. Errors: as rebuild(); kInvalidArgument (another
  /// length).
  [[nodiscard]] Result<void> refit(std::span<const Qvvs> at, const Context& context = {});

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] const Body& body(std::uint32_t index) const noexcept;
  [[nodiscard]] const Layer& layer() const noexcept;

  // One question. Allocates nothing; any number may run at once. Filter, ignore and accept of QueryOptions
  // are asked before the shape is: what they leave out costs no exact test, and accept may be asked about
  // bodies whose box is touched but not their shape.

  [[nodiscard]] BodyRayHit raycast_closest(const Ray3& ray, const QueryOptions& options = {}) const;
  [[nodiscard]] BodyRayHit raycast_any(const Ray3& ray, const QueryOptions& options = {}) const;
  /// The first hit of each body that the ray meets, in order of (t, body). A short `out` gets the nearest.
  QueryResult raycast_all(const Ray3& ray, std::span<BodyRayHit> out, const QueryOptions& options = {}) const;

  /// All surfaces that the ray meets, of all bodies, as juxta::raycast_every() has them: by (t, body, part,
  /// triangle). A short `out` gets the nearest, and `found` counts all.
  QueryResult raycast_every(const Ray3& ray, std::span<BodyRayHit> out,
                            const QueryOptions& options = {}) const;

  /// The body that a convex shape meets first when it moves by `way` without turning. A shape that is not
  /// convex hits nothing, here and below.
  [[nodiscard]] BodyCastHit cast_closest(const Shape& moving, const Qvvs& from, const Vec3& way,
                                         const QueryOptions& options = {}) const;
  [[nodiscard]] BodyCastHit cast_any(const Shape& moving, const Qvvs& from, const Vec3& way,
                                     const QueryOptions& options = {}) const;
  /// In order of (t, body). A short `out` gets the earliest.
  QueryResult cast_all(const Shape& moving, const Qvvs& from, const Vec3& way, std::span<BodyCastHit> out,
                       const QueryOptions& options = {}) const;
  /// The same for a shape that turns as it moves. Bodies whose boxes are in reach of the shape at any angle
  /// are asked: within a ball around the pivot, and no farther from the path without the turn than the turn
  /// moves a point.
  [[nodiscard]] BodyCastHit cast_closest(const Shape& moving, const Motion& motion,
                                         const QueryOptions& options = {}) const;
  [[nodiscard]] BodyCastHit cast_any(const Shape& moving, const Motion& motion,
                                     const QueryOptions& options = {}) const;
  QueryResult cast_all(const Shape& moving, const Motion& motion, std::span<BodyCastHit> out,
                       const QueryOptions& options = {}) const;

  /// The nearest body within a distance.
  [[nodiscard]] BodyDistance nearest(const Shape& shape, const Qvvs& at,
                                     float max_distance = std::numeric_limits<float>::infinity(),
                                     const QueryOptions& options = {}) const;
  /// All bodies that the shape overlaps, ascending. A short `out` gets the first.
  QueryResult find_all(const Shape& shape, const Qvvs& at, std::span<std::uint32_t> out,
                       const QueryOptions& options = {}) const;

  // Many questions: the answers of single calls, to the bit; sorted by place first. Errors of all:
  // kInvalidArgument (lengths differ; `ignore` is not as long as the questions).

  /// out[i] = raycast_closest(rays[i]). Rays that do not already run side by side by sixteens are sorted by
  /// the middle of their way through the world first; sixteen that meet a mesh or height field go through it
  /// together.
  [[nodiscard]] Result<QueryResult> raycast_closest(std::span<const Ray3> rays, std::span<BodyRayHit> out,
                                                    const BatchOptions& options = {},
                                                    const Context& context = {}) const;
  /// out[i] = the answer to casts[i]; sorted by the middle of their ways first.
  [[nodiscard]] Result<QueryResult> cast_closest(std::span<const BodyCast> casts, std::span<BodyCastHit> out,
                                                 const BatchOptions& options = {},
                                                 const Context& context = {}) const;
  /// out[i] = the answer to asked[i].
  [[nodiscard]] Result<QueryResult> nearest(std::span<const BodyNear> asked, std::span<BodyDistance> out,
                                            const BatchOptions& options = {},
                                            const Context& context = {}) const;
  /// Every {a: asked, b: body} that overlap, always ascending by (a, b). A short `out` gets the first, and
  /// `found` the exact need.
  [[nodiscard]] Result<QueryResult> find_all(std::span<const Body> asked, std::span<Pair> out,
                                             const BatchOptions& options = {},
                                             const Context& context = {}) const;

  struct Contact {
    std::uint32_t a, b;
    Manifold manifold;
  };
  /// Pairs of bodies whose shapes come within `margin` of each other, with what contacts() says of each: one
  /// Contact for two convex shapes, up to kMostManifolds for others. Always ascending by (a, b), then as
  /// contacts(). A margin below 0 or NaN finds nothing. Errors: kInvalidArgument (`options.only` is not
  /// size() long).
  [[nodiscard]] Result<QueryResult> find_contacts(float margin, std::span<Contact> out,
                                                  const FindContactsOptions& options = {},
                                                  const Context& context = {}) const;

 private:
  Owned<shape_detail::BodiesStore> store_;
};

/// What continues from frame to frame. Point j of current[i] is number 4 * i + j, and continues[4 * i + j]
/// the number of the point of `previous` that it continues, counted alike, or kNewPoint. A point continues
/// the one with the same feature of the same pair of bodies; a point without one, the nearest of the pair
/// within `slack` that nobody else continues: what slid from one triangle to the next. No two continue the
/// same. Both as find_contacts() writes them, with bodies numbered alike: ascending by (a, b).
///
///   match_contacts(before, now, slack, continues);
///   for (std::size_t i = 0; i < 4 * now.size(); ++i) {
///     impulse_now[i] = continues[i] != kNewPoint ? impulse_before[continues[i]] : 0;
///   }
///
/// Cost:   one walk through both, about 100 ns a contact of four points. Allocates nothing.
/// Errors: kInvalidArgument (`continues` is not four times as long as `current`), kTooLarge (2^30 contacts).
inline constexpr std::uint32_t kNewPoint = ~std::uint32_t{0};
[[nodiscard]] JUXTA_API Result<void> match_contacts(std::span<const Bodies::Contact> previous,
                                                    std::span<const Bodies::Contact> current, float slack,
                                                    std::span<std::uint32_t> continues);

}  // namespace juxta
