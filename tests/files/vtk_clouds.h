// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "juxta/files/vtk_points.h"

namespace juxta::test {

/// Points with a field of every type, whose values tell row and field apart and reach the ends of each type.
class Cloud {
 public:
  Cloud(std::uint32_t count, bool flat, double time) : flat_(flat), time_(time) {
    for (std::uint32_t i = 0; i < count; ++i) {
      x.push_back(static_cast<float>(i) * 0.25F - 3);
      y.push_back(1.0F / (static_cast<float>(i) + 1));
      z.push_back(i % 7 == 0 ? -0.0F : static_cast<float>(i) + 0.1F);
      velocity.insert(velocity.end(), {x[i] * 2, y[i] * 3, 1e-30F});
      energy.push_back(std::sqrt(static_cast<double>(i)) * 1e300);
      charge.push_back(i % 2 == 0 ? std::numeric_limits<std::int32_t>::min() : static_cast<std::int32_t>(i));
      colour.push_back(std::numeric_limits<std::uint32_t>::max() - i);
      id.push_back(std::numeric_limits<std::int64_t>::max() - i);
      kind.push_back(static_cast<std::uint8_t>(255 - i % 256));
    }
  }
  Cloud(const Cloud&) = delete;  // the clouds borrow
  Cloud& operator=(const Cloud&) = delete;

  [[nodiscard]] PointCloud points() const {
    PointCloud cloud{.x = x, .y = y, .z = {}, .fields = {}, .time = time_};
    if (!flat_) {
      cloud.z = z;
    }
    const auto field = [&](const char* name, const auto& values, std::uint32_t components = 1) {
      cloud.fields.push_back({name, std::span(values), components});
    };
    field("speed of x", x);
    field("velocity", velocity, 3);
    field("energy", energy);
    field("charge", charge);
    field("colour", colour);
    field("id", id);
    field("kind", kind);
    return cloud;
  }

  std::vector<float> x, y, z, velocity;
  std::vector<double> energy;
  std::vector<std::int32_t> charge;
  std::vector<std::uint32_t> colour;
  std::vector<std::int64_t> id;
  std::vector<std::uint8_t> kind;

 private:
  bool flat_;
  double time_;
};

}  // namespace juxta::test
