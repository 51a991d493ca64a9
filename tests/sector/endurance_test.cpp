// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A hundred thousand ticks of the skirmish: nothing grows, and no tick takes longer at the end.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>

#include "sector/worlds.h"

namespace juxta::sector::test {
namespace {

/// What the process holds, in bytes.
double resident() {
  std::ifstream file("/proc/self/statm");
  double size = 0, pages = 0;
  file >> size >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// What ten thousand ticks in a row took and left.
struct Part {
  double quartile_us = 0, resident = 0, hierarchy = 0;
  std::size_t most_nodes = 0, most_tiles = 0, deaths = 0, released = 0;
};

Part play_part(World& world, std::uint32_t ticks) {
  std::vector<double> times;
  Part part;
  for (std::uint32_t i = 0; i < ticks; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (!play(world, 1)) {
      break;
    }
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    part.most_nodes = std::max(part.most_nodes, world.hierarchy.size());
    part.deaths += world.tally.deaths;
    part.released += world.tally.released;
  }
  const auto quartile = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), quartile, times.end());
  part.quartile_us = times.empty() ? 0 : *quartile;  // what else the machine does hardly moves it
  part.resident = resident();
  part.hierarchy = static_cast<double>(world.hierarchy.stats().memory_bytes);
  part.most_tiles = world.hierarchy.stats().tiles;
  return part;
}

TEST(SectorEndurance, AHundredThousandTicksOfTheSkirmish) {
  const Scenario scenario = preset("skirmish").value();
  const auto world = begun(scenario);
  ASSERT_TRUE(world);
  std::vector<Part> parts;
  for (int i = 0; i < 10 && !HasFailure(); ++i) {
    parts.push_back(play_part(*world, 10'000));
    const Part& part = parts.back();
    std::printf(
        "%d ticks: lower quartile %.0f us, %.1f MB resident, hierarchy %.2f MB in %zu tiles, at most %zu "
        "nodes, "
        "%zu deaths, %zu released\n",
        10'000 * (i + 1), part.quartile_us, part.resident / 1e6, part.hierarchy / 1e6, part.most_tiles,
        part.most_nodes, part.deaths, part.released);
    std::fflush(stdout);
  }
  ASSERT_EQ(parts.size(), 10U);
  const Part &first = parts[1], &last = parts.back();  // in the first one the spans grow
  EXPECT_LE(last.resident, parts.front().resident * 1.03 + 1e6);
  EXPECT_LE(last.hierarchy, parts.front().hierarchy * 1.1);
  EXPECT_LE(last.quartile_us, 1.25 * first.quartile_us);
  const std::size_t most = 12 * std::size_t{scenario.ships} + 2 * std::size_t{scenario.spawn_points};
  for (const Part& part : parts) {
    EXPECT_LE(part.most_nodes, 2 * most);
    EXPECT_GT(part.deaths, 0U);
    EXPECT_GT(part.released, 0U);
  }
}

}  // namespace
}  // namespace juxta::sector::test
