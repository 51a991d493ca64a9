// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Populations from plain crowds, and passes over them against the oracle: what differs comes back as words,
// and none are good. Shared with fuzz/agents.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "agents/oracle.h"
#include "agents/rules.h"
#include "juxta/agents/see.h"
#include "juxta/agents/simulation.h"

namespace juxta::test {

/// What a test cannot go on without.
inline void must(const Result<void>& done) {
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().message.c_str());
    std::abort();
  }
}
inline Column<float> column(const Population& population, std::string_view name) {
  return population.find_column<float>(name).value();
}
inline std::vector<float> values(const Population& population, std::string_view name) {
  const auto all = population.read(column(population, name));
  return {all.begin(), all.end()};
}

/// Gives a population the agents of `crowd`, and all columns that rules.h asks for. "number" is the place in
/// `crowd`; "mass" and "tag" are small whole numbers.
template <class Draw>
void fill(Population& population, const Crowd& crowd, Draw& draw) {
  const std::uint32_t dimensions = population.world().dimensions;
  must(population.add_columns({"mass",   "tag",     "number",  "sight",   "count",    "masses", "tags",
                               "inner",  "heavier", "nearest", "first",   "farthest", "last",   "left",
                               "push_x", "push_y",  "push_z",  "lengths", "vx",       "vy"}));
  if (!crowd.extents[0].empty()) {
    must(population.add_extents());
  }
  static_cast<void>(population.insert(crowd.size()).value());
  constexpr std::array<std::string_view, 3> kExtents{"ex", "ey", "ez"};
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    std::copy(crowd.position[axis].begin(), crowd.position[axis].end(),
              population.write(population.position(axis)).begin());
    if (!crowd.extents[axis].empty()) {
      std::copy(crowd.extents[axis].begin(), crowd.extents[axis].end(),
                population.write(column(population, kExtents[axis])).begin());
    }
  }
  const auto mass = population.write(column(population, "mass")),
             tag = population.write(column(population, "tag")),
             number = population.write(column(population, "number")),
             sight = population.write(column(population, "sight"));
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    mass[i] = static_cast<float>(draw.below(2048));
    tag[i] = static_cast<float>(draw.below(1024));
    number[i] = static_cast<float>(i);
    sight[i] = crowd.radii.empty() ? 0.0F : crowd.radii[i];
  }
}

/// Row by row, as the population stands now.
inline Crowd crowd_of(const Population& population, bool radii) {
  Crowd crowd;
  constexpr std::array<std::string_view, 3> kPosition{"x", "y", "z"}, kExtents{"ex", "ey", "ez"};
  for (std::uint32_t axis = 0; axis < population.world().dimensions; ++axis) {
    crowd.position[axis] = values(population, kPosition[axis]);
    if (population.has_extents()) {
      crowd.extents[axis] = values(population, kExtents[axis]);
    }
  }
  if (radii) {
    crowd.radii = values(population, "sight");
  }
  return crowd;
}

/// Those that a pass sees.
inline Crowd seen_of(const Population& population, const SeeOptions& options) {
  Crowd crowd = crowd_of(population, false);
  if (options.among.index != Column<std::uint8_t>::kNone) {
    const auto marks = population.read(options.among);
    crowd.marks.assign(marks.begin(), marks.end());
  }
  return crowd;
}

/// After sort(): everybody is there once, and stands where `before` has it, or its image inside.
inline std::string compare_sorted(const Population& population, const Crowd& before) {
  const World& world = population.world();
  const Crowd now = crowd_of(population, false);
  const auto number = values(population, "number");
  std::vector<bool> met(before.size());
  if (number.size() != before.size()) {
    return "sort: agents came or went";
  }
  for (std::size_t row = 0; row < number.size(); ++row) {
    const auto i = static_cast<std::size_t>(number[row]);
    if (met[i]) {
      return "sort: twice there: agent " + std::to_string(i);
    }
    met[i] = true;
    for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
      const float old = before.position[axis][i], at = now.position[axis][row];
      if (world.edges[axis] != Edge::kPeriodic) {
        if (at != old) {
          return "sort: agent " + std::to_string(i) + " is elsewhere";
        }
        continue;
      }
      const double period = static_cast<double>(world.hi[axis]) - static_cast<double>(world.lo[axis]);
      const double slack = 1e-5 + 1e-6 * std::abs(static_cast<double>(old)) / period;
      const double periods = (static_cast<double>(at) - static_cast<double>(old)) / period;
      if (!(at >= world.lo[axis] && at < world.hi[axis]) || std::abs(periods - std::round(periods)) > slack) {
        return "sort: agent " + std::to_string(i) + " went from " + std::to_string(old) + " to " +
               std::to_string(at);
      }
      if (old >= world.lo[axis] && old < world.hi[axis] && at != old) {
        return "sort: agent " + std::to_string(i) + " was moved without need";
      }
    }
  }
  return {};
}

/// What a census of one agent should be.
struct Counted {
  float count = 0, masses = 0, tags = 0, inner = 0, heavier = 0;
  float nearest = std::numeric_limits<float>::infinity(), first = nearest;
  float farthest = -nearest, last = farthest, left = farthest;
};

struct Seen {
  std::vector<float> mass, tag, number;
};

