// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Animations at a time: every interpolation, the ends, and what a hierarchy cannot hold.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "files/gltf_files.h"

namespace juxta {
namespace {

using test::animated;
using test::read;

struct Place {
  LocalTransform local;
  Vec3 stretch;
};

Place at(const GltfScene& scene, float time) {
  Place place;
  rest(scene, {&place.local, 1}, {&place.stretch, 1});
  sample(scene, scene.animations.at(0), time, {&place.local, 1}, {&place.stretch, 1});
  return place;
}

Vec3 position(const GltfScene& scene, float time) {
  return at(scene, time).local.position;
}

TEST(GltfSample, StepsAndLinesHoldAtTheirEnds) {
  const std::vector<float> times = {1, 2, 4}, values = {0, 0, 0, 2, 4, 8, 0, 0, 1};
  const GltfScene linear = read(animated("translation", "LINEAR", times, values, "VEC3"));
  const GltfScene step = read(animated("translation", "STEP", times, values, "VEC3"));
  for (const GltfScene* scene : {&linear, &step}) {
    for (const float early : {0.0F, 1.0F, -1e30F, std::nanf("")}) {
      EXPECT_EQ(position(*scene, early), (Vec3{0, 0, 0}));
    }
    for (const float late : {4.0F, 5.0F, std::numeric_limits<float>::infinity()}) {
      EXPECT_EQ(position(*scene, late), (Vec3{0, 0, 1}));
    }
    EXPECT_EQ(position(*scene, 2), (Vec3{2, 4, 8}));
    EXPECT_EQ(scene->animations[0].duration, 4);
  }
  EXPECT_EQ(position(linear, 1.5F), (Vec3{1, 2, 4}));
  EXPECT_EQ(position(linear, 3.5F), (Vec3{.5F, 1, 2.75F}));
  EXPECT_EQ(position(step, 1.99F), (Vec3{0, 0, 0}));
  EXPECT_EQ(position(step, 3.99F), (Vec3{2, 4, 8}));
}

TEST(GltfSample, EqualTimesJump) {
  const GltfScene scene =
      read(animated("translation", "LINEAR", {0, 1, 1, 2}, {0, 0, 0, 1, 0, 0, 5, 0, 0, 6, 0, 0}, "VEC3"));
  EXPECT_EQ(position(scene, .5F).x, .5F);
  EXPECT_EQ(position(scene, 1).x, 5);
  EXPECT_EQ(position(scene, 1.5F).x, 5.5F);
}

TEST(GltfSample, RotationsTurnAtConstantSpeed) {
  // A quarter turn about z, and on by 170 degrees; the second key is written with the other sign.
  const auto about_z = [](double degrees) {
    const double half = degrees * 3.14159265358979323846 / 360;
    return Quat{0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))};
  };
  const Quat b = about_z(90), c = about_z(260);
  const GltfScene scene =
      read(animated("rotation", "LINEAR", {0, 1, 2}, {0, 0, 0, 1, 0, 0, -b.z, -b.w, 0, 0, c.z, c.w}, "VEC4"));
  for (int i = 0; i <= 200; ++i) {
    const float time = static_cast<float>(i) / 100;
    const Quat want =
        about_z(time <= 1 ? 90.0 * static_cast<double>(time) : 90 + 170 * (static_cast<double>(time) - 1));
    const Quat got = at(scene, time).local.rotation;
    const float sign = got.w * want.w + got.z * want.z < 0 ? -1.0F : 1.0F;
    EXPECT_NEAR(got.z * sign, want.z, 1e-6) << time;
    EXPECT_NEAR(got.w * sign, want.w, 1e-6) << time;
    EXPECT_NEAR(length_squared(got), 1, 1e-6);
  }
}

TEST(GltfSample, RotationKeysNeedNotBeNormalised) {
  const GltfScene scene = read(animated("rotation", "STEP", {0, 1}, {0, 0, 0, 7, 0, 3e38F, 0, 0}, "VEC4"));
  EXPECT_EQ(at(scene, 0).local.rotation, (Quat{0, 0, 0, 1}));
  EXPECT_EQ(at(scene, 1).local.rotation, (Quat{0, 1, 0, 0}));
  const GltfScene opposite =
      read(animated("rotation", "CUBICSPLINE", {0, 2},
                    {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0}, "VEC4"));
  EXPECT_EQ(at(opposite, 1).local.rotation, (Quat{0, 0, 0, 1}))
      << "a spline through 0 has no direction there";
}

