// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shapes against a whole layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <memory_resource>
#include <span>

#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/memory.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"
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

/// What a search among bodies leaves out, beside the filter.
struct BodyQuery {
  Filter filter = {};
  std::span<const std::uint32_t> ignore = {};  ///< Bodies that are not there for this query; a few.
};

/// One cast of many: as the arguments of cast_closest().
struct BodyCast {
  Shape shape;
  Qvvs from{};
  Vec3 way{};
};
/// One question of many: as the arguments of closest().
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

/// Bodies and the layer of their boxes. Queries are exact; of answers at one t or distance the lowest body
/// comes first. Threads: queries from any number at once; build and move from one. The same bits for any
/// executor and instruction set. What is asked with need not pass check_shape(), but what is not finite finds
/// nothing.
class JUXTA_API Bodies {
 public:
  explicit Bodies(std::pmr::memory_resource* resource = huge_page_resource());
  Bodies(Bodies&&) noexcept;
  Bodies& operator=(Bodies&&) noexcept;
  ~Bodies();

  /// Body i is bodies[i]; what shapes borrow outlives this. Errors: those of check_shape(), with the index;
  /// of Layer::build().
  [[nodiscard]] Result<void> rebuild(std::span<const Body> bodies, const LayerOptions& options = {});
  /// All bodies move: at[i] is the new place of body i. Errors: as rebuild(); kInvalidArgument (another
  /// length).
  [[nodiscard]] Result<void> move(std::span<const Qvvs> at, const RefitOptions& options = {});

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] const Body& body(std::uint32_t index) const noexcept;
  [[nodiscard]] const Layer& layer() const noexcept;

  [[nodiscard]] BodyRayHit raycast_closest(const Ray3& ray, const BodyQuery& query = {}) const;
  [[nodiscard]] BodyRayHit raycast_any(const Ray3& ray, const BodyQuery& query = {}) const;
  /// The first hit of each body that the ray meets, in order of (t, body). A short `out` gets the nearest.
  QueryResult raycast_all(const Ray3& ray, std::span<BodyRayHit> out, const BodyQuery& query = {}) const;
  /// out[i] = raycast_closest(rays[i]), to the bit. Rays that do not already run side by side by sixteens are
  /// sorted by the middle of their way through the world first; sixteen that meet a mesh or height field go
  /// through it together. Errors: kInvalidArgument (lengths differ).
  [[nodiscard]] Result<QueryResult> raycast_closest(std::span<const Ray3> rays, Workspace& workspace,
                                                    std::span<BodyRayHit> out,
                                                    const BatchOptions& options = {}) const;

  /// The body that a convex shape meets first when it moves by `way` without turning. A shape that is not
  /// convex hits nothing, here and below.
  [[nodiscard]] BodyCastHit cast_closest(const Shape& moving, const Qvvs& from, const Vec3& way,
                                         const BodyQuery& query = {}) const;
  [[nodiscard]] BodyCastHit cast_any(const Shape& moving, const Qvvs& from, const Vec3& way,
                                     const BodyQuery& query = {}) const;
  /// In order of (t, body). A short `out` gets the earliest.
  QueryResult cast_all(const Shape& moving, const Qvvs& from, const Vec3& way, std::span<BodyCastHit> out,
                       const BodyQuery& query = {}) const;

  /// out[i] = the answer to casts[i], to the bit; sorted by the middle of their ways first. Errors:
  /// kInvalidArgument (lengths differ).
  [[nodiscard]] Result<QueryResult> cast_closest(std::span<const BodyCast> casts, Workspace& workspace,
                                                 std::span<BodyCastHit> out,
                                                 const BatchOptions& options = {}) const;

  /// The nearest body within a distance.
  [[nodiscard]] BodyDistance closest(const Shape& shape, const Qvvs& at, float max_distance,
                                     const BodyQuery& query = {}) const;
  /// out[i] = the answer to asked[i], to the bit; sorted by place first. Errors: kInvalidArgument (lengths
  /// differ).
  [[nodiscard]] Result<QueryResult> closest(std::span<const BodyNear> asked, Workspace& workspace,
                                            std::span<BodyDistance> out,
                                            const BatchOptions& options = {}) const;
  /// All bodies that the shape overlaps, ascending. A short `out` gets the first.
  QueryResult overlaps(const Shape& shape, const Qvvs& at, std::span<std::uint32_t> out,
                       const BodyQuery& query = {}) const;

  /// Every {a: asked, b: body} that overlap, always ascending by (a, b). A short `out` gets the first, and
  /// `found` the exact need.
  FindPairsResult overlaps(std::span<const Body> asked, Workspace& workspace, std::span<Pair> out,
                           const BatchOptions& options = {}) const;

  /// Pairs of bodies whose shapes come within `margin` of each other, with contact: always ascending by
  /// (a, b), whatever `options.sorted` says. Errors: FindPairsResult::refused, when `options.only` is not
  /// size() long.
  struct Contact {
    std::uint32_t a, b;
    Manifold manifold;  ///< Of two convex shapes; else one point: that of closest().
  };
  FindPairsResult find_contacts(Workspace& workspace, std::span<Contact> out, float margin = 0,
                                const FindPairsOptions& options = {}) const;

 private:
  std::unique_ptr<shape_detail::BodiesStore> store_;
};

}  // namespace juxta
