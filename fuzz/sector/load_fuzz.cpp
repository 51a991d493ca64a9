// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A battle goes on from damaged copies of its two files, whose checksums fit again, or is refused. What goes
// on ticks or says why not, and what it saves is the same battle again.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "agents/simulation_file.h"
#include "fuzz/check.h"
#include "fuzz/damage.h"
#include "sector/tick.h"
#include "sector/tiny_scenario.h"
#include "sector/world.h"
#include "transform/hierarchy_file.h"

namespace juxta::fuzz {
namespace {

const ScratchFile& scratch(bool hierarchy) {
  static const ScratchFile simulation("battle_load_fuzz_simulation"), nodes("battle_load_fuzz_hierarchy");
  return hierarchy ? nodes : simulation;
}

struct Files {
  std::string simulation, hierarchy;
  friend bool operator==(const Files&, const Files&) = default;
};
Files saved(const sector::World& world) {
  return {scratch(false).saved(world.simulation), scratch(true).saved(world.hierarchy)};
}

/// After 0, 12, 24 and 36 ticks: with bullets, explosions, wrecks.
const Files& pristine(std::size_t which) {
  static const std::vector<Files> all = [] {
    const auto world = sector::begin_world(sector::test::tiny()).value();
    std::vector<Files> files = {saved(*world)};
    for (int i = 1; i <= 36; ++i) {
      JUXTA_FUZZ_CHECK(sector::tick(*world).has_value());
      if (i % 12 == 0) {
        files.push_back(saved(*world));
      }
    }
    return files;
  }();
  return all[which % all.size()];
}

Files damaged(FuzzedDataProvider& bytes) {
  Files files = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  if (bytes.ConsumeIntegralInRange<int>(0, 2) != 0) {
    agents_detail::SimulationFileHeader header;
    std::memcpy(&header, files.simulation.data(), sizeof header);
    const std::size_t columns = core_detail::kHeaderBytes + header.catalogue;
    const Part parts[] = {
        {0, sizeof header}, {core_detail::kHeaderBytes, columns}, {columns, files.simulation.size()}};
    damage(bytes, files.simulation, parts, 64,
           [](std::string& file) { seal(file, agents_detail::kSimulationFormat); });
  } else {
    transform_detail::HierarchyFileHeader header;
    std::memcpy(&header, files.hierarchy.data(), sizeof header);
    damage(bytes, files.hierarchy, parts_of(header, transform_detail::HierarchyFileLayout(header)), 1100,
           [](std::string& file) { seal(file, transform_detail::kHierarchyFormat); });
  }
  return files;
}

Result<std::unique_ptr<sector::World>> resumed(const Files& files) {
  scratch(false).write(files.simulation);
  scratch(true).write(files.hierarchy);
  return Simulation::load(scratch(false).path().string()).and_then([](Simulation simulation) {
    return Hierarchy::load(scratch(true).path().string()).and_then([&](Hierarchy hierarchy) {
      return sector::resume_world(sector::test::tiny(), std::move(simulation), std::move(hierarchy));
    });
  });
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const auto world = fuzz::resumed(fuzz::damaged(bytes));
  if (!world) {
    JUXTA_FUZZ_CHECK(!world.error().message.empty());
    return 0;
  }
  for (int i = 0; i < 3; ++i) {
    if (const auto ticked = sector::tick(**world); !ticked) {
      JUXTA_FUZZ_CHECK(!ticked.error().message.empty());
      return 0;
    }
  }
  const fuzz::Files once = fuzz::saved(**world);
  const auto again = fuzz::resumed(once);
  JUXTA_FUZZ_CHECK(again.has_value());
  JUXTA_FUZZ_CHECK(sector::state_hash(**again) == sector::state_hash(**world));
  JUXTA_FUZZ_CHECK(fuzz::saved(**again) == once);
  return 0;
}
