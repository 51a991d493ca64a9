// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// load() on arbitrary bytes and on damaged copies of saved files, most of them with a checksum that fits
// again, as an attacker would: it loads or refuses. Whatever loads is a sound field: its values are finite,
// it diffuses, takes amounts and answers at any point, or says why not, and what it saves loads again as an
// equal one.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/damage.h"
#include "grid/field_file.h"
#include "juxta/grid/field.h"

namespace juxta::fuzz {
namespace {

const ScratchFile& scratch() {
  static const ScratchFile file("field_load_fuzz");
  return file;
}

std::string made(std::uint32_t dimensions, std::array<std::uint32_t, 3> cells, std::array<Edge, 3> edges,
                 std::uint32_t components) {
  FieldOptions options{.world = {.dimensions = dimensions, .edges = edges}, .cells = cells};
  options.components = components;
  options.world.lo = {-1, 0, 2};
  options.world.hi = {3, 10, 2.5F};
  Field field = Field::build(options).value();
  for (std::uint32_t c = 0; c < components; ++c) {
    for (float& value : field.values(c)) {
      value = static_cast<float>(&value - field.values(c).data()) - 7;
    }
  }
  return scratch().saved(field);
}

const std::string& pristine(std::size_t which) {
  constexpr auto kOpen = Edge::kOpen, kWall = Edge::kWall, kPeriodic = Edge::kPeriodic;
  static const std::vector<std::string> files{
      made(2, {1, 1, 1}, {kOpen, kOpen, kOpen}, 1), made(2, {40, 7, 1}, {kWall, kPeriodic, kOpen}, 2),
      made(2, {3, 50, 1}, {kOpen, kWall, kOpen}, 1), made(3, {18, 5, 4}, {kPeriodic, kWall, kOpen}, 3),
      made(3, {4, 1, 33}, {kWall, kOpen, kPeriodic}, 1)};
  return files[which % files.size()];
}

std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  const Part parts[] = {{0, sizeof(grid_detail::FieldFileHeader)}, {core_detail::kHeaderBytes, file.size()}};
  damage(bytes, file, parts, 64, [](std::string& damaged) { seal(damaged, grid_detail::kFieldFormat); });
  return file;
}

void check_finite(const Field& field) {
  for (std::uint32_t c = 0; c < field.options().components; ++c) {
    for (const float value : field.values(c)) {
      JUXTA_FUZZ_CHECK(std::isfinite(value));
    }
  }
}

/// An answer, or a reason.
void check_done(const Result<void>& done) {
  JUXTA_FUZZ_CHECK(done || !done.error().message.empty());
}

/// Within the world, on its ends, beyond it, or any float at all.
float coordinate(FuzzedDataProvider& bytes, float lo, float hi) {
  switch (bytes.ConsumeIntegralInRange<int>(0, 5)) {
    case 0:
      return lo;
    case 1:
      return hi;
    case 2: {
      const auto bits = bytes.ConsumeIntegral<std::uint32_t>();
      float any;
      std::memcpy(&any, &bits, sizeof any);
      return any;
    }
    case 3:
      return lo - (hi - lo) * 0.75F;
    default:
      return lo + (hi - lo) * static_cast<float>(bytes.ConsumeIntegral<std::uint8_t>()) / 256;
  }
}

struct Points {
  std::array<std::vector<float>, 3> at;
  std::vector<float> amounts;
};

Points draw_points(FuzzedDataProvider& bytes, const World& world) {
  Points points;
  const std::size_t count = bytes.ConsumeIntegralInRange<std::size_t>(0, 40);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
      points.at[axis].push_back(coordinate(bytes, world.lo[axis], world.hi[axis]));
    }
    points.amounts.push_back(coordinate(bytes, -3, 1e6F));
  }
  return points;
}

void ask(Field& field, FuzzedDataProvider& bytes, const FieldAccess& access) {
  const World& world = field.options().world;
  const Points points = draw_points(bytes, world);
  const auto& [x, y, z] = points.at;
  const Result<void> deposited = field.deposit(x, y, z, points.amounts, access);
  check_done(deposited);
  std::vector<float> out(x.size()), slope_y(x.size()), slope_z(z.size());
  const Result<void> sampled = field.sample(x, y, z, out, access);
  check_done(sampled);
  for (const float value : out) {
    JUXTA_FUZZ_CHECK(!sampled || std::isfinite(value));
  }
  check_done(field.gradient(x, y, z, out, slope_y, slope_z, access));
}

void use(Field& field, FuzzedDataProvider& bytes) {
  check_finite(field);
  const std::uint32_t components = field.options().components;
  while (bytes.remaining_bytes() > 0) {
    const std::uint32_t component =
        bytes.ConsumeIntegralInRange<std::uint32_t>(0, components);  // one too far
    switch (bytes.ConsumeIntegralInRange<int>(0, 3)) {
      case 0: {
        const float amount = static_cast<float>(bytes.ConsumeIntegralInRange<int>(0, 26)) / 100;
        const float decay = static_cast<float>(bytes.ConsumeIntegralInRange<int>(0, 11)) / 10;
        const auto steps = bytes.ConsumeIntegralInRange<std::uint32_t>(0, 12);
        check_done(
            field.diffuse({.amount = amount,
                           .decay = decay,
                           .steps = steps,
                           .component = component == components ? Diffusion::kAllComponents : component}));
        break;
      }
      case 1: {
        const auto total = field.total(component);
        JUXTA_FUZZ_CHECK(total ? std::isfinite(*total) : component == components);
        break;
      }
      case 2:
        check_done(field.fill(coordinate(bytes, -1, 1), component));
        break;
      default:
        ask(field, bytes,
            {.component = component,
             .method = bytes.ConsumeBool() ? FieldMethod::kLinear : FieldMethod::kNearest});
    }
    check_finite(field);
  }
  const std::string saved = scratch().saved(field);
  const Field again = Field::load(scratch().path().string()).value();
  JUXTA_FUZZ_CHECK(again == field && again.state_hash() == field.state_hash());
  JUXTA_FUZZ_CHECK(scratch().saved(again) == saved);
  // Not field's: a file in 2D may have -0 for what it does not use, and a saved one has 0.
  JUXTA_FUZZ_CHECK(Field::load(scratch().path().string()).value().state_hash() == again.state_hash());
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 15) == 0;
  if (arbitrary) {
    fuzz::scratch().write(bytes.ConsumeRemainingBytesAsString());
  } else {
    fuzz::scratch().write(fuzz::damaged(bytes));
  }
  auto loaded = Field::load(fuzz::scratch().path().string());
  if (!loaded) {
    JUXTA_FUZZ_CHECK(!loaded.error().message.empty());
    return 0;
  }
  fuzz::use(*loaded, bytes);
  return 0;
}
