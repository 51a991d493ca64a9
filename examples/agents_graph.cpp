// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A graph laid out in the plane: people push each other away when they are near, friendships pull them
// together. Nodes are agents. Edges are agents of another kind, each with two references to nodes: nodes move
// in memory at every sort(), edges do not have to know. People came in circles of friends; the drawing must
// find them, though it is told of friendships alone.
//
// The rules are those of T. Fruchterman and E. Reingold, "Graph drawing by force-directed placement" (1991):
// nodes near each other push by length^2 / d, edges pull by d^2 / length, and nobody moves further than the
// graph is warm, which cools down.
#include <juxta/agents/act.h>
#include <juxta/agents/nearest.h>
#include <juxta/agents/see.h>
#include <juxta/agents/simulation.h>
#include <juxta/core/random.h>
#include <juxta/core/try.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "agents_graph_rules.h"

namespace {

using juxta::Population;
using juxta::Result;

constexpr std::uint32_t kCircles = 8, kCircleSize = 40, kPeople = kCircles * kCircleSize;
constexpr std::uint32_t kFriends = 4;                    // that each makes in the own circle
constexpr float kSheet = 100, kLength = 3, kReach = 18;  // of a push: further away it is not felt
constexpr int kSteps = 500;
/// What random numbers are for.
enum Purpose : std::uint32_t { kX, kY, kFriend, kStranger };

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-56s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

class Drawing {
 public:
  explicit Drawing(juxta::Simulation& simulation) : simulation_(simulation) {}

  /// People anywhere, and who knows whom.
  Result<void> fill() {
    auto people = simulation_.add_population("people"), edges = simulation_.add_population("friendships");
    if (!people || !edges) {
      return tl::unexpected<juxta::Error>(!people ? people.error() : edges.error());
    }
    people_ = *people;
    edges_ = *edges;
    auto results = people_->add_results({"push_x", "push_y", "pull_x", "pull_y"});
    const auto circle = people_->add_column<std::uint32_t>("circle");
    const auto from = edges_->add_references("from", *people_), to = edges_->add_references("to", *people_);
    const auto first = people_->insert(kPeople);
    const auto first_edge = edges_->insert(kPeople * kFriends + kCircles);
    if (!results || !circle || !from || !to || !first || !first_edge) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument, "a column or an agent was refused");
    }
    circle_ = *circle;
    from_ = *from;
    to_ = *to;
    const auto x = people_->write(people_->position(0)), y = people_->write(people_->position(1));
    const auto circles = people_->write(circle_);
    for (std::uint32_t i = 0; i < kPeople; ++i) {
      x[i] = kSheet * juxta::random_float({1, 0, kX}, i);
      y[i] = kSheet * juxta::random_float({1, 0, kY}, i);
      circles[i] = i / kCircleSize;
    }
    befriend();
    return {};
  }

  Result<void> step(float warmth) {
    JUXTA_TRY(people_->sort({.radius = kReach}));
    JUXTA_TRY(juxta::see(*people_, *people_, kReach, graph::Push{kLength}));
    pull();
    JUXTA_TRY(juxta::act(*people_, graph::Move{warmth, kSheet}));
    return simulation_.end_step().map([](auto) {});
  }

  /// How long edges are, on average.
  [[nodiscard]] float edge_length() const {
    float sum = 0;
    for_each_edge(
        [&](std::uint32_t, std::uint32_t, float dx, float dy) { sum += std::sqrt(dx * dx + dy * dy); });
    return sum / static_cast<float>(edges_->size());
  }

  /// Which part of everybody's `k` nearest are of the own circle.
  Result<float> own_circle_nearby(std::uint32_t k) {
    std::vector<std::uint32_t> rows(people_->size() * k), counts(people_->size());
    std::vector<float> distance2(rows.size());
    JUXTA_TRY(people_->sort({.radius = kSheet}));
    JUXTA_TRY(juxta::nearest(*people_, *people_, k, kSheet, rows, distance2, counts));
    const auto circles = people_->read(circle_);
    std::size_t own = 0, all = 0;
    for (std::size_t who = 0; who < circles.size(); ++who) {
      for (std::size_t i = 0; i < counts[who]; ++i) {
        own += circles[rows[who * k + i]] == circles[who] ? 1 : 0;
        ++all;
      }
    }
    return static_cast<float>(own) / static_cast<float>(std::max<std::size_t>(all, 1));
  }

  /// People of one circle leave; how many references of edges that set to Id{}. The edges then go as well.
  Result<std::size_t> leave(std::uint32_t circle) {
    const auto circles = people_->read(circle_);
    for (std::uint32_t row = 0; row < circles.size(); ++row) {
      if (circles[row] == circle) {
        people_->changes().kill(row);
      }
    }
    JUXTA_TRY_LET(const auto ended, simulation_.end_step());
    const std::size_t nulled = (ended)[1].nulled;  // 1: of the second population
    const auto from = edges_->read(from_), to = edges_->read(to_);
    for (std::uint32_t edge = 0; edge < edges_->size(); ++edge) {
      if (from[edge] == juxta::Id{} || to[edge] == juxta::Id{}) {
        edges_->changes().kill(edge);
      }
    }
    return simulation_.end_step().map([&](auto) { return nulled; });
  }

  [[nodiscard]] std::size_t people() const { return people_->size(); }
  [[nodiscard]] std::size_t edges() const { return edges_->size(); }

 private:
  /// Everybody makes some friends in the own circle, and one of each circle a friend in the next.
  void befriend() {
    const auto from = edges_->write(from_), to = edges_->write(to_);
    std::size_t edge = 0;
    const auto add = [&](std::uint32_t a, std::uint32_t b) {
      from[edge] = people_->id_of(a);
      to[edge] = people_->id_of(b);
      ++edge;
    };
    for (std::uint32_t i = 0; i < kPeople; ++i) {
      for (std::uint32_t k = 0; k < kFriends; ++k) {
        // Anybody of the circle but oneself.
        const std::uint32_t step = 1 + juxta::random_u32({1, k, kFriend}, i) % (kCircleSize - 1);
        add(i, i / kCircleSize * kCircleSize + (i + step) % kCircleSize);
      }
    }
    for (std::uint32_t circle = 0; circle < kCircles; ++circle) {
      const std::uint32_t stranger = juxta::random_u32({1, 0, kStranger}, circle) % kCircleSize;
      add(circle * kCircleSize, (circle + 1) % kCircles * kCircleSize + stranger);
    }
  }

  /// f(row of one end, row of the other, dx, dy) for all edges.
  template <class F>
  void for_each_edge(const F& f) const {
    std::vector<std::uint32_t> from(edges_->size()), to(edges_->size());
    people_->rows_of(edges_->read(from_), from);
    people_->rows_of(edges_->read(to_), to);
    const auto x = people_->read(people_->position(0)), y = people_->read(people_->position(1));
    for (std::size_t edge = 0; edge < from.size(); ++edge) {
      f(from[edge], to[edge], x[to[edge]] - x[from[edge]], y[to[edge]] - y[from[edge]]);
    }
  }

  void pull() {
    const auto pull_x = people_->write(*people_->find_column<float>("pull_x"));
    const auto pull_y = people_->write(*people_->find_column<float>("pull_y"));
    std::ranges::fill(pull_x, 0.0F);
    std::ranges::fill(pull_y, 0.0F);
    for_each_edge([&](std::uint32_t from, std::uint32_t to, float dx, float dy) {
      const float strength = std::sqrt(dx * dx + dy * dy) / kLength;  // of d: d^2 / length in all
      pull_x[from] += dx * strength;
      pull_y[from] += dy * strength;
      pull_x[to] -= dx * strength;
      pull_y[to] -= dy * strength;
    });
  }

  juxta::Simulation& simulation_;
  Population *people_ = nullptr, *edges_ = nullptr;
  juxta::Column<std::uint32_t> circle_;
  juxta::Column<juxta::Id> from_, to_;
};

