// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two groups live on a grid, one agent a cell. In every step each agent once, in a random order,
// counts those of its own group near it; with too few it moves to a free cell, any as likely as another.
//
// The rules are those of the field's comparison of frameworks (docs/sources.md), after Thomas Schelling,
// "Dynamic models of segregation" (1971). Schelling's own agents ask for a share of their neighbours instead
// of a number, and move to the nearest place that suits them. The comparison's text says that an agent that
// was happy once does nothing any more; its code for Agents.jl, MASON and Mesa asks every agent in every
// step, and so do we.
//
//   . 1 2 2 1 .     A table for each group: how many of it are within the radius of a cell. An agent that
//   moves . 2 3 3 1 .     takes 1 from 2r+1 rows of it and adds 1 to 2r+1 others, sixteen bytes at once. An
//   agent . 1 2 2 1 .     that looks reads one byte: 160,000 looks and 7,032 moves in the large preset's 20
//   steps.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "juxta/core/random.h"
#include "models/models.h"

namespace juxta::models {
namespace {

enum Purpose : std::uint32_t { kPlace, kOrder, kMove };  // what random numbers are for
constexpr std::uint64_t kRounds = 256;                   // of four cells each, before all are looked at
constexpr double kMostRadius = 7;  // 15 cells a row of a neighbourhood, 225 in all: they fit a byte

class Schelling final : public Model {
 public:
  Schelling(const Parameters& p, Simulation& simulation, Population& agents)
      : size_(static_cast<std::uint32_t>(p.count("size"))),
        radius_(static_cast<std::uint32_t>(p.count("radius"))),
        happy_(static_cast<std::uint32_t>(p.count("happy"))),
        stride_(size_ + 2 * radius_),
        table_(stride_ * stride_),
        simulation_(simulation),
        agents_(agents),
        group_(agents.find_column<std::uint8_t>("group").value_or(Column<std::uint8_t>{})),
        moves_(agents.find_column<std::uint32_t>("moves").value_or(Column<std::uint32_t>{})),
        order_(agents.size()),
        at_(agents.size()),
        alike_(std::size_t{2} * table_ + near_.size()),
        taken_(std::size_t{size_} * size_) {
    std::fill_n(near_.begin(), 2 * radius_ + 1, std::uint8_t{255});
  }

  /// Fills the tables from the columns; false: they are not a state of this size.
  [[nodiscard]] bool settle() {
    const auto x = agents_.read(agents_.position(0)), y = agents_.read(agents_.position(1));
    const auto group = agents_.read(group_);
    const auto end = static_cast<float>(size_);
    bool fits = group_.index != group_.kNone && moves_.index != moves_.kNone;
    for (std::uint32_t row = 0; fits && row < x.size(); ++row) {
      fits = x[row] >= 0 && x[row] < end && y[row] >= 0 && y[row] < end && group[row] < 2 &&
             taken_[cell_of(x[row], y[row])] == 0;
      if (fits) {
        settle(row, cell_of(x[row], y[row]), group[row]);
      }
    }
    return fits && x.size() < taken_.size();
  }

  Result<void> step(const Context&) override {
    x_ = agents_.write(agents_.position(0));
    y_ = agents_.write(agents_.position(1));
    moved_ = agents_.write(moves_);
    random_order(simulation_.key(kOrder), order_);
    for (const std::uint32_t row : order_) {
      if (alike_[at_[row]] <= happy_) {  // the agent itself is counted
        move(row);
      }
    }
    return simulation_.end_step().map([](auto) {});
  }

  void declare(Collector& collector) const override {
    collector.add("happy", [this] {
      const auto happy = std::ranges::count_if(at_, [&](auto at) { return alike_[at] > happy_; });
      return at_.empty() ? 0 : static_cast<double>(happy) / static_cast<double>(at_.size());
    });
    collector.add("moves", [this] {
      double moves = 0;
      for (const std::uint32_t each : agents_.read(moves_)) {
        moves += each;
      }
      return moves;
    });
    collector.add("segregation", [this] { return segregation(); });
  }

  void draw(Raster& image) const override {
    image.show({0, 0, static_cast<double>(size_), static_cast<double>(size_)});
    const auto x = agents_.read(agents_.position(0)), y = agents_.read(agents_.position(1));
    for (std::size_t row = 0; row < x.size(); ++row) {
      const double left = static_cast<double>(x[row]), low = static_cast<double>(y[row]);
      image.rect(left, low, left + 1, low + 1, at_[row] < table_ ? Rgb{38, 98, 166} : Rgb{230, 159, 0});
    }
  }

 private:
  [[nodiscard]] std::uint32_t cell_of(float x, float y) const {
    return static_cast<std::uint32_t>(y) * size_ + static_cast<std::uint32_t>(x);
  }

  /// Adds 1, or 255 to take 1 away, to its group's counts around an agent.
  void count(std::uint32_t row, std::uint8_t change) {
    std::uint8_t* to = alike_.data() + at_[row] - std::size_t{radius_} * stride_ - radius_;
    const auto near = near_;
    for (std::uint32_t line = 0; line <= 2 * radius_; ++line, to += stride_) {
      std::array<std::uint8_t, 16> sixteen;
      std::memcpy(sixteen.data(), to, 16);
      for (std::size_t i = 0; i < 16; ++i) {
        sixteen[i] = static_cast<std::uint8_t>(sixteen[i] + (near[i] & change));
      }
      std::memcpy(to, sixteen.data(), 16);
    }
  }

