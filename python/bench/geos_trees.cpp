// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// GEOS's sort-tile-recursive tree, by its C++ template: no geometry objects, no virtual calls. It is what
// Shapely asks, and has two dimensions.
#define USE_UNSTABLE_GEOS_CPP_API  // of one GEOS, which this is compiled for
#include <geos/geom/Envelope.h>
#include <geos/index/strtree/TemplateSTRtree.h>

#include <cstddef>
#include <cstdint>

namespace {

using geos::geom::Envelope;
using Tree = geos::index::strtree::TemplateSTRtree<std::uint32_t>;

Envelope box_of(const float* sides) {
  return {sides[0], sides[2], sides[1], sides[3]};
}

}  // namespace

extern "C" {

void* geos_build_2(const float* boxes, std::size_t count) {
  auto* tree = new Tree(10, count);  // 10 a node: its default, and Shapely's
  for (std::size_t i = 0; i < count; ++i) {
    tree->insert(box_of(boxes + 4 * i), static_cast<std::uint32_t>(i));
  }
  tree->query(Envelope(0, 0, 0, 0), [](std::uint32_t) {});  // the first query builds
  return tree;
}
std::size_t geos_ask_2(void* tree, const float* boxes, std::size_t count, std::uint32_t* out,
                       std::size_t capacity) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    static_cast<Tree*>(tree)->query(box_of(boxes + 4 * i), [&](std::uint32_t box) {
      if (found < capacity) {
        out[2 * found] = static_cast<std::uint32_t>(i);
        out[2 * found + 1] = box;
      }
      ++found;
    });
  }
  return found;
}
void geos_free_2(void* tree) {
  delete static_cast<Tree*>(tree);
}

}  // extern "C"
