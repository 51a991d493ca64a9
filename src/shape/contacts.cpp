// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Contacts of shapes with parts and triangles: each convex one against each as in contact.cpp, collected by
// normal.
//
//   triangle 3, solid --> points --.
//   triangle 4, solid --> points ---+--> group of this normal: the same points once --> the four that span
//   triangle 9, solid --> points ---'    the most
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "juxta/shape/query.h"
#include "shape/contact_edges.h"
#include "shape/placed.h"
#include "shape/surface.h"
#include "shape/touchings.h"

namespace juxta {
namespace shape_detail {
namespace {

constexpr double kSameNormal = 0.9962;  // cosine: 5 degrees
constexpr double kSamePlace = 1e-3;     // of the smaller one's size
constexpr double kDeep = 0.05;          // of the solid's size: no ghost edge is deeper

std::uint32_t mixed(std::uint32_t feature, const PartId& a, const PartId& b) noexcept {
  for (const std::uint32_t id : {a.part, a.triangle, b.part, b.triangle}) {
    feature = (feature ^ id) * 0x9E3779B1U;
    feature ^= feature >> 15;
  }
  return feature;
}

struct Group {
  V3 first_normal, normal;  // of what came first, and of the deepest
  PartId a, b;              // of the deepest
  Touchings points;

  [[nodiscard]] double deepest() const noexcept { return points.at[0].distance; }
  /// The same point of two triangles counts once.
  void add(const Touching& one, double size) noexcept {
    const double near2 = kSamePlace * kSamePlace * size * size;
    for (std::uint32_t i = 0; i < points.count; ++i) {
      const V3 between = points.at[i].point - one.point;
      if (dot(between, between) > near2) {
        continue;
      }
      if (one.distance >= points.at[i].distance - 1e-6 * size) {
        return;
      }
      std::move(points.at.begin() + i + 1, points.at.begin() + points.count, points.at.begin() + i);
      --points.count;
      break;
    }
    if (points.count + 1 == Touchings::kMost) {
      keep_four(points, normal);
    }
    points.add(one);
  }
};

/// The lowest that a solid reaches over a plane.
double height_over(const Convex& solid, V3 on_plane, V3 normal) noexcept {
  return dot(solid.point(solid.support(-normal)) - on_plane, normal) - solid.radius;
}

class Groups {
 public:
  explicit Groups(double margin) noexcept : margin_(margin) {}

  /// `found` of two convex shapes, or of a triangle and one.
  void add(const Convex& x, const Convex& y, V3 normal, PartId a, PartId b, const Touchings& found) noexcept {
    if (found.count == 0) {
      return;
    }
    Group* group = place_for(normal, a, b, found.at[0].distance);
    if (group == nullptr) {
      return;
    }
    if (group->points.count == 0 || found.at[0].distance < group->deepest()) {
      group->normal = normal;
      group->a = a;
      group->b = b;
    }
    const double size = std::min(x.size, y.size);
    for (std::uint32_t i = 0; i < found.count; ++i) {
      Touching one = found.at[i];
      one.feature = mixed(one.feature, a, b);
      group->add(one, size);
    }
  }
  void add(const Convex& x, const Convex& y, PartId a, PartId b) noexcept {
    Near near;
    if (closest_convex(x, y, margin_, near)) {
      add_known(x, y, a, b, near);
    }
  }
  /// The same of a triangle, by the rules of its edges. False: they leave nothing of it; `near` is what
  /// closest_convex() says then, if they touch at all.
  bool add(const EdgeRules& rules, const Convex& triangle, const Convex& solid, bool solid_first, PartId a,
           PartId b, Near& near, double& kept) noexcept {
    const Convex &x = solid_first ? solid : triangle, &y = solid_first ? triangle : solid;
    near.distance = kFar;
    if (!closest_convex(x, y, margin_, near)) {
      return false;
    }
    Touchings found;
    const double sign = solid_first ? -1 : 1;  // of normals from the triangle to the solid
    const Leaning leaning = rules.leaning(solid_first ? b.triangle : a.triangle,
                                          solid_first ? near.on_b : near.on_a, near.normal * sign, solid);
    if (leaning.kind != Leaning::kAllowed) {
      find_over_triangle(triangle, solid, leaning.face, solid_first, margin_, found);
      if (found.count != 0 && found.at[0].distance >= -kDeep * solid.size) {
        add(x, y, leaning.face * sign, a, b, found);
        kept = found.at[0].distance;
        return true;
      }
    }
    const bool allowed = leaning.kind == Leaning::kAllowed;
    if (!allowed &&
        (leaning.kind == Leaning::kOverEdge || height_over(solid, leaning.seam, leaning.beyond) > margin_)) {
      return false;
    }
    // Over a seam: what lies beyond it has the same contact, and a deeper one, if it is there.
    found.count = 0;
    find_touchings(x, y, near, margin_, found);
    add(x, y, allowed ? near.normal : leaning.beyond * sign, a, b, found);
    kept = near.distance;
    return true;
  }
  /// As add() without rules, for what is known already.
  void add_known(const Convex& x, const Convex& y, PartId a, PartId b, const Near& near) noexcept {
    Touchings found;
    find_touchings(x, y, near, margin_, found);
    add(x, y, near.normal, a, b, found);
  }

