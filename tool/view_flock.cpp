// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "juxta/agents/flock.h"
#include "juxta/core/try.h"
#include "tool/console.h"
#include "tool/flock.h"
#include "tool/view_near.h"
#include "tool/view_worlds.h"

namespace juxta::tool {
namespace {

/// A slider: a rule, or the square of one, as people think of it.
struct Slider {
  const char* name;
  float FlockRules::*rule;
  bool square;
  double hi;
  const char* what;
};
constexpr std::array<Slider, 7> kSliders = {{
    {"sight", &FlockRules::see_radius2, true, 1.5, "how far a boid sees"},
    {"room", &FlockRules::avoid_radius2, true, 1.5, "what is too near"},
    {"cohere", &FlockRules::cohere, false, 2, "how much it flies to the middle of those it sees"},
    {"align", &FlockRules::align, false, 1, "how much it flies with them"},
    {"avoid", &FlockRules::avoid, false, 1, "how much away from those that are too near"},
    {"slowest", &FlockRules::min_speed, false, 10, "the lowest speed"},
    {"fastest", &FlockRules::max_speed, false, 10, "the highest speed"},
}};

class FlockWorld final : public ViewedWorld {
 public:
  FlockWorld(Flock flock, const FlockView& settings, const Executor* executor)
      : flock_(std::move(flock)),
        agents_(settings.agents),
        most_(settings.most),
        seed_(settings.seed),
        executor_(executor) {}

  ViewInfo info() const override {
    const float h = flock_.options().half_size;
    const bool solid = flock_.options().dimensions == 3;
    ViewInfo info;
    info.title = "flock";
    info.dimensions = flock_.options().dimensions;
    info.lo = {-h, -h, solid ? -h : 0};
    info.hi = {h, h, solid ? h : 0};
    info.groups = {{.name = "boids",
                    .mark = ViewMark::kDart,
                    .size = 0.12F,
                    .columns = {"vx", "vy"},
                    .colour = "vx",
                    .heading = true}};
    if (solid) {
      info.groups[0].columns.push_back("vz");
    }
    for (const Slider& slider : kSliders) {
      const float value = flock_.options().rules.*slider.rule;
      info.parameters.push_back({{slider.name, slider.square ? std::sqrt(double{value}) : double{value}, 0.0,
                                  slider.hi, false, slider.what},
                                 true});
    }
    info.parameters.push_back(
        {{"agents", static_cast<double>(agents_), 1, static_cast<double>(most_), true, "how many boids"},
         false});
    info.stages = {"step"};
    info.overlays = {{"sight", ViewOverlay::Kind::kLines, "between boids that see each other"},
                     {"cells", ViewOverlay::Kind::kBoxes,
                      "cells as wide as their sight that hold any: a search looks at 3 by 3"}};
    return info;
  }
  ViewThings things(std::size_t) const override {
    ViewThings things;
    things.x = flock_.position(0);
    things.y = flock_.position(1);
    for (std::uint32_t axis = 0; axis < flock_.options().dimensions; ++axis) {
      things.heading[axis] = flock_.velocity(axis);
      things.columns.emplace_back(flock_.velocity(axis));
    }
    if (flock_.options().dimensions == 3) {
      things.z = flock_.position(2);
    }
    return things;
  }
  void overlay(std::size_t index, ViewParts& parts) const override {
    const float sight = std::sqrt(flock_.options().rules.see_radius2);
    if (index == 0) {
      near_lines(things(0), info(), flock_.options().periodic, sight, parts);
    } else {
      cells_in_use(things(0), sight, parts);
    }
  }
  std::uint64_t steps() const override { return flock_.steps(); }
  Result<void> step() override {
    const Stopwatch watch;
    auto done = flock_.step({.executor = executor_});
    ms_ = watch.seconds() * 1e3;
    return done;
  }
  std::uint64_t id_of(std::size_t, std::size_t row) const override { return flock_.numbers()[row]; }
  std::optional<std::size_t> row_of(std::size_t, std::uint64_t id) const override {
    const auto numbers = flock_.numbers();
    const auto found = std::ranges::find(numbers, id);
    return found != numbers.end() ? std::optional(static_cast<std::size_t>(found - numbers.begin()))
                                  : std::nullopt;
  }
  std::vector<double> stage_ms() const override { return {ms_}; }
  std::optional<std::uint64_t> hash() const override { return state_hash(flock_); }

  Result<void> set(std::string_view name, double value) override {
    const auto found = std::ranges::find(kSliders, name, &Slider::name);
    if (found == kSliders.end()) {
      return fail(ErrorCode::kNotFound, std::string(name) + ": no such parameter that acts at once");
    }
    if (!(value >= 0 && value <= found->hi)) {
      return fail(ErrorCode::kInvalidArgument, std::string(name) + ": it is out of its range");
    }
    FlockRules rules = flock_.options().rules;
    rules.*found->rule = static_cast<float>(found->square ? value * value : value);
    // Sliders that belong together push each other along.
    if (found->rule == &FlockRules::avoid_radius2 || found->rule == &FlockRules::max_speed) {
      rules.see_radius2 = std::max(rules.see_radius2, rules.avoid_radius2);
      rules.min_speed = std::min(rules.min_speed, rules.max_speed);
    } else {
      rules.see_radius2 = std::max(rules.see_radius2, 1e-6F);
      rules.avoid_radius2 = std::min(rules.avoid_radius2, rules.see_radius2);
      rules.max_speed = std::max(rules.max_speed, rules.min_speed);
    }
    return flock_.set_rules(rules);
  }
  Result<void> restart(std::optional<std::uint64_t> seed,
                       std::span<const std::pair<std::string, double>> parameters) override {
    std::size_t agents = agents_;
    for (const auto& [name, value] : parameters) {
      if (name != "agents" || !(value >= 1 && value <= static_cast<double>(most_))) {
        return fail(ErrorCode::kInvalidArgument, name + ": give agents, from 1 to " + std::to_string(most_));
      }
      agents = static_cast<std::size_t>(value);
    }
    const std::uint64_t from = seed.value_or(seed_);
    FlockOptions options = flock_.options();
    options.half_size = default_half_size(agents, options.dimensions == 3);
    JUXTA_TRY_LET(Flock anew, Flock::build(options));
    JUXTA_TRY(anew.scatter(agents, from));
    flock_ = std::move(anew);
    agents_ = agents;
    seed_ = from;
    return {};
  }

 private:
  Flock flock_;
  std::size_t agents_, most_;
  std::uint64_t seed_;
  const Executor* executor_;
  double ms_ = 0;
};

}  // namespace

Result<std::unique_ptr<ViewedWorld>> view_flock(const FlockView& settings, const Executor* executor) {
  FlockOptions options;
  options.dimensions = settings.solid ? 3 : 2;
  options.half_size = default_half_size(settings.agents, settings.solid);
  options.periodic = settings.periodic;
  JUXTA_TRY_LET(Flock flock, Flock::build(options));
  JUXTA_TRY(flock.scatter(settings.agents, settings.seed));
  return std::make_unique<FlockWorld>(std::move(flock), settings, executor);
}

}  // namespace juxta::tool