int complain(const juxta::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  using juxta::Edge;
  auto simulation = juxta::Simulation::build(
      {.dimensions = 2, .edges = {Edge::kWall, Edge::kWall}, .hi = {kSheet, kSheet}}, 1);
  if (!simulation) {
    return complain(simulation.error());
  }
  Drawing drawing(*simulation);
  auto done = drawing.fill();
  if (!done) {
    return complain(done.error());
  }
  const float length_before = drawing.edge_length();
  const auto near_before = drawing.own_circle_nearby(5);
  for (int i = 0; i < kSteps && done; ++i) {
    done = drawing.step(0.1F * kSheet * (1 - static_cast<float>(i) / kSteps));
  }
  const auto near_after = drawing.own_circle_nearby(5);
  if (!done || !near_before || !near_after) {
    return complain(!done ? done.error() : !near_before ? near_before.error() : near_after.error());
  }
  std::printf(
      "%zu people, %zu friendships: an edge is %.1f long, not %.1f; of the five nearest %.0f %% are of the "
      "own circle, not %.0f %%\n",
      drawing.people(), drawing.edges(), static_cast<double>(drawing.edge_length()),
      static_cast<double>(length_before), 100 * static_cast<double>(*near_after),
      100 * static_cast<double>(*near_before));
  check("people began anywhere", *near_before < 0.25F);
  check("friends are near each other", drawing.edge_length() < 0.3F * length_before);
  check("the drawing shows the circles", *near_after > 0.9F);

  const std::size_t edges = drawing.edges();
  const auto nulled = drawing.leave(3);
  if (!nulled) {
    return complain(nulled.error());
  }
  // Both ends of each friendship within the circle, and one end of the two that lead there and away.
  check("a circle that leaves takes its friendships along",
        *nulled == 2 * kCircleSize * kFriends + 2 && edges - drawing.edges() == kCircleSize * kFriends + 2);
  check("and no others", drawing.people() == kPeople - kCircleSize);
  return all_well ? 0 : 1;
}
