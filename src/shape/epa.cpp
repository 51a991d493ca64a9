// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How deep two convex sets overlap: the expanding polytope of van den Bergen, "Proximity queries and
// penetration depth computation on 3D game objects" (2001).
//
// A polytope inside A - B grows where its surface is next to the origin, by the farthest point of A - B along
// that face's normal, until a face is one of A - B itself. It begins as a tetrahedron that need not hold the
// origin: offsets of planes are signed, and a face that the origin is outside of is the first to grow.
//
//   best    least of all widths h(n) that were asked: a way out, whatever rounding did to the polytope
//   lower   least offset of a face: no way out is shorter
//
// Rounding can make a face without a direction (a sliver): it never grows, and leaves with any neighbour.
// Where room ends before that (smooth hulls), all faces of A - B are asked: epa_hull.cpp.
#include <algorithm>
#include <array>
#include <limits>

#include "shape/gjk.h"

namespace juxta::shape_detail {
namespace {

constexpr std::uint32_t kVertices = 192;
constexpr std::uint32_t kPolytopeFaces =
    2 * kVertices;  // a closed surface of v corners has 2 v - 4 triangles
constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr double kExact = 1e-9;      // of the size: when a face is one of A - B
constexpr double kFlat = 1e-10;      // of the size: thinner is flat
constexpr double kThinStart = 1e-6;  // of the size, cubed: less is not a tetrahedron to begin with
constexpr double kNever = std::numeric_limits<double>::infinity();

struct Vertex {
  double x, y, z;
  std::uint32_t ia, ib;
  [[nodiscard]] V3 w() const noexcept { return {x, y, z}; }
};

/// Edge k runs from corner k to corner k + 1, counter-clockwise seen from outside.
struct Face {
  double nx, ny, nz;
  double offset;  // what to grow first; kNever: this one does not
  double plane;   // normal . p of its points
  std::uint32_t corner[3];
  std::uint32_t across[3];  // the face beyond each edge
  bool alive, sliver, leaves;
  [[nodiscard]] V3 normal() const noexcept { return {nx, ny, nz}; }
};

struct Edge {
  std::uint32_t from, to;  // corners
  std::uint32_t face;      // that stays
  std::uint32_t side;      // its edge
};

/// The best way out so far.
struct Way {
  double width = kNever;
  V3 normal;
  std::uint32_t ia = 0, ib = 0;
};

class Polytope {
 public:
  Polytope(const Convex& a, const Convex& b) noexcept : a_(a), b_(b), size_(a.size + b.size) {}

  /// False: it needs more corners than there is room for; the way out is not the shortest.
  [[nodiscard]] bool depth(const Simplex& simplex, Near& near) noexcept;

 private:
  Vertex support(V3 direction) const noexcept;
  void ask(const Vertex& w, V3 normal) noexcept;
  [[nodiscard]] bool flat_way(V3 normal) noexcept;
  [[nodiscard]] bool begin_with(const Simplex& simplex) noexcept;
  [[nodiscard]] bool begin() noexcept;
  void set_face(std::uint32_t f, std::uint32_t i, std::uint32_t j, std::uint32_t k) noexcept;
  void close_tetrahedron() noexcept;
  [[nodiscard]] std::uint32_t next_face() const noexcept;
  [[nodiscard]] bool grow(std::uint32_t f, const Vertex& w) noexcept;
  [[nodiscard]] std::uint32_t cut(std::uint32_t f, V3 w) noexcept;
  [[nodiscard]] bool in_a_ring(std::uint32_t edges) noexcept;
  [[nodiscard]] bool cover(std::uint32_t edges, std::uint32_t tip) noexcept;
  [[nodiscard]] bool known(const Vertex& w) const noexcept;
  [[nodiscard]] std::uint32_t free_face() noexcept;
  [[nodiscard]] V3 point_on_a(V3 common) const noexcept;

