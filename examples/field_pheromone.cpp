// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ants find each other: each leaves a scent where it is, and walks to where the scent is stronger. The scent
// spreads and fades. Within some hundred steps most of them walk in a few crowds.
#include <juxta/core/random.h>
#include <juxta/core/try.h>
#include <juxta/files/raster.h>
#include <juxta/grid/field.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kAnts = 2000;
constexpr float kSide = 100;
constexpr std::uint32_t kCells = 200;
enum Purpose : std::uint32_t { kPlaceX, kPlaceY, kTurn };

struct Colony {
  juxta::Field scent;
  std::vector<float> x, y, heading, slope_x, slope_y;
};

/// How the ants walk: a turn towards the stronger scent, and some chance.
void walk(Colony& ants, std::uint32_t step) {
  std::vector<float> chance(kAnts);
  juxta::fill_random({.seed = 1, .step = step, .purpose = kTurn}, 0, std::span<float>(chance));
  for (std::size_t i = 0; i < kAnts; ++i) {
    const float side =
        std::cos(ants.heading[i]) * ants.slope_y[i] - std::sin(ants.heading[i]) * ants.slope_x[i];
    ants.heading[i] += (side > 0 ? 0.3F : side < 0 ? -0.3F : 0) + (chance[i] - 0.5F) * 0.4F;
    ants.x[i] = std::clamp(ants.x[i] + 0.5F * std::cos(ants.heading[i]), 0.0F, kSide);
    ants.y[i] = std::clamp(ants.y[i] + 0.5F * std::sin(ants.heading[i]), 0.0F, kSide);
  }
}

juxta::Result<double> crowding(const std::string& picture) {
  juxta::FieldOptions options{.world = {.dimensions = 2, .lo = {0, 0, 0}, .hi = {kSide, kSide, 0}},
                              .cells = {kCells, kCells, 1}};
  options.world.edges = {juxta::Edge::kWall, juxta::Edge::kWall, juxta::Edge::kWall};
  JUXTA_TRY_LET(juxta::Field scent, juxta::Field::build(options));
  Colony ants{std::move(scent), {}, {}, {}, {}, {}};
  for (std::vector<float>* column : {&ants.x, &ants.y, &ants.heading, &ants.slope_x, &ants.slope_y}) {
    column->resize(kAnts);
  }
  juxta::fill_random({.seed = 1, .step = 0, .purpose = kPlaceX}, 0, std::span<float>(ants.x));
  juxta::fill_random({.seed = 1, .step = 0, .purpose = kPlaceY}, 0, std::span<float>(ants.y));
  for (std::size_t i = 0; i < kAnts; ++i) {
    ants.heading[i] = 1000 * ants.x[i];
    ants.x[i] *= kSide;
    ants.y[i] *= kSide;
  }
  const std::vector<float> one_each(1, 1.0F);
  for (std::uint32_t step = 0; step < 300; ++step) {
    JUXTA_TRY(ants.scent.deposit(ants.x, ants.y, {}, one_each));
    JUXTA_TRY(ants.scent.diffuse({.amount = 0.2F, .decay = 0.02F, .steps = 4}));
    JUXTA_TRY(ants.scent.gradient(ants.x, ants.y, {}, ants.slope_x, ants.slope_y, {}));
    walk(ants, step);
  }

  std::vector<float> at_ants(kAnts);
  JUXTA_TRY(ants.scent.sample(ants.x, ants.y, {}, at_ants));
  JUXTA_TRY_LET(const double total, ants.scent.total());
  double sum = 0;
  for (const float scent_here : at_ants) {
    sum += static_cast<double>(scent_here);
  }
  juxta::Raster image(2 * kCells, 2 * kCells);
  const auto values = ants.scent.values();
  for (std::uint32_t i = 0; i < kCells * kCells; ++i) {
    const double x = i % kCells * 2.0, y = i / kCells * 2.0;
    image.rect(x, y, x + 2, y + 2, juxta::colour_of(std::log1p(static_cast<double>(values[i])) / 4));
  }
  if (!picture.empty()) {
    JUXTA_TRY(juxta::write_png(picture, image));
  }
  return sum / kAnts / (total / (kCells * kCells));
}

}  // namespace

int main(int argc, char** argv) {
  const auto times = crowding(argc > 1 ? argv[1] : "");
  if (!times) {
    std::fprintf(stderr, "%s\n", times.error().message.c_str());
    return 1;
  }
  std::printf("where the ants are, the scent is %.1f times as strong as on average\n", *times);
  return *times > 2 ? 0 : 1;
}
