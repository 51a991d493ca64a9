// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents with size: boxes from pebbles to houses. Who is near goes by the gap between two boxes, so that a
// house is seen from any of its sides; every step is compared with all pairs.
#include <juxta/agents/act.h>
#include <juxta/agents/see.h>
#include <juxta/agents/simulation.h>
#include <juxta/core/random.h>
#include <juxta/core/try.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "agents_boxes_rules.h"

namespace {

constexpr std::size_t kBoxes = 1500;
constexpr float kWorld = 100, kRadius = 1.5F;

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-56s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

int complain(const juxta::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

constexpr std::array<const char*, 3> kExtents = {"ex", "ey", "ez"}, kVelocity = {"vx", "vy", "vz"};

/// Many small boxes and a few large ones, anywhere.
juxta::Result<void> fill(juxta::Population& boxes) {
  JUXTA_TRY(boxes.add_extents());
  if (auto added = boxes.add_columns(
          {"size", "vx", "vy", "vz", "near", "larger", "push_x", "push_y", "push_z", "gap2"});
      !added) {
    return added;
  }
  JUXTA_TRY(boxes.insert(kBoxes));
  // Numbers are drawn by what they are for and for whom: here one purpose for each column.
  std::uint32_t purpose = 0;
  const auto draw = [&](std::size_t i) { return juxta::random_float({1, 0, purpose}, i); };
  const auto size = boxes.write(*boxes.find_column<float>("size"));
  for (std::size_t i = 0; i < kBoxes; ++i) {
    size[i] = 0.2F + 0.1F / (0.02F + draw(i));  // half an edge: from 0.3 to 5
  }
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto extent = boxes.write(*boxes.find_column<float>(kExtents[axis]));
    std::ranges::copy(size, extent.begin());
    ++purpose;
    const auto x = boxes.write(boxes.position(axis));
    for (std::size_t i = 0; i < kBoxes; ++i) {
      x[i] = kWorld * draw(i);
    }
    ++purpose;
    const auto v = boxes.write(*boxes.find_column<float>(kVelocity[axis]));
    for (std::size_t i = 0; i < kBoxes; ++i) {
      v[i] = 2 * draw(i) - 1;
    }
  }
  return {};
}

/// What box `a` should have found: every other one is asked.
struct Seen {
  float near = 0, larger = 0, gap2 = std::numeric_limits<float>::infinity();
};

/// Positions and half edges, to be compared pair by pair.
class AllPairs {
 public:
  explicit AllPairs(const juxta::Population& boxes) : size_(boxes.read(*boxes.find_column<float>("size"))) {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      x_[axis] = boxes.read(boxes.position(axis));
    }
  }
  [[nodiscard]] Seen look(std::size_t a) const {
    Seen seen;
    for (std::size_t b = 0; b < size_.size(); ++b) {
      float gap[3], gap2 = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        gap[axis] = std::max(std::abs(x_[axis][b] - x_[axis][a]) - (size_[a] + size_[b]), 0.0F);
        gap2 += gap[axis] * gap[axis];
      }
      if (a != b && gap[0] <= kRadius && gap[1] <= kRadius && gap[2] <= kRadius) {
        seen.near += 1;
        seen.larger += size_[b] > size_[a] ? 1.0F : 0.0F;
        seen.gap2 = std::min(seen.gap2, gap2);
      }
    }
    return seen;
  }

 private:
  std::span<const float> size_;
  std::array<std::span<const float>, 3> x_;
};

/// How many boxes found something else than all pairs say, and how many pairs there were.
std::size_t count_wrong(const juxta::Population& boxes, double& pairs) {
  const AllPairs all(boxes);
  const auto near = boxes.read(*boxes.find_column<float>("near"));
  const auto larger = boxes.read(*boxes.find_column<float>("larger"));
  const auto gap2 = boxes.read(*boxes.find_column<float>("gap2"));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Seen seen = all.look(i);
    wrong += near[i] != seen.near || larger[i] != seen.larger || gap2[i] != seen.gap2 ? 1 : 0;
    pairs += static_cast<double>(seen.near) / 2;
  }
  return wrong;
}

}  // namespace

int main() {
  using juxta::Edge;
  auto simulation = juxta::Simulation::build(
      {.dimensions = 3, .edges = {Edge::kWall, Edge::kWall, Edge::kWall}, .hi = {kWorld, kWorld, kWorld}}, 1);
  if (!simulation) {
    return complain(simulation.error());
  }
  auto added = simulation->add_population("boxes");
  if (!added) {
    return complain(added.error());
  }
  juxta::Population& boxes = **added;
  if (auto filled = fill(boxes); !filled) {
    return complain(filled.error());
  }

  std::size_t wrong = 0, tested = 0;
  double pairs = 0;
  constexpr int kSteps = 5;
  for (int i = 0; i < kSteps; ++i) {
    const auto sorted = boxes.sort({.radius = kRadius});
    if (!sorted) {
      return complain(sorted.error());
    }
    const auto seen = juxta::see(boxes, boxes, kRadius, boxes::Crowd{}, {.metric = juxta::Metric::kBox});
    if (!seen) {
      return complain(seen.error());
    }
    tested += seen->tested;
    wrong += count_wrong(boxes, pairs);
    if (auto acted = juxta::act(boxes, boxes::Move{0.1F, 0.05F, kWorld}); !acted) {
      return complain(acted.error());
    }
    if (auto ended = simulation->end_step(); !ended) {
      return complain(ended.error());
    }
  }
  std::printf("%zu boxes, %.0f pairs a step; %.0f looked at, of %.0f that all pairs would be\n", boxes.size(),
              pairs / kSteps, static_cast<double>(tested) / kSteps,
              static_cast<double>(kBoxes) * (kBoxes - 1));
  check("some are near others", pairs > 0);
  check("each box found what all pairs say", wrong == 0);
  check("without looking at all of them", static_cast<double>(tested) < 0.5 * kSteps * kBoxes * kBoxes);
  return all_well ? 0 : 1;
}