  const Convex& a_;
  const Convex& b_;
  double size_;
  Way best_;
  std::uint32_t vertex_count_ = 0, face_count_ = 0, free_count_ = 0;
  Vertex vertices_[kVertices];
  Face faces_[kPolytopeFaces];
  std::uint32_t free_[kPolytopeFaces];
  std::uint32_t stack_[kPolytopeFaces];
  Edge edges_[kPolytopeFaces];
};

Vertex Polytope::support(V3 direction) const noexcept {
  const std::uint32_t ia = a_.support(direction), ib = b_.support(-direction);
  const V3 w = a_.point(ia) - b_.point(ib);
  return {w.x, w.y, w.z, ia, ib};
}

/// `w` is the farthest point along `normal`, which is of length 1.
void Polytope::ask(const Vertex& w, V3 normal) noexcept {
  const double width = dot(w.w(), normal);
  if (width < best_.width) {
    best_ = {width, normal, w.ia, w.ib};
  }
}

/// A - B has no extent along `normal`.
bool Polytope::flat_way(V3 normal) noexcept {
  ask(support(normal), normal);
  ask(support(-normal), -normal);
  return false;
}

V3 unit_of(V3 v) {
  return v * (1 / length(v));
}

/// The tetrahedron that holds the origin, unless it is thin.
bool Polytope::begin_with(const Simplex& simplex) noexcept {
  if (simplex.count != 4) {
    return false;
  }
  const Simplex::Point(&p)[4] = simplex.points;
  const double volume = dot(cross(p[1].w - p[0].w, p[2].w - p[0].w), p[3].w - p[0].w);
  if (!(std::abs(volume) > kThinStart * size_ * size_ * size_)) {
    return false;
  }
  for (const Simplex::Point& any : p) {
    vertices_[vertex_count_++] = {any.w.x, any.w.y, any.w.z, any.ia, any.ib};
  }
  if (volume > 0) {
    std::swap(vertices_[1], vertices_[2]);
  }
  close_tetrahedron();
  return true;
}

/// Four points that span a volume; false: there are none, and best_ is the answer.
bool Polytope::begin() noexcept {
  constexpr V3 kAxes[3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  Vertex p[4];
  double widest = -1;
  for (const V3& axis : kAxes) {
    const Vertex high = support(axis), low = support(-axis);
    const double width = dot(high.w() - low.w(), axis);
    if (width > widest) {
      widest = width;
      p[0] = low;
      p[1] = high;
    }
  }
  if (!(widest > kFlat * size_)) {
    return flat_way(kAxes[0]);
  }
  const V3 way = unit_of(p[1].w() - p[0].w());
  const double x = std::abs(way.x), y = std::abs(way.y), z = std::abs(way.z);
  const V3 least = y <= x && y <= z ? V3(0, 1, 0) : (x <= z ? V3(1, 0, 0) : V3(0, 0, 1));
  const V3 side = unit_of(least - way * dot(way, least)), other = cross(way, side);
  double farthest = -1;
  for (const V3& direction : {side, -side, other, -other}) {
    const Vertex w = support(direction);
    const double off = length(cross(w.w() - p[0].w(), way));
    if (off > farthest) {
      farthest = off;
      p[2] = w;
    }
  }
  if (!(farthest > kFlat * size_)) {
    return flat_way(side);
  }
  const V3 up = unit_of(cross(way, p[2].w() - p[0].w()));
  const Vertex high = support(up), low = support(-up);
  const double over = dot(high.w() - p[0].w(), up), under = dot(p[0].w() - low.w(), up);
  if (!(std::max(over, under) > kFlat * size_)) {
    return flat_way(up);
  }
  p[3] = over >= under ? high : low;
  if (over >= under) {
    std::swap(p[1], p[2]);  // corners 0 1 2 turn counter-clockwise seen from outside
  }
  std::copy(p, p + 4, vertices_);
  vertex_count_ = 4;
  close_tetrahedron();
  return true;
}

void Polytope::set_face(std::uint32_t f, std::uint32_t i, std::uint32_t j, std::uint32_t k) noexcept {
  Face& face = faces_[f];
  const V3 p = vertices_[i].w(), q = vertices_[j].w(), r = vertices_[k].w();
  const V3 n = cross(q - p, r - p);
  const double area = length(n);
  const double longest = std::max({dot(q - p, q - p), dot(r - p, r - p), dot(r - q, r - q)});
  face.alive = true;
  face.leaves = false;
  face.sliver = !(area > 1e-13 * longest);
  const V3 normal = face.sliver ? V3() : n * (1 / area);
  face.nx = normal.x;
  face.ny = normal.y;
  face.nz = normal.z;
  face.plane = std::max({dot(normal, p), dot(normal, q), dot(normal, r)});
  face.offset = face.sliver ? kNever : face.plane;
  face.corner[0] = i;
  face.corner[1] = j;
  face.corner[2] = k;
}

void Polytope::close_tetrahedron() noexcept {
  //                            corners        across edges 01, 12, 20
  constexpr std::uint32_t kShape[4][6] = {
      {0, 1, 2, 1, 2, 3}, {1, 0, 3, 0, 3, 2}, {2, 1, 3, 0, 1, 3}, {0, 2, 3, 0, 2, 1}};
  for (std::uint32_t f = 0; f < 4; ++f) {
    set_face(f, kShape[f][0], kShape[f][1], kShape[f][2]);
    std::copy(kShape[f] + 3, kShape[f] + 6, faces_[f].across);
  }
  face_count_ = 4;
}

std::uint32_t Polytope::next_face() const noexcept {
  std::uint32_t best = kNone;
  double least = kNever;
  for (std::uint32_t f = 0; f < face_count_; ++f) {
    if (faces_[f].alive && faces_[f].offset < least) {
      least = faces_[f].offset;
      best = f;
    }
  }
  return best;
}

bool Polytope::known(const Vertex& w) const noexcept {
  return std::any_of(vertices_, vertices_ + vertex_count_,
                     [&](const Vertex& v) { return v.ia == w.ia && v.ib == w.ib; });
}

std::uint32_t Polytope::free_face() noexcept {
  if (free_count_ > 0) {
    return free_[--free_count_];
  }
  return face_count_ < kPolytopeFaces ? face_count_++ : kNone;
}

/// Takes away the faces that `w` is outside of, from `f` on; how many edges are left around the hole.
std::uint32_t Polytope::cut(std::uint32_t f, V3 w) noexcept {
  std::uint32_t waiting = 0, edges = 0;
  faces_[f].leaves = true;
  stack_[waiting++] = f;
  for (std::uint32_t at = 0; at < waiting; ++at) {
    const Face& face = faces_[stack_[at]];
    for (const std::uint32_t g : face.across) {
      Face& beyond = faces_[g];
      if (!beyond.leaves && (beyond.sliver || dot(beyond.normal(), w) - beyond.plane > kFlat * size_)) {
        beyond.leaves = true;
        stack_[waiting++] = g;
      }
    }
  }
  for (std::uint32_t at = 0; at < waiting; ++at) {
    const std::uint32_t gone = stack_[at];
    const Face& face = faces_[gone];
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Face& beyond = faces_[face.across[k]];
      if (!beyond.leaves) {
        const std::uint32_t from = face.corner[k], to = face.corner[(k + 1) % 3];
        const std::uint32_t side = beyond.corner[0] == to ? 0 : (beyond.corner[1] == to ? 1 : 2);
        edges_[edges++] = {from, to, face.across[k], side};
      }
    }
  }
  for (std::uint32_t at = 0; at < waiting; ++at) {
    faces_[stack_[at]].alive = false;
    free_[free_count_++] = stack_[at];
  }
  return edges;
}

/// Puts the edges around the hole one after the other. False: rounding made more than one ring of them.
bool Polytope::in_a_ring(std::uint32_t edges) noexcept {
  for (std::uint32_t i = 0; i + 1 < edges; ++i) {
    std::uint32_t follower = kNone;
    for (std::uint32_t j = i + 1; j < edges; ++j) {
      if (edges_[j].from == edges_[i].to) {
        if (follower != kNone) {
          return false;
        }
        follower = j;
      }
    }
    if (follower == kNone) {
      return false;
    }
    std::swap(edges_[i + 1], edges_[follower]);
  }
  return edges >= 3 && edges_[edges - 1].to == edges_[0].from;
}

/// A triangle from each edge around the hole to its new tip.
bool Polytope::cover(std::uint32_t edges, std::uint32_t tip) noexcept {
  std::uint32_t first = kNone, before = kNone;
  for (std::uint32_t i = 0; i < edges; ++i) {
    const std::uint32_t f = free_face();
    if (f == kNone) {
      return false;
    }
    const Edge& edge = edges_[i];
    set_face(f, edge.from, edge.to, tip);
    faces_[f].across[0] = edge.face;
    faces_[edge.face].across[edge.side] = f;
    if (before == kNone) {
      first = f;
    } else {
      faces_[f].across[2] = before;
      faces_[before].across[1] = f;
    }
    before = f;
  }
  faces_[first].across[2] = before;
  faces_[before].across[1] = first;
  return true;
}

bool Polytope::grow(std::uint32_t f, const Vertex& w) noexcept {
  const std::uint32_t tip = vertex_count_;
  vertices_[vertex_count_++] = w;
  const std::uint32_t edges = cut(f, w.w());
  return in_a_ring(edges) && cover(edges, tip);
}

/// The end of the best way out lies on the surface: the triangle that is there says which point of `a` it is.
/// Flat: `common`.
V3 Polytope::point_on_a(V3 common) const noexcept {
  const V3 end = best_.normal * best_.width;
  V3 best = face_count_ == 0 ? common : a_.point(best_.ia);
  double least = kNever;
  for (std::uint32_t f = 0; f < face_count_; ++f) {
    const Face& face = faces_[f];
    const double off = dot(face.normal(), end) - face.plane;
    if (!face.alive || face.sliver || off * off >= least) {
      continue;
    }
    Simplex s;
    s.count = 3;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Vertex& v = vertices_[face.corner[k]];
      s.points[k].a = a_.point(v.ia);
      s.points[k].w = v.w() - end;
    }
    V3 nearest;
    if (nearest_of_simplex(s, nearest) && dot(nearest, nearest) < least) {
      least = dot(nearest, nearest);
      best = {};
      for (std::uint32_t k = 0; k < s.count; ++k) {
        best = best + s.points[k].a * s.points[k].weight;
      }
    }
  }
  return best;
}

bool Polytope::depth(const Simplex& simplex, Near& near) noexcept {
  bool grown = true;
  if (begin_with(simplex) || begin()) {
    while (grown) {
      const std::uint32_t f = next_face();
      if (f == kNone || faces_[f].offset >= best_.width - kExact * size_) {
        break;
      }
      const V3 normal = faces_[f].normal();
      const Vertex w = support(normal);
      ask(w, normal);
      if (dot(w.w(), normal) - faces_[f].plane <= kExact * size_ || known(w)) {
        faces_[f].offset = kNever;  // it is as far out as it can be
        continue;
      }
      grown = vertex_count_ < kVertices && grow(f, w);
    }
  }
  // Where they only touch, the end of the way is noise: the point that they share is not.
  const bool touch = std::max(near.distance, std::abs(best_.width)) <= 4 * kNoGap * size_;
  near.distance = -best_.width;
  near.normal = best_.normal;
  near.on_a = touch ? near.on_a : point_on_a(near.on_a);
  near.on_b = near.on_a + near.normal * near.distance;
  return grown || touch;
}

}  // namespace

void epa(const Convex& a, const Convex& b, const Simplex& simplex, Near& near) noexcept {
  if (!Polytope(a, b).depth(simplex, near)) {
    depth_by_faces(a, b, near);
  }
}

}  // namespace juxta::shape_detail