  [[nodiscard]] QueryResult finish(V3 origin, std::span<Manifold> out) noexcept {
    std::array<std::uint32_t, kMostManifolds> order{};
    for (std::uint32_t i = 0; i < count_; ++i) {
      order[i] = i;
    }
    std::sort(order.begin(), order.begin() + count_, [this](std::uint32_t i, std::uint32_t j) {
      const Group &p = groups_[i], &q = groups_[j];
      const bool same = p.a == q.a && p.b == q.b;
      return same ? i < j : (p.a == q.a ? before(p.b, q.b) : before(p.a, q.a));
    });
    QueryResult result{.found = count_};
    for (; result.written < std::min<std::size_t>(count_, out.size()); ++result.written) {
      Group& group = groups_[order[result.written]];
      if (group.points.count > 4) {
        keep_four(group.points, group.normal);
      }
      Manifold manifold;
      manifold.normal = group.normal.rounded();
      manifold.count = group.points.count;
      manifold.part_a = group.a;
      manifold.part_b = group.b;
      for (std::uint32_t i = 0; i < manifold.count; ++i) {
        const Touching& one = group.points.at[i];
        manifold.points[i] = {(origin + one.point).rounded(), static_cast<float>(one.distance), one.feature};
      }
      out[result.written] = manifold;
    }
    return result;
  }

 private:
  /// The group of a normal. When all are taken, one of that normal of other parts: all that rests on a
  /// floor spans one area. Else that of the shallowest, emptied; null: all are deeper.
  Group* place_for(V3 normal, PartId a, PartId b, double distance) noexcept {
    for (std::uint32_t i = 0; i < count_; ++i) {
      Group& group = groups_[i];
      if (group.a.part == a.part && group.b.part == b.part && dot(group.first_normal, normal) > kSameNormal) {
        return &group;
      }
    }
    Group* free = nullptr;
    if (count_ < kMostManifolds) {
      free = &groups_[count_++];
    } else if (Group* const alike =
                   std::find_if(groups_.data(), groups_.data() + count_,
                                [&](const Group& g) { return dot(g.first_normal, normal) > kSameNormal; });
               alike != groups_.data() + count_) {
      return alike;
    } else {
      free = &*std::max_element(groups_.begin(), groups_.end(),
                                [](const Group& p, const Group& q) { return p.deepest() < q.deepest(); });
      if (free->deepest() <= distance) {
        return nullptr;
      }
    }
    free->points.count = 0;
    free->first_normal = normal;
    return free;
  }