  void settle(std::uint32_t row, std::uint32_t cell, std::uint32_t group) {
    taken_[cell] = 1;
    at_[row] = group * table_ + (cell / size_ + radius_) * stride_ + cell % size_ + radius_;
    count(row, 1);
  }

  void move(std::uint32_t row) {
    const std::uint32_t to = free_cell(row);
    count(row, 255);
    taken_[cell_of(x_[row], y_[row])] = 0;
    settle(row, to, at_[row] < table_ ? 0 : 1);
    const std::uint32_t x = to % size_, y = to / size_;
    x_[row] = static_cast<float>(x);
    y_[row] = static_cast<float>(y);
    ++moved_[row];
  }

  /// By drawing cells; when a thousand were taken, the lot falls on one of those that a look at all finds
  /// free.
  [[nodiscard]] std::uint32_t free_cell(std::uint32_t row) const {
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      for (const std::uint32_t word : random_block(simulation_.key(kMove), round << 32 | row)) {
        const auto cell = static_cast<std::uint32_t>(word * taken_.size() >> 32);
        if (taken_[cell] == 0) {
          return cell;
        }
      }
    }
    const std::uint64_t word = random_u32(simulation_.key(kMove), kRounds << 32 | row);
    std::uint64_t left = word * (taken_.size() - at_.size()) >> 32;
    std::uint32_t cell = 0;
    for (; taken_[cell] != 0 || left != 0; ++cell) {
      left -= taken_[cell] == 0 ? 1 : 0;
    }
    return cell;
  }

  /// The mean share of their own group among their neighbours, of those who have any.
  [[nodiscard]] double segregation() const {
    double sum = 0, agents = 0;
    for (const std::uint32_t at : at_) {
      const int alike = alike_[at] - 1, others = alike_[at < table_ ? at + table_ : at - table_];
      sum += alike > 0 ? static_cast<double>(alike) / (alike + others) : 0;
      agents += alike + others > 0 ? 1 : 0;
    }
    return agents > 0 ? sum / agents : 0;
  }

  std::uint32_t size_, radius_, happy_, stride_, table_;
  Simulation& simulation_;
  Population& agents_;
  Column<std::uint8_t> group_;
  Column<std::uint32_t> moves_;
  std::span<float> x_, y_;                 // during a step
  std::span<std::uint32_t> moved_;         // the same
  std::array<std::uint8_t, 16> near_{};    // a row of a neighbourhood
  std::vector<std::uint32_t> order_, at_;  // at_: where in alike_ an agent looks
  std::vector<std::uint8_t> alike_, taken_;
};

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const std::size_t size = p.count("size"), count = p.count("agents");
  if (count >= size * size) {
    return fail(ErrorCode::kInvalidArgument, "more agents than cells: \"agents\" must be below size * size");
  }
  const auto edge = static_cast<float>(size);
  auto simulation = Simulation::build(
      {.dimensions = 2, .edges = {Edge::kWall, Edge::kWall}, .lo = {0, 0}, .hi = {edge, edge}}, seed);
  Population& agents = **simulation->add_population("agents");
  const auto group = *agents.add_column<std::uint8_t>("group");
  static_cast<void>(agents.add_column<std::uint32_t>("moves"));
  std::vector<std::uint32_t> cells(size * size);
  random_order(simulation->key(kPlace), cells);
  return agents.insert(count).map([&](std::uint32_t) {
    for (std::size_t row = 0; row < count; ++row) {
      const std::size_t x = cells[row] % size, y = cells[row] / size;
      agents.write(agents.position(0))[row] = static_cast<float>(x);
      agents.write(agents.position(1))[row] = static_cast<float>(y);
      agents.write(group)[row] = row < count / 2 ? 0 : 1;
    }
    return std::move(*simulation);
  });
}

Result<Owned<Model>> open(const Parameters& p, Simulation& simulation) {
  Population* const agents = simulation.find_population("agents");
  auto* const model = agents == nullptr ? nullptr : new Schelling(p, simulation, *agents);
  Owned<Model> owned(model);
  if (model == nullptr || !model->settle()) {
    return fail(ErrorCode::kNotFound,
                "no \"agents\" of two groups, each in a cell of its own: not a state of "
                "this model with this size");
  }
  return owned;
}

}  // namespace

ModelInfo schelling() {
  return {.name = "schelling",
          .what = "who has too few of its own group near moves to a free cell",
          .parameters = {{"size", 40, 1, 4096, true, "cells along an edge"},
                         {"agents", 1000, 0, 16e6, true, "half of them of each group"},
                         {"radius", 1, 1, kMostRadius, true, "how far an agent looks, along each axis", true},
                         {"happy", 3, 0, 224, true, "so many of its own group near are enough", true}},
          .presets = {{"small", {{"size", 40}, {"agents", 1000}, {"radius", 1}, {"happy", 3}}},
                      {"large", {{"size", 100}, {"agents", 8000}, {"radius", 2}, {"happy", 8}}}},
          .steps = 20,
          .begin = begin,
          .open = open,
          .one_machine = "those who move choose one after the other"};
}

}  // namespace juxta::models
