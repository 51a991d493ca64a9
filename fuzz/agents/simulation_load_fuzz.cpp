// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// load() on arbitrary bytes and on damaged copies of saved files, most of them with a checksum that fits
// again, as an attacker would: it loads or refuses. Whatever loads is a sound simulation: its Ids lead to its
// rows, it takes births and deaths, and what it saves loads again as the same bytes.
#include <cstring>
#include <string>
#include <vector>

#include "agents/pasture.h"
#include "agents/simulation_file.h"
#include "fuzz/check.h"
#include "fuzz/damage.h"

namespace juxta::fuzz {
namespace {

using agents_detail::SimulationFileHeader;

const ScratchFile& scratch() {
  static const ScratchFile file("simulation_load_fuzz");
  return file;
}

std::string lived_in(std::uint32_t dimensions, Edge edge, std::size_t count, int steps) {
  Simulation simulation = test::make_pasture(dimensions, edge, count);
  for (int step = 0; step < steps; ++step) {
    test::graze(simulation);
  }
  for (std::size_t p = 0; p < simulation.population_count() && steps > 3; ++p) {
    JUXTA_FUZZ_CHECK(simulation.population(p).sort({.radius = 1, .skin = 1}).has_value());
  }
  return scratch().saved(simulation);
}

const std::string& pristine(std::size_t which) {
  static const std::vector<std::string> files{
      scratch().saved(Simulation::build({}).value()), lived_in(2, Edge::kWall, 0, 1),
      lived_in(2, Edge::kPeriodic, 5, 0), lived_in(3, Edge::kOpen, 40, 3), lived_in(2, Edge::kWall, 300, 6)};
  return files[which % files.size()];
}

/// In the header, in the catalogue or behind it.
std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  SimulationFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  const std::size_t catalogue_end = core_detail::kHeaderBytes + header.catalogue;
  const Part parts[] = {
      {0, sizeof header}, {core_detail::kHeaderBytes, catalogue_end}, {catalogue_end, file.size()}};
  damage(bytes, file, parts, 64,
         [](std::string& damaged) { seal(damaged, agents_detail::kSimulationFormat); });
  return file;
}

void use(Simulation& simulation) {
  for (std::size_t p = 0; p < simulation.population_count(); ++p) {
    Population& population = simulation.population(p);
    for (std::uint32_t row = 0; row < population.size(); ++row) {
      JUXTA_FUZZ_CHECK(population.row_of(population.id_of(row)).value() == row);
    }
    const auto done = population.sort({.radius = 1, .skin = 1});
    JUXTA_FUZZ_CHECK(done.has_value() || !done.error().message.empty());
    population.for_each([&](std::uint32_t row, Changes& changes) {
      if (row % 3 == 0) {
        changes.kill(row);
      } else if (row % 7 == 0) {
        changes.spawn_like(row);
      }
    });
    population.changes().spawn();
    JUXTA_FUZZ_CHECK(population.insert(2).has_value());
  }
  JUXTA_FUZZ_CHECK(simulation.end_step().has_value());
  // Nobody names the dead.
  for (std::size_t p = 0; p < simulation.population_count(); ++p) {
    const Population& population = simulation.population(p);
    for (std::size_t c = 0; c < population.column_count(); ++c) {
      if (population.kind_of(c) != ColumnKind::kReference) {
        continue;
      }
      for (const Id id : population.read(Column<Id>{static_cast<std::uint32_t>(c)})) {
        bool known = id == Id{};
        for (std::size_t t = 0; t < simulation.population_count(); ++t) {
          known = known || simulation.population(t).alive(id);
        }
        JUXTA_FUZZ_CHECK(known);
      }
    }
  }
  const std::string bytes = scratch().saved(simulation);
  JUXTA_FUZZ_CHECK(scratch().saved(Simulation::load(scratch().path().string()).value()) == bytes);
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 15) == 0;
  fuzz::scratch().write(arbitrary ? bytes.ConsumeRemainingBytesAsString() : fuzz::damaged(bytes));
  auto loaded = Simulation::load(fuzz::scratch().path().string());
  if (!loaded) {
    JUXTA_FUZZ_CHECK(!loaded.error().message.empty());
    return 0;
  }
  fuzz::use(*loaded);
  return 0;
}
