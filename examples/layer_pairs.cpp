// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A crowd of boxes that push each other apart: each frame all move, the layer is refitted, overlapping pairs
// are found, and on all cores a visitor writes to both boxes of a pair without locks.
#include <juxta/core/executor.h>
#include <juxta/core/workspace.h>
#include <juxta/layer/find_pairs.h>
#include <juxta/layer/layer.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

constexpr int kSide = 60;

struct Body {
  float x, y, push_x, push_y;
  unsigned meetings;
};

/// Unit squares, nearer to each other than they are wide.
std::vector<Body> crowd() {
  std::vector<Body> bodies;
  for (int i = 0; i < kSide * kSide; ++i) {
    const int column = i % kSide, row = i / kSide;
    const float shift = .1F * static_cast<float>((7 * column + 3 * row) % 5);
    bodies.push_back(
        {.8F * static_cast<float>(column) + shift, .9F * static_cast<float>(row) - shift, 0, 0, 0});
  }
  return bodies;
}

void update_boxes(const std::vector<Body>& bodies, std::vector<juxta::Aabb2>& boxes) {
  boxes.resize(bodies.size());
  std::transform(bodies.begin(), bodies.end(), boxes.begin(), [](const Body& b) {
    return juxta::Aabb2{{b.x, b.y}, {b.x + 1, b.y + 1}};
  });
}

void meet(Body& body, float x, float y) {
  body.push_x += x;
  body.push_y += y;
  ++body.meetings;
}

}  // namespace

int main() {
  std::vector<Body> bodies = crowd();
  std::vector<juxta::Aabb2> boxes;
  update_boxes(bodies, boxes);
  auto layer = juxta::Layer2::build(boxes);
  if (!layer) {
    std::fprintf(stderr, "%s\n", layer.error().message.c_str());
    return 1;
  }
  const auto executor = juxta::TbbExecutor::build();  // or your engine's own jobs: one function to implement
  juxta::Workspace workspace;
  const juxta::Context context{.executor = executor ? &*executor : nullptr, .workspace = &workspace};
  std::vector<juxta::Pair> pairs(16 * bodies.size());
  std::size_t first = 0, last = 0;
  for (int frame = 0; frame < 40; ++frame) {
    update_boxes(bodies, boxes);
    if (const auto moved = layer->refit(boxes); !moved) {  // keeps the order while it is good
      std::fprintf(stderr, "%s\n", moved.error().message.c_str());
      return 1;
    }
    last = juxta::find_pairs(*layer, pairs, {}, context)->found;
    first = frame == 0 ? last : first;

    // No two calls that run at once hold a body in common: writing to both is safe, and the same on any
    // machine.
    const auto push_apart = [&](std::span<const juxta::Pair> batch) {
      for (const auto [a, b] : batch) {
        const float x = .05F * (bodies[a].x - bodies[b].x), y = .05F * (bodies[a].y - bodies[b].y);
        meet(bodies[a], x, y);
        meet(bodies[b], -x, -y);
      }
    };
    if (!juxta::visit_pairs_exclusive(*layer, push_apart, {}, context)) {
      return 1;
    }
    std::size_t meetings = 0;
    for (Body& body : bodies) {
      meetings += body.meetings;
      body = {body.x + body.push_x, body.y + body.push_y, 0, 0, 0};
    }
    if (meetings != 2 * last) {
      std::fprintf(stderr, "frame %d: %zu meetings of %zu pairs\n", frame, meetings, last);
      return 1;
    }
  }
  std::printf("%zu boxes: %zu overlapping pairs at first, %zu after 40 frames\n", bodies.size(), first, last);
  return last < first ? 0 : 1;
}