inline Counted count_by_hand(const World& world, const SeeOptions& options, const Crowd& seers, std::size_t a,
                             const Crowd& seen, const Seen& marks, bool same, float radius, float own_mass,
                             float inner2) {
  Counted c;
  for_each_seen(world, options.metric, seers, a, seen, same, radius, [&](std::size_t b, const Sight& sight) {
    c.count += 1;
    c.masses += marks.mass[b];
    c.tags += marks.tag[b];
    c.inner += sight.distance2 <= inner2 ? 1.0F : 0.0F;
    c.heavier += marks.mass[b] > own_mass ? 1.0F : 0.0F;
    c.nearest = std::min(c.nearest, sight.distance2);
    c.first = std::min(c.first, marks.number[b]);
    c.farthest = std::max(c.farthest, sight.distance2);
    c.last = marks.mass[b] <= own_mass ? std::max(c.last, marks.number[b]) : c.last;
    c.left = std::max(c.left, -sight.d[0]);
  });
  return c;
}

/// Exactly the neighbours of the oracle, for each seer.
inline std::string compare_census(Population& seers, const Population& seen, float radius,
                                  const SeeOptions& options) {
  const float inner2 = radius * radius * 0.25F;
  const auto done = see(seers, seen, radius, Census{inner2}, options);
  if (!done) {
    return "see: " + done.error().message;
  }
  const bool same = &seers == &seen, radii = options.radii.index != Column<float>::kNone;
  const Crowd a = crowd_of(seers, radii), b = seen_of(seen, options);
  const Seen marks{values(seen, "mass"), values(seen, "tag"), values(seen, "number")};
  const auto mass = values(seers, "mass");
  constexpr std::array<std::string_view, 10> kNames{"count",   "masses", "tags",     "inner", "heavier",
                                                    "nearest", "first",  "farthest", "last",  "left"};
  std::array<std::vector<float>, kNames.size()> found;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    found[i] = values(seers, kNames[i]);
  }
  float pairs = 0;
  for (std::size_t row = 0; row < a.size(); ++row) {
    const Counted c =
        count_by_hand(seers.world(), options, a, row, b, marks, same, radius, mass[row], inner2);
    const std::array<float, kNames.size()> right{c.count,   c.masses, c.tags,     c.inner, c.heavier,
                                                 c.nearest, c.first,  c.farthest, c.last,  c.left};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (found[i][row] != right[i]) {
        return "row " + std::to_string(row) + " of " + std::to_string(a.size()) + ": " +
               std::string(kNames[i]) + " is " + std::to_string(found[i][row]) + ", not " +
               std::to_string(right[i]) + ", of " + std::to_string(c.count) + " seen";
      }
    }
    pairs += c.count;
  }
  return static_cast<float>(done->tested) < pairs ? "fewer pairs were tested than are near" : "";
}

/// What one agent is pushed by, by the rules for single floats: neighbours one by one, in the order of rows.
inline std::array<float, 4> push_by_rows(const World& world, const SeeOptions& options, const Crowd& seers,
                                         std::size_t a, const Crowd& seen, const std::vector<float>& mass,
                                         bool same, float radius, const Push& rules) {
  Push::Found<float> found{{0, true}, {0, true}, {0, true}, {0, true}};
  for_each_seen(world, options.metric, seers, a, seen, same, radius, [&](std::size_t b, const Sight& sight) {
    const Neighbour<float> pair{sight.d[0], sight.d[1], sight.d[2], sight.distance2};
    rules(pair, Push::Seer<float>{}, Push::Seen<float>{mass[b]}, found);
  });
  return {found.push_x.total, found.push_y.total, found.push_z.total, found.lengths.total};
}

/// Forces to the last bit as a loop over rows has them, and to 1e-5 of the sum of what they are made of.
inline std::string compare_push(Population& seers, const Population& seen, float radius,
                                const SeeOptions& options) {
  const Push rules;
  if (const auto done = see(seers, seen, radius, rules, options); !done) {
    return "see: " + done.error().message;
  }
  const bool same = &seers == &seen, radii = options.radii.index != Column<float>::kNone;
  const Crowd a = crowd_of(seers, radii), b = seen_of(seen, options);
  const auto mass = values(seen, "mass");
  constexpr std::array<std::string_view, 4> kNames{"push_x", "push_y", "push_z", "lengths"};
  std::array<std::vector<float>, kNames.size()> found;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    found[i] = values(seers, kNames[i]);
  }
  for (std::size_t row = 0; row < a.size(); ++row) {
    std::array<double, 4> right{}, size{};
    for_each_seen(
        seers.world(), options.metric, a, row, b, same, radius, [&](std::size_t other, const Sight& sight) {
          const double distance2 = sight.distance2, heavy = mass[other];
          const double strength =
              heavy < 1 ? 0 : std::min(heavy / (distance2 + double{rules.softness}), double{rules.strongest});
          for (std::size_t axis = 0; axis < 3; ++axis) {
            right[axis] -= strength * double{sight.d[axis]};
            size[axis] += std::abs(strength * double{sight.d[axis]});
          }
          right[3] += std::sqrt(distance2);
          size[3] += std::sqrt(distance2);
        });
    const auto exact = push_by_rows(seers.world(), options, a, row, b, mass, same, radius, rules);
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (found[i][row] != exact[i]) {
        return "row " + std::to_string(row) + ": " + std::string(kNames[i]) +
               " has not the bits of a sum in the order of rows";
      }
      const double off = std::abs(double{found[i][row]} - right[i]);
      if (!(off <= 1e-5 * size[i] + 1e-30)) {
        return "row " + std::to_string(row) + ": " + std::string(kNames[i]) + " is off by " +
               std::to_string(off) + " of " + std::to_string(size[i]);
      }
    }
  }
  return {};
}

inline std::string compare_pass(Population& seers, const Population& seen, float radius,
                                const SeeOptions& options) {
  std::string found = compare_census(seers, seen, radius, options);
  return found.empty() ? compare_push(seers, seen, radius, options) : found;
}

}  // namespace juxta::test
