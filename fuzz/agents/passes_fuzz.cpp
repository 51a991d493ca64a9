// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Random worlds, crowds, arrangements and radii; moves, births and deaths between passes; each pass and each
// list of neighbours against all pairs.
#include <algorithm>
#include <array>

#include "agents/crowds.h"
#include "agents/list_oracle.h"
#include "agents/pass_check.h"
#include "fuzz/agents/crowd_draw.h"
#include "fuzz/check.h"
#include "juxta/core/isa.h"

namespace juxta::fuzz {
namespace {

float draw_radius(CrowdDraw& draw) {
  constexpr std::array<float, 8> kRadii{1, 0.5F, 0.01F, 2.3F, 5.5F, 8, 9.7F, 64};
  const float radius = kRadii[draw.below(kRadii.size())];
  return draw.below(2) == 0 ? radius : radius * (0.5F + test::draw_unit(draw));
}

class Passes {
 public:
  explicit Passes(CrowdDraw& draw)
      : draw_(draw),
        world_(draw_world(draw)),
        radius_(draw_radius(draw)),
        simulation_(Simulation::build(world_).value()) {
    const auto& isas = available_isas();
    JUXTA_FUZZ_CHECK(force_isa(isas[draw.below(isas.size())]).has_value());
    arrangement_ = static_cast<Arrangement>(draw.below(6));
    skin_ = draw.below(3) == 0 ? radius_ * test::draw_unit(draw) : 0;
    for (const std::string_view name : {"first", "second"}) {
      const auto crowding = test::kCrowdings[draw.below(test::kCrowdings.size())];
      // Mostly few, so that many worlds are tried.
      const std::size_t count = draw.below(16) == 0 ? draw.below(500) : draw.below(50);
      test::Crowd crowd = test::draw_crowd(draw, world_, crowding, count, radius_);
      if (draw.below(3) == 0) {
        test::draw_extents(draw, world_, crowd);
      }
      test::draw_radii(draw, radius_, crowd);
      Population& population = *simulation_.add_population(name).value();
      test::fill(population, crowd, draw);
      const std::uint32_t every = 1 + draw.below(100);
      for (std::uint8_t& mark : population.write(population.add_column<std::uint8_t>("mark").value())) {
        mark = draw.below(every) == 0 ? 1 : 0;
      }
    }
  }

  void run() {
    for (std::uint32_t round = 1 + draw_.below(4); round > 0; --round) {
      if (!sort()) {
        return;
      }
      for (std::uint32_t pass = 1 + draw_.below(3); pass > 0; --pass) {
        draw_.below(3) == 0 ? list() : see();
      }
      change();
    }
  }

 private:
  static World draw_world(CrowdDraw& draw) {
    const std::uint32_t dimensions = 2 + draw.below(2);
    return test::make_world(dimensions, draw.below(test::world_count(dimensions)));
  }
  /// False when a table of cells was refused: another radius would be needed.
  bool sort() {
    for (std::size_t i = 0; i < 2; ++i) {
      SortOptions options;
      options.radius = radius_;
      options.skin = skin_;
      options.arrangement = arrangement_;
      const auto done = simulation_.population(i).sort(options);
      if (!done) {
        const bool table = arrangement_ == Arrangement::kRows || arrangement_ == Arrangement::kMorton ||
                           arrangement_ == Arrangement::kHilbert;
        JUXTA_FUZZ_CHECK(table && done.error().code == ErrorCode::kInvalidArgument);
        return false;
      }
      JUXTA_FUZZ_CHECK(simulation_.population(i).sorted());
    }
    return true;
  }
  void see() {
    Population& seers = simulation_.population(draw_.below(2));
    const Population& seen = simulation_.population(draw_.below(2));
    SeeOptions options;
    options.metric = draw_.below(2) == 0 ? Metric::kBall : Metric::kBox;
    float radius = draw_.below(2) == 0 ? radius_ : draw_radius(draw_);
    if (draw_.below(3) == 0) {
      options.radii = test::column(seers, "sight");
      radius = radius_ > radius ? radius_ : radius;
    }
    if (draw_.below(3) == 0) {
      options.among = seen.find_column<std::uint8_t>("mark").value();
    }
    expect_nothing(test::compare_pass(seers, seen, radius, options));
  }
  void list() {
    const Population& seers = simulation_.population(draw_.below(2));
    const Population& seen = simulation_.population(draw_.below(2));
    NeighbourListOptions options;
    options.metric = draw_.below(2) == 0 ? Metric::kBall : Metric::kBox;
    options.nearest_images = true;  // as the oracle does
    options.half = &seers == &seen && draw_.below(2) == 0;
    const test::ListBook right = test::list_by_hand(seers, seen, radius_, options);
    test::ListBook found;
    const std::size_t size = draw_.below(2) == 0 ? right.rows.size() : draw_.below(right.rows.size() + 1);
    found.offsets.resize(seers.size() + 1);
    found.rows.resize(size);
    found.displacement.resize(size * world_.dimensions);
    const auto done = neighbour_lists(seers, seen, radius_, found.offsets,
                                      {.rows = found.rows, .displacement = found.displacement}, options);
    JUXTA_FUZZ_CHECK(done.has_value() && done->found == right.rows.size() && done->written == size);
    JUXTA_FUZZ_CHECK(found.offsets == right.offsets);
    JUXTA_FUZZ_CHECK(std::equal(found.rows.begin(), found.rows.end(), right.rows.begin()));
    JUXTA_FUZZ_CHECK(
        std::equal(found.displacement.begin(), found.displacement.end(), right.displacement.begin()));
  }
  void change() {
    for (std::size_t i = 0; i < 2; ++i) {
      Population& population = simulation_.population(i);
      const std::uint32_t kind = draw_.below(4);
      for (std::uint32_t axis = 0; axis < world_.dimensions && kind != 0; ++axis) {
        const float most = kind == 1 ? radius_ * 0.1F : radius_;
        for (float& at : population.write(population.position(axis))) {
          at += (test::draw_unit(draw_) - 0.5F) * most;
          at = world_.edges[axis] == Edge::kWall ? std::min(std::max(at, world_.lo[axis]), world_.hi[axis])
                                                 : at;
        }
      }
      for (std::uint32_t n = draw_.below(4); n > 0 && population.size() > 0; --n) {
        const std::uint32_t row = draw_.below(population.size());
        draw_.below(2) == 0 ? population.changes().kill(row)
                            : static_cast<void>(population.changes().spawn_like(row));
      }
    }
    JUXTA_FUZZ_CHECK(simulation_.end_step().has_value());
  }

  CrowdDraw& draw_;
  World world_;
  float radius_;
  Simulation simulation_;
  Arrangement arrangement_ = Arrangement::kAuto;
  float skin_ = 0;
};

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  juxta::fuzz::CrowdDraw draw(data, size);
  juxta::fuzz::Passes(draw).run();
  return 0;
}