  double margin_;
  std::array<Group, kMostManifolds> groups_;
  std::uint32_t count_ = 0;
};

/// Triangles within `margin` of a box, ascending: which group a contact gets must not depend on the tree. Of
/// many, the next lowest ones at a time.
template <class Visit>
void visit_ascending(const Surface& mesh, const Aabb3& box, double margin, Visit&& visit) {
  std::array<std::uint32_t, 256> lowest;  // a heap with the highest on top
  for (std::uint32_t from = 0;;) {
    std::size_t count = 0;
    mesh.visit_near(box, margin, [&](std::uint32_t t) {
      if (t >= from && (count < lowest.size() || t < lowest[0])) {
        if (count == lowest.size()) {
          std::pop_heap(lowest.begin(), lowest.end());
          --count;
        }
        lowest[count++] = t;
        std::push_heap(lowest.begin(), lowest.begin() + count);
      }
      return margin;
    });
    std::sort_heap(lowest.begin(), lowest.begin() + count);
    std::for_each_n(lowest.begin(), count, visit);
    if (count < lowest.size()) {
      return;
    }
    from = lowest.back() + 1;
  }
}

void add_triangles(const Placed& a, const Placed& b, bool solid_first, double margin, Groups& groups) {
  const Placed &solid = solid_first ? a : b, &surface = solid_first ? b : a;
  const Surface mesh(surface);
  const EdgeRules rules(surface);
  const Convex convex = convex_of(*solid.shape, solid.frame);
  const auto ids = [&](std::uint32_t t) {
    const PartId of_solid{solid.part, kNoPart}, of_triangle{surface.part, t};
    return std::pair(solid_first ? of_solid : of_triangle, solid_first ? of_triangle : of_solid);
  };
  double best = kFar;
  Near deepest;
  std::uint32_t deepest_triangle = kNoPart;
  visit_ascending(mesh, mesh.box_of(convex), margin, [&](std::uint32_t t) {
    const auto [id_a, id_b] = ids(t);
    Near near;
    double kept = kFar;
    if (groups.add(rules, convex_of(mesh.triangle(t)), convex, solid_first, id_a, id_b, near, kept)) {
      best = std::min(best, kept);
    } else if (near.distance <= margin && (deepest_triangle == kNoPart || near.distance < deepest.distance)) {
      deepest = near;
      deepest_triangle = t;
    }
  });
  // So deep that the edges leave nothing: the shortest way out of the deepest triangle. What fell into a
  // floor must not fall on.
  if (deepest_triangle != kNoPart &&
      (best == kFar || (best >= 0 && deepest.distance < -kDeep * convex.size))) {
    const Convex triangle = convex_of(mesh.triangle(deepest_triangle));
    const auto [id_a, id_b] = ids(deepest_triangle);
    groups.add_known(solid_first ? convex : triangle, solid_first ? triangle : convex, id_a, id_b, deepest);
  }
}

void add_two_surfaces(const Placed& a, const Placed& b, double margin, Groups& groups) {
  const Surface mesh_a(a), mesh_b(b);
  visit_ascending(mesh_a, local_box(mesh_b.extent(), mesh_a.frame), margin, [&](std::uint32_t s) {
    const Convex one = convex_of(mesh_a.triangle(s));
    visit_ascending(mesh_b, mesh_b.box_of(one), margin, [&](std::uint32_t t) {
      groups.add(one, convex_of(mesh_b.triangle(t)), PartId{a.part, s}, PartId{b.part, t});
    });
  });
}

void add_parts(const Placed& a, const Placed& b, double margin, Groups& groups) {
  if (gap(a.extent, b.extent) > margin) {
    return;
  }
  const bool convex_a = a.shape->convex(), convex_b = b.shape->convex();
  if (convex_a && convex_b) {
    groups.add(convex_of(*a.shape, a.frame), convex_of(*b.shape, b.frame), PartId{a.part, kNoPart},
               PartId{b.part, kNoPart});
  } else if (convex_a || convex_b) {
    add_triangles(a, b, convex_a, margin, groups);
  } else {
    add_two_surfaces(a, b, margin, groups);
  }
}

}  // namespace
}  // namespace shape_detail

QueryResult contacts(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b, float margin,
                     std::span<Manifold> out) {
  using namespace shape_detail;
  if (!(margin >= 0)) {
    return {};
  }
  if (a.convex() && b.convex()) {
    const Manifold manifold = contact(a, at_a, b, at_b, margin);
    QueryResult result{.found = manifold.count > 0 ? 1U : 0U};
    if (manifold.count > 0 && !out.empty()) {
      out[result.written++] = manifold;
    }
    return result;
  }
  // Sums of a margin must stay finite.
  const double within = std::min(static_cast<double>(margin), 1e30);
  const V3 origin(at_a.position);
  const Frame frame_b(at_b, origin);
  Groups groups(within);
  visit_parts(a, Frame(at_a, origin), [&](const Placed& part_a) {
    visit_parts(b, frame_b, [&](const Placed& part_b) {
      add_parts(part_a, part_b, within, groups);
      return true;
    });
    return true;
  });
  return groups.finish(origin, out);
}

}  // namespace juxta