TEST(GltfSample, SplinesFollowTheirTangents) {
  // p(t) = t^3 from 1 to 3: the values 1 and 27, the slopes 3 and 27 per second.
  const GltfScene scene = read(animated("translation", "CUBICSPLINE", {1, 3},
                                        {9, 9, 9, 1, 0, 0, 3, 0, 0, 27, 0, 0, 27, 0, 0, 9, 9, 9}, "VEC3"));
  for (const float t : {1.0F, 1.25F, 2.0F, 2.875F, 3.0F}) {
    EXPECT_NEAR(position(scene, t).x, t * t * t, 1e-5) << t;
    EXPECT_EQ(position(scene, t).y, 0);
  }
  EXPECT_EQ(position(scene, 9).x, 27);
}

TEST(GltfSample, WhatFloatsCannotHoldFallsBackToTheKey) {
  const GltfScene scene =
      read(animated("translation", "CUBICSPLINE", {0, 30},
                    {0, 0, 0, 1, 2, 3, 3e38F, 3e38F, 3e38F, -3e38F, 0, 0, 4, 5, 6, 0, 0, 0}, "VEC3"));
  EXPECT_EQ(position(scene, 10), (Vec3{1, 2, 3}));
  EXPECT_EQ(position(scene, 30), (Vec3{4, 5, 6}));
}

TEST(GltfSample, ScalesStayAboveZero) {
  const GltfScene scene =
      read(animated("scale", "LINEAR", {0, 1, 2, 3}, {2, 2, 2, 0, 0, 0, 1, 2, 3, -1, -1, -1}, "VEC3",
                    R"({"name":"ball","scale":[5,5,5]})"));
  EXPECT_EQ(scene.nodes[0].local.scale, 5);
  EXPECT_EQ(at(scene, 0).local.scale, 2);
  EXPECT_EQ(at(scene, .5F).local.scale, 1);
  EXPECT_EQ(at(scene, 1).local.scale, 0x1p-20F);
  EXPECT_EQ(at(scene, 1).stretch, (Vec3{1, 1, 1}));
  EXPECT_EQ(at(scene, 2).local.scale, 1);
  EXPECT_EQ(at(scene, 2).stretch, (Vec3{1, 2, 3}));
  EXPECT_EQ(at(scene, 3).stretch, (Vec3{-1, -1, -1}));
  for (int i = 0; i <= 300; ++i) {
    EXPECT_GT(at(scene, static_cast<float>(i) / 100).local.scale, 0);
  }
  ASSERT_EQ(scene.notes.size(), 1u) << "no child, so its stretch needs no note";
  EXPECT_EQ(scene.notes[0].kind, GltfNoteKind::kAnimatedZeroScale);
  EXPECT_NE(describe(scene, scene.notes[0]).find("animation 0 'swing', node 0 'ball'"), std::string::npos);
}

TEST(GltfSample, LeavesTheRestAlone) {
  const GltfScene scene =
      read(animated("scale", "STEP", {0}, {2, 2, 2}, "VEC3", R"({"translation":[1,2,3]},{"name":"b"})"));
  std::vector<LocalTransform> locals(3);
  std::vector<Vec3> stretches(1);
  locals[2].scale = 77;
  rest(scene, locals, stretches);
  locals[1].position = {9, 9, 9};
  sample(scene, scene.animations[0], 0, locals);
  EXPECT_EQ(locals[0], (LocalTransform{{0, 0, 0, 1}, {1, 2, 3}, 2}));
  EXPECT_EQ(locals[1].position, (Vec3{9, 9, 9}));
  EXPECT_EQ(locals[2].scale, 77) << "spans may be longer than the scene";
  sample(scene, scene.animations[0], 0, {}, stretches);
  const GltfScene weights = read(animated("weights", "LINEAR", {0, 1}, {1, 2, 3, 4}, "SCALAR"));
  EXPECT_EQ(at(weights, 0).local, LocalTransform{}) << "weights move no node";
}

}  // namespace
}  // namespace juxta
