// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/patch.h"

#include <algorithm>
#include <span>

#include "shape/parts_store.h"

namespace juxta::shape_detail {
namespace {

constexpr std::uint32_t kCorners = 32;  // of a face; each side of the other one adds a corner at most

void set_normal(Patch& out, V3 normal, V3 direction) {
  const double l = length(normal);
  out.normal = l > 0 ? normal * ((dot(normal, direction) < 0 ? -1 : 1) / l) : V3();
}

/// The longest of a few segments between corners: what is left of a face without area.
void longest_edge(const Convex& shape, Patch& out) {
  const auto farthest = [&](std::uint32_t best, V3 p) {
    for (std::uint32_t i = 0; i < shape.count; ++i) {
      const V3 q = shape.point(i), b = shape.point(best);
      best = dot(q - p, q - p) > dot(b - p, b - p) ? i : best;
    }
    return best;
  };
  const std::uint32_t to = farthest(0, shape.point(0));
  const std::uint32_t from = farthest(0, shape.point(to));  // the first corner may be in the middle
  out.add_named(shape.point(from), from);
  if (to != from) {
    out.add_named(shape.point(to), to);
  }
}

void box_face(const Convex& box, V3 direction, Patch& out) {
  const auto& c = box.corners;
  std::uint32_t best = 3;
  double most = -1;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const V3 n = cross(c[1U << (k + 1) % 3] - c[0], c[1U << (k + 2) % 3] - c[0]);
    const double l = length(n);
    if (l > 0 && std::abs(dot(n, direction)) > most * l) {
      most = std::abs(dot(n, direction)) / l;
      set_normal(out, n, direction);
      best = k;
    }
  }
  if (best == 3) {
    return longest_edge(box, out);
  }
  const std::uint32_t u = 1U << (best + 1) % 3, v = 1U << (best + 2) % 3;
  const bool upper = dot(c[1U << best] - c[0], out.normal) > 0;
  const std::uint32_t first = upper ? 1U << best : 0;
  out.first_edge = 8 * best + (upper ? 4 : 0);
  for (const std::uint32_t corner : {first, first | u, first | u | v, first | v}) {
    out.add_named(c[corner], corner);
  }
}

/// A flat hull: its vertices stand in order around it.
void flat_hull(const Convex& hull, V3 direction, Patch& out) {
  V3 normal;
  for (std::uint32_t i = 1; i + 1 < hull.count; ++i) {
    normal = normal + cross(hull.point(i) - hull.point(0), hull.point(i + 1) - hull.point(0));
  }
  if (!(length(normal) > 1e-12 * hull.size * hull.size)) {
    return longest_edge(hull, out);
  }
  set_normal(out, normal, direction);
  const std::uint32_t step = (hull.count + kCorners - 1) / kCorners;
  for (std::uint32_t i = 0; i < hull.count; i += step) {
    out.add_named(hull.point(i), i);
  }
}

void hull_face(const Convex& hull, const HullStore& store, V3 direction, Patch& out) {
  if (store.planes.empty()) {
    return flat_hull(hull, direction, out);
  }
  std::size_t best = 0;
  double most = -2;
  for (std::size_t f = 0; f < store.planes.size(); ++f) {
    const V3 n = hull.frame.normal(V3(store.planes[f].normal));
    const double l = length(n);
    if (l > 0 && dot(n, direction) > most * l) {
      most = dot(n, direction) / l;
      out.normal = n * (1 / l);
      best = f;
    }
  }
  out.first_edge = store.first[best];
  const std::uint32_t corners = store.first[best + 1] - store.first[best];
  const std::uint32_t step = (corners + kCorners - 1) / kCorners;
  for (std::uint32_t i = 0; i < corners; i += step) {
    const std::uint32_t corner = store.corners[store.first[best] + i];
    out.add_named(hull.point(corner), corner);
  }
}

/// Where the edge from p to q crosses a side. A corner that is cut off by next to nothing keeps its name:
/// equal boxes on top of each other would change theirs from frame to frame.
Patch::Edges names_of_crossing(Patch::Edges p, Patch::Edges q, bool leaves, double t, std::uint32_t side) {
  constexpr double kNothing = 1e-3;  // of the edge
  const Patch::Edges cut = leaves ? q : p;
  if (cut.in == cut.out && (leaves ? 1 - t : t) < kNothing) {
    return cut;
  }
  return leaves ? Patch::Edges{p.out, Patch::kSide + side} : Patch::Edges{Patch::kSide + side, p.out};
}

}  // namespace

void find_patch(const Convex& shape, V3 direction, Patch& out) noexcept {
  out.count = out.whole = out.first_edge = 0;
  out.normal = {};
  if (!shape.vertices.empty() && shape.shape != nullptr) {
    return hull_face(shape, Access::store(*shape.shape->get_if<ConvexHull>()), direction, out);
  }
  if (shape.count == 8) {
    return box_face(shape, direction, out);
  }
  if (shape.count == 3) {
    const V3 p = shape.corners[0];
    const V3 n = cross(shape.corners[1] - p, shape.corners[2] - p);
    if (length(n) > 1e-12 * shape.size * shape.size) {
      set_normal(out, n, direction);
      for (std::uint32_t i = 0; i < 3; ++i) {
        out.add_named(shape.corners[i], i);
      }
      return;
    }
  }
  longest_edge(shape, out);
}

void clip(Patch& patch, const Patch& face) noexcept {
  V3 middle;
  for (std::uint32_t i = 0; i < face.count; ++i) {
    middle = middle + face.corners[i] * (1.0 / face.count);
  }
  Patch kept;
  for (std::uint32_t side = 0; side < face.count && patch.count > 0; ++side) {
    const V3 from = face.corners[side], to = face.corners[(side + 1) % face.count];
    V3 inwards = cross(to - from, face.normal);
    inwards = dot(inwards, middle - from) < 0 ? -inwards : inwards;
    kept.count = 0;
    for (std::uint32_t i = 0; i < patch.count; ++i) {
      const V3 p = patch.corners[i], q = patch.corners[(i + 1) % patch.count];
      const double in_p = dot(inwards, p - from), in_q = dot(inwards, q - from);
      const Patch::Edges at_p = patch.edges[i], at_q = patch.edges[(i + 1) % patch.count];
      if (in_p >= 0) {
        kept.add(p, at_p);
      }
      const bool closes = patch.count == 2 && i == 1;  // a segment has no way back
      if ((in_p >= 0) != (in_q >= 0) && !closes && in_p != 0 && in_q != 0) {
        const double t = in_p / (in_p - in_q);
        kept.add(p + (q - p) * t, names_of_crossing(at_p, at_q, in_p >= 0, t, side));
      }
    }
    std::copy_n(kept.corners.begin(), kept.count, patch.corners.begin());
    std::copy_n(kept.edges.begin(), kept.count, patch.edges.begin());
    patch.count = kept.count;
  }
}

}  // namespace juxta::shape_detail
