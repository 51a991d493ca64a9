// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The world of layer_rays, layer_casts and layer_closest, and who is asked about it. One virtual call per
// query (2 ns of some thousand, for every contender alike) keeps each peer's headers in a file of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/support/once.h"
#include "juxta/shape/bodies.h"
#include "scenes/bodies.h"

namespace juxta::bench {

/// A body, and where: t of a ray or cast, or a distance.
struct BodyAnswer {
  std::uint32_t body = kNoBody;
  float value = 0;
};

/// Answers questions about bodies that rest. What a peer cannot do it need not.
class BodyAsker {
 public:
  virtual ~BodyAsker() = default;
  virtual BodyAnswer ray(const Ray3& ray) = 0;
  virtual BodyAnswer cast(const BodyCast& cast) = 0;
  /// The nearest body to a shape that touches none, within kMostDistance.
  virtual BodyAnswer closest(const Shape& shape, const Qvvs& at) = 0;
};
inline constexpr float kMostDistance = 5;

[[nodiscard]] std::unique_ptr<BodyAsker> make_juxta_bodies(const scenes::BodyWorld& world,
                                                           OrderQuality quality);
[[nodiscard]] std::unique_ptr<BodyAsker> make_bullet_bodies(const scenes::BodyWorld& world);
[[nodiscard]] std::unique_ptr<BodyAsker> make_embree_bodies(const scenes::BodyWorld& world);

/// 100k bodies (JUXTA_BENCH_POINTS: the most) and 10k questions of each kind, with the right answers by brute
/// force to the first of them, as many as take a second or two. Made when first asked for.
struct LayerWorld {
  scenes::BodyWorld world;
  Bodies bodies;
  std::vector<Ray3> rays;
  std::vector<BodyCast> casts;
};
[[nodiscard]] LayerWorld& layer_world();

/// One question, whoever answers it; all of a workload have one number.
using Ask = std::function<BodyAnswer(BodyAsker&, const LayerWorld&, std::size_t query)>;
/// The same by asking every body.
using AskAll = std::function<BodyAnswer(const LayerWorld&, std::size_t query)>;

struct LayerWorkload {
  std::string name;
  Ask ask;
  AskAll brute_force;
  float tolerance;  ///< Of `value`, where a peer's answer counts as the same.
};

/// The rows of a workload: name/juxta, name/juxta_fast (the layer's fast order), name/bullet, and, if
/// `with_embree`, name/embree. Ends the program where juxta differs from brute force, or a peer from juxta
/// more often than it may; `differ` says how often.
void add_layer_rows(const LayerWorkload& workload, bool with_embree);

/// Ends the program unless `answer(query)` is juxta's for all but `allowed` of a thousand; returns how many.
std::size_t check_answers(const std::string& row, const LayerWorkload& workload, double allowed,
                          const std::function<BodyAnswer(std::size_t query)>& answer);

}  // namespace juxta::bench
