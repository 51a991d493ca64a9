// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The least width of A - B where one of the two is a hull of many corners: by all faces of A - B, one by one,
// without keeping any.
//
// Seen as directions, a face of a hull is a point, an edge an arc, a corner a patch. Laid over each other,
// the maps of A and of -B show the faces of A - B: points of one, points of the other, and where arcs cross.
//
//            f1          an edge of the hull is the arc from f1 to f2. Along it the farthest corner of the
//           /            other goes from q1 to q2, perhaps by others: where q1 and q2 are as far, the other
//           is
//     q1   / q2          asked, and a new corner q3 cuts the arc in two. Between its ends the width is that
//     ----x-----         of one corner after the other, and each is concave: no width in between is less than
//        /               those at the ends and at x, so that most arcs are done after one look at x.
//       f2
//
// Corners are searched by walking uphill from a known one. A walk that ends early finds too little: what
// seems to be the least is therefore asked again of all corners, and so the answer is always a way out.
#include <algorithm>

#include "shape/gjk.h"
#include "shape/parts_store.h"

namespace juxta::shape_detail {
namespace {

constexpr std::uint32_t kMostWaiting = 64;  // pieces of one arc; each cut is about the middle
constexpr double kSame = 1e-12;             // of the size: as far

const HullStore* solid_hull(const Convex& convex) noexcept {
  if (convex.vertices.empty() || convex.shape == nullptr) {
    return nullptr;
  }
  const auto* hull = convex.shape->get_if<ConvexHull>();
  return hull != nullptr && !Access::store(*hull).edges.empty() ? &Access::store(*hull) : nullptr;
}

V3 unit(V3 v) noexcept {
  return v * (1 / length(v));
}

/// The corner of a core that is farthest along a direction, from one that may be near.
class Corner {
 public:
  explicit Corner(const Convex& convex) noexcept : convex_(convex), hull_(solid_hull(convex)) {}

  [[nodiscard]] std::uint32_t operator()(V3 direction, std::uint32_t from) const noexcept {
    if (hull_ == nullptr) {
      return convex_.support(direction);
    }
    const V3 back = convex_.frame.turned_back(direction), stretch = convex_.frame.stretch;
    const V3 way{back.x * stretch.x, back.y * stretch.y, back.z * stretch.z};
    double most = dot(V3(hull_->vertices[from]), way);
    for (std::uint32_t best = from;; from = best) {
      for (std::uint32_t i = hull_->first_neighbour[from]; i < hull_->first_neighbour[from + 1]; ++i) {
        const std::uint32_t v = hull_->neighbours[i];
        if (const double along = dot(V3(hull_->vertices[v]), way); along > most) {
          most = along;
          best = v;
        }
      }
      if (best == from) {
        return best;
      }
    }
  }

 private:
  const Convex& convex_;
  const HullStore* hull_;
};

/// visit(normal, corner) for each face of a shape: of length 1 and outwards, and one of its corners.
template <class Visit>
void each_face(const Convex& convex, Visit&& visit) noexcept {
  if (const HullStore* hull = solid_hull(convex)) {
    for (const HullStore::Edge& edge : hull->edges) {  // a face comes up again; neighbours come together
      for (const std::uint32_t face : {edge.left, edge.right}) {
        visit(unit(convex.frame.normal(hull->sides[face].normal)), edge.corner);
      }
    }
    return;
  }
  const auto both = [&](V3 u, V3 v) {
    const V3 n = cross(u, v);
    if (const double size = length(n); size > 0) {
      for (const V3 way : {n * (1 / size), n * (-1 / size)}) {
        visit(way, convex.support(way));
      }
    }
  };
  if (convex.count == 8 && convex.vertices.empty()) {
    const V3 x = convex.point(1) - convex.point(0), y = convex.point(2) - convex.point(0);
    const V3 z = convex.point(4) - convex.point(0);
    both(x, y);
    both(y, z);
    both(z, x);
  } else if (convex.count >= 3) {  // flat: a triangle, or a ring
    const std::uint32_t third = convex.count / 3;
    both(convex.point(third) - convex.point(0), convex.point(2 * third) - convex.point(0));
  }
}

class Faces {
 public:
  /// Directions are outwards of `hull`, whose arcs are walked.
  Faces(const Convex& hull, const Convex& other, double width, V3 way) noexcept
      : hull_(hull),
        other_(other),
        corner_(other),
        same_(kSame * (hull.size + other.size)),
        width_(width),
        way_(way) {}

