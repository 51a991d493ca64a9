// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A block of 10 x 10 x 10 unit cubes, two apart, and what a box, a ray, a point and a camera touch of it.
#include <juxta/layer/frustum.h>
#include <juxta/layer/layer.h>
#include <juxta/layer/nearest.h>
#include <juxta/layer/query.h>
#include <juxta/layer/raycast.h>

#include <array>
#include <cstdio>
#include <vector>

namespace {

bool all_well = true;

void check(const char* what, std::size_t got, std::size_t want) {
  std::printf("%-28s %zu\n", what, got);
  all_well = all_well && got == want;
}

/// A camera at (-4, 9.5, 9.5) that looks along x and sees 45 degrees to each side, to a depth of 8.
void check_camera(const juxta::Layer& layer, const std::vector<juxta::Aabb3>& boxes) {
  const std::array<juxta::Plane3, 5> camera = {{{{1, 1, 0}, 4 - 9.5F},   // y - 9.5 >= -(x + 4)
                                                {{1, -1, 0}, 4 + 9.5F},  // y - 9.5 <= x + 4
                                                {{1, 0, 1}, 4 - 9.5F},
                                                {{1, 0, -1}, 4 + 9.5F},
                                                {{-1, 0, 0}, 4}}};  // x <= 4
  std::vector<std::uint32_t> found(layer.size());
  std::size_t seen = 0;
  for (const juxta::Aabb3& b : boxes) {  // the definition: no plane has the whole box on its outer side
    bool inside = true;
    for (const auto& [n, offset] : camera) {
      float far = 0;
      for (int axis = 0; axis < 3; ++axis) {
        far += n[axis] * (n[axis] >= 0 ? b.hi[axis] : b.lo[axis]);
      }
      inside = inside && far + offset >= 0;
    }
    seen += inside ? 1 : 0;
  }
  const auto in_view = find_in_frustum(layer, std::span<const juxta::Plane3>(camera), found);
  check("cubes that the camera sees", in_view.written, seen);
  std::printf("%-28s %zu of %zu\n", "boxes it had to look at", in_view.tested, boxes.size());
}

}  // namespace

int main() {
  std::vector<juxta::Aabb3> boxes;
  std::vector<juxta::Filter> filters;
  for (int i = 0; i < 1000; ++i) {
    const auto x = static_cast<float>(2 * (i % 10)), y = static_cast<float>(2 * (i / 10 % 10)),
               z = static_cast<float>(2 * (i / 100));
    boxes.push_back({{x, y, z}, {x + 1, y + 1, z + 1}});
    filters.push_back({.category = i % 2 == 0 ? 1u : 2u});  // the even ones are glass, say
  }
  const auto layer = juxta::Layer::build(boxes, {.filters = filters});
  if (!layer) {
    std::fprintf(stderr, "%s\n", layer.error().message.c_str());
    return 1;
  }

  // A box: all, any, how many. Touching counts: the cubes that begin at 4 are in.
  const juxta::Aabb3 box = {{0, 0, 0}, {4, 4, 4}};
  std::vector<std::uint32_t> found(layer->size());
  check("cubes in the corner", find_all(*layer, box, found).written, 27);
  check("glass in the corner", count(*layer, box, {.filter = {.mask = 1u}}), 18);
  check("anything far away", find_any(*layer, {{30, 30, 30}, {40, 40, 40}}) != juxta::kNoBody, 0);

  // A ray along the third row: the cube it enters first, and all that it passes.
  const juxta::Ray3 ray = {{-5, 4.5F, 0.5F}, {1, 0, 0}};
  const juxta::RayHit hit = raycast_closest(*layer, ray);
  check("first cube on the ray", hit.body, 20);
  all_well = all_well && hit.t == 5;
  std::array<juxta::RayHit, 3> nearest_hits;
  check("cubes on the ray", raycast_all(*layer, ray, nearest_hits).found,
        10);  // the nearest three are stored
  check("the third of them", nearest_hits[2].body, 22);

  // The cube nearest to a point, at most 5 away.
  const juxta::NearestHit near = nearest(*layer, {21, 19.5F, 18.5F}, 5);
  check("cube nearest to the corner", near.body, 999);
  all_well = all_well && near.distance2 == 4.25F;

  check_camera(*layer, boxes);
  return all_well ? 0 : 1;
}
