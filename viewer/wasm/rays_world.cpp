// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/files/mesh.h"
#include "juxta/math/product.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "scenes/rock.h"
#include "viewer/wasm/scenes.h"
#include "viewer/wasm/stopwatch.h"

namespace juxta::page {
namespace {

constexpr float kRock = 10;            // half its size, about: that of scenes is about 1
constexpr float kOrbit = 20;           // from the middle
constexpr float kWorld = 20;           // half the world's edge
constexpr std::size_t kKept = 60'000;  // hits that stay in sight
constexpr double kMostTriangles = 200'000, kMostSide = 128;

Vec3 unit(Vec3 v) {
  return v * (1 / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
}
/// Turned about z by an angle of this sine, which is small.
Vec3 turned(Vec3 v, float sine) {
  const float cosine = std::sqrt(1 - sine * sine);
  return {cosine * v.x - sine * v.y, sine * v.x + cosine * v.y, v.z};
}

class RaysWorld final : public ViewedWorld {
 public:
  explicit RaysWorld(std::uint64_t seed) : seed_(seed) {}

  /// Everything anew. After an error all is as it was. Errors: of TriangleMesh.
  Result<void> begin(std::size_t triangles) {
    Mesh rock = scenes::make_rock(triangles, seed_);
    for (Vec3& vertex : rock.vertices) {
      vertex = vertex * kRock;
    }
    JUXTA_TRY_LET(TriangleMesh mesh, TriangleMesh::build(rock.vertices, rock.triangles));
    mesh_ = std::move(mesh);
    rock_ = std::move(rock);
    asked_ = triangles;
    steps_ = next_ = 0;
    height_ = 0.8F;
    rise_ = -0.004F;
    flown_ = {1, 0, 0};
    for (auto* column : {&x_, &y_, &z_, &distance_}) {
      column->clear();
    }
    look();
    return {};
  }

  ViewInfo info() const override {
    ViewInfo info;
    info.title = "rays at a rock";
    info.dimensions = 3;
    info.lo = {-kWorld, -kWorld, -kWorld};
    info.hi = {kWorld, kWorld, kWorld};
    info.groups = {{.name = "rock", .mark = ViewMark::kRock, .size = 2 * kRock, .shapes = true},
                   {.name = "hits", .columns = {"distance"}, .colour = "distance"},
                   {.name = "scanner", .mark = ViewMark::kBall, .size = 0.8F}};
    info.parameters = {
        {{"rays", static_cast<double>(side_), 4, kMostSide, true,
          "along each side of the square that is scanned"},
         true},
        {{"triangles", static_cast<double>(asked_), 8, kMostTriangles, true, "of the rock, at least"},
         false}};
    info.stages = {"cast"};
    info.reports = {"rays", "hits"};
    info.overlays = {{"rays", ViewOverlay::Kind::kLines,
                      "from the scanner to where they met the rock in this step", true}};
    return info;
  }
  ViewThings things(std::size_t group) const override {
    ViewThings things;
    if (group == 0) {
      things.x = things.y = things.z = kMiddle;
    } else if (group == 1) {
      things.x = x_;
      things.y = y_;
      things.z = z_;
      things.columns.emplace_back(std::span<const float>(distance_));
    } else {
      things.x = {&scanner_.x, 1};
      things.y = {&scanner_.y, 1};
      things.z = {&scanner_.z, 1};
    }
    return things;
  }
  std::uint64_t steps() const override { return steps_; }
  Result<void> step() override {
    ++steps_;
    flown_ = turned(flown_, 0.012F);
    height_ += rise_;
    if (std::fabs(height_) > 0.8F) {
      rise_ = height_ > 0 ? -0.004F : 0.004F;
    }
    look();
    return {};
  }
  std::vector<double> stage_ms() const override { return {cast_ms_}; }
  std::vector<double> reports() const override {
    return {static_cast<double>(rays_.size()), static_cast<double>(met_)};
  }
  void overlay(std::size_t /*index*/, ViewParts& parts) const override {
    for (const SurfaceHit& hit : hits_) {
      if (hit) {
        parts.insert(scanner_, hit.point);
      }
    }
  }
  ViewShape shape(std::size_t /*group*/, std::size_t /*row*/) const override {
    return {rock_.vertices, rock_.triangles};
  }

  Result<void> set(std::string_view name, double value) override {
    if (name != "rays") {
      return fail(ErrorCode::kNotFound, std::string(name) + ": no such parameter that acts at once");
    }
    if (!(value >= 4 && value <= kMostSide)) {
      return fail(ErrorCode::kInvalidArgument, "rays: give a number from 4 to 128");
    }
    side_ = static_cast<std::size_t>(value) / 4 * 4;
    return {};
  }
  Result<void> restart(std::optional<std::uint64_t> seed,
                       std::span<const std::pair<std::string, double>> parameters) override {
    std::size_t triangles = asked_;
    for (const auto& [name, value] : parameters) {
      if (name == "rays") {
        JUXTA_TRY(set(name, value));
        continue;
      }
      if (name != "triangles" || !(value >= 8 && value <= kMostTriangles)) {
        return fail(ErrorCode::kInvalidArgument, name + ": give triangles, from 8 to 200000");
      }
      triangles = static_cast<std::size_t>(value);
    }
    seed_ = seed.value_or(seed_);
    return begin(triangles);
  }

 private:
  static constexpr float kMiddle[1] = {0};

  /// Casts the rays of this step: a square of side_ x side_, in squares of 4 x 4, which is how they are
  /// fastest.
  void look() {
    scanner_ = unit({flown_.x, flown_.y, height_}) * kOrbit;
    const Vec3 ahead = unit(scanner_ * -1.0F), right = unit(cross(ahead, {0, 0, 1})),
               up = cross(right, ahead);
    rays_.clear();
    const auto along = [&](std::size_t i) {
      return (2 * (static_cast<float>(i) + 0.5F) / static_cast<float>(side_) - 1) *
             0.6F;  // 31 degrees to each side
    };
    for (std::size_t square = 0; square < side_ * side_; square += 16) {
      const std::size_t column = square / 16 % (side_ / 4) * 4, row = square / 16 / (side_ / 4) * 4;
      for (std::size_t i = 0; i < 16; ++i) {
        rays_.push_back({scanner_, ahead + right * along(column + i % 4) + up * along(row + i / 4)});
      }
    }
    hits_.resize(rays_.size());
    const Stopwatch watch;
    const auto done = raycast(Shape(*mesh_), {}, rays_, hits_);
    cast_ms_ = watch.milliseconds();
    met_ = done ? done->found : 0;
    keep();
  }

  /// The newest hits take the place of the oldest.
  void keep() {
    for (std::size_t i = 0; i < hits_.size(); ++i) {
      if (!hits_[i]) {
        continue;
      }
      if (x_.size() < kKept) {
        for (auto* column : {&x_, &y_, &z_, &distance_}) {
          column->push_back(0);
        }
        next_ = x_.size() - 1;
      }
      const Vec3 point = hits_[i].point, way = point - scanner_;
      x_[next_] = point.x;
      y_[next_] = point.y;
      z_[next_] = point.z;
      distance_[next_] = std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
      next_ = (next_ + 1) % kKept;
    }
  }

  std::optional<TriangleMesh> mesh_;
  Mesh rock_;
  std::size_t asked_ = 0, side_ = 20;
  std::uint64_t seed_, steps_ = 0;
  float height_ = 0, rise_ = 0;
  Vec3 flown_{}, scanner_{};
  std::vector<Ray3> rays_;
  std::vector<SurfaceHit> hits_;  // of rays_
  std::size_t met_ = 0, next_ = 0;
  std::vector<float> x_, y_, z_, distance_;  // hits of the last steps
  double cast_ms_ = 0;
};

}  // namespace

Result<std::unique_ptr<ViewedWorld>> make_rays_world(std::size_t triangles, std::uint64_t seed) {
  auto world = std::make_unique<RaysWorld>(seed);
  JUXTA_TRY(world->begin(triangles));
  return world;
}

}  // namespace juxta::page