  void run(const HullStore& store) noexcept {
    of_other();
    std::uint32_t face = ~std::uint32_t{0}, q = 0;
    V3 normal;
    for (const HullStore::Edge& edge : store.edges) {
      const V3 p = hull_.point(edge.corner);
      if (edge.left != face) {
        face = edge.left;
        normal = unit(hull_.frame.normal(store.sides[face].normal));
        q = corner_(-normal, q);
        offer(normal, dot(normal, p - other_.point(q)));
      }
      const V3 beyond = unit(hull_.frame.normal(store.sides[edge.right].normal));
      const std::uint32_t q_beyond = corner_(-beyond, q);
      offer(beyond, dot(beyond, p - other_.point(q_beyond)));
      along({normal, beyond, q, q_beyond}, p);
    }
  }
  [[nodiscard]] double width() const noexcept { return width_; }
  [[nodiscard]] V3 way() const noexcept { return way_; }

 private:
  struct Arc {
    V3 from, to;
    std::uint32_t q_from, q_to;  // of the other, at the ends
  };

  /// A width that was found along `n`, if it is the least.
  void offer(V3 n, double width) noexcept {
    if (width < width_) {
      width = dot(n, hull_.point(hull_.support(n)) - other_.point(other_.support(-n)));
      if (width < width_) {
        width_ = width;
        way_ = n;
      }
    }
  }
  void of_other() noexcept {
    const Corner corner(hull_);
    std::uint32_t p = 0;
    each_face(other_, [&](V3 outwards, std::uint32_t q) {
      p = corner(-outwards, p);
      offer(-outwards, dot(-outwards, hull_.point(p) - other_.point(q)));
    });
  }
  /// An edge of the hull through `p`.
  void along(const Arc& whole, V3 p) noexcept {
    Arc waiting[kMostWaiting];
    std::uint32_t size = 0;
    waiting[size++] = whole;
    while (size != 0) {
      const Arc arc = waiting[--size];
      if (arc.q_from == arc.q_to) {
        continue;
      }
      const V3 q = other_.point(arc.q_from), apart = q - other_.point(arc.q_to);
      const double before = dot(arc.from, apart), after = dot(arc.to, apart);
      if (!(before < 0 && after > 0)) {
        continue;  // as far all along, but for rounding
      }
      const V3 n = unit(arc.from + (arc.to - arc.from) * (before / (before - after)));
      const double width = dot(n, p - q);
      if (width >= width_) {
        continue;
      }
      const std::uint32_t found = corner_(-n, arc.q_from);
      if (found == arc.q_from || found == arc.q_to || dot(n, q - other_.point(found)) <= same_) {
        offer(n, width);
      } else if (size + 2 <= kMostWaiting) {
        offer(n, dot(n, p - other_.point(found)));
        waiting[size++] = {arc.from, n, arc.q_from, found};
        waiting[size++] = {n, arc.to, found, arc.q_to};
      }
    }
  }

  const Convex& hull_;
  const Convex& other_;
  Corner corner_;
  double same_;
  double width_;
  V3 way_;
};

/// The least width of all, if one of the two is a solid hull.
void by_all_faces(const Convex& a, const Convex& b, double& width, V3& normal) noexcept {
  const HullStore *hull_a = solid_hull(a), *hull_b = solid_hull(b);
  if (hull_a == nullptr && hull_b == nullptr) {
    return;
  }
  // The one with more corners has the shorter arcs.
  const bool by_a = hull_b == nullptr || (hull_a != nullptr && a.count >= b.count);
  Faces faces(by_a ? a : b, by_a ? b : a, width, by_a ? normal : -normal);
  faces.run(by_a ? *hull_a : *hull_b);
  width = faces.width();
  normal = by_a ? faces.way() : -faces.way();
}

}  // namespace

void depth_by_faces(const Convex& a, const Convex& b, Near& near) noexcept {
  double width = -near.distance;
  by_all_faces(a, b, width, near.normal);
  near.distance = -width;
  // Moved back along the way out, the two just touch: where, is the end of the way.
  const V3 back = near.normal * near.distance;
  Simplex simplex;
  Near touch;
  (void)gjk(a, b, back, std::numeric_limits<double>::infinity(), simplex, touch);
  near.on_a = touch.on_a - back;
  near.on_b = near.on_a + back;
}

}  // namespace juxta::shape_detail
