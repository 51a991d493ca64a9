// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// load() on arbitrary bytes and on damaged copies of saved files, most of them with a checksum that fits
// again, as an attacker would: it loads or refuses. Whatever loads is a sound simulation: its Ids lead to its
// rows, it takes births and deaths, and what it saves loads again as the same bytes.
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "agents/pasture.h"
#include "agents/simulation_file.h"
#include "fuzz/check.h"
#include "fuzz/draw.h"

namespace juxta::fuzz {
namespace {

using detail::SimulationFileHeader;

const std::filesystem::path& scratch_file() {
  static const auto path =
      std::filesystem::temp_directory_path() / ("simulation_load_fuzz." + std::to_string(getpid()) + ".jxs");
  return path;
}

void write_file(const std::string& bytes) {
  std::ofstream(scratch_file(), std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string saved(const Simulation& simulation) {
  JUXTA_FUZZ_CHECK(simulation.save(scratch_file()).has_value());
  std::ifstream in(scratch_file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string lived_in(std::uint32_t dimensions, Edge edge, std::size_t count, int steps) {
  Simulation simulation = test::make_pasture(dimensions, edge, count);
  for (int step = 0; step < steps; ++step) {
    test::graze(simulation);
  }
  for (std::size_t p = 0; p < simulation.population_count() && steps > 3; ++p) {
    JUXTA_FUZZ_CHECK(simulation.population(p).sort({.radius = 1, .skin = 1}).has_value());
  }
  return saved(simulation);
}

const std::string& pristine(std::size_t which) {
  static const std::vector<std::string> files{
      saved(Simulation::make({}).value()), lived_in(2, Edge::kWall, 0, 1), lived_in(2, Edge::kPeriodic, 5, 0),
      lived_in(3, Edge::kOpen, 40, 3), lived_in(2, Edge::kWall, 300, 6)};
  return files[which % files.size()];
}

void seal(std::string& file) {
  if (file.size() >= detail::kHeaderBytes && file.size() % 8 == 0) {
    const std::uint64_t sum = detail::kSimulationFormat.checksum_of(std::as_bytes(std::span(file)));
    std::memcpy(file.data() + offsetof(SimulationFileHeader, checksum), &sum, sizeof sum);
  }
}

/// Overwrites a few words, in the header, the catalogue or behind them, with likely values or any; sometimes
/// cuts.
std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  SimulationFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  const std::size_t catalogue_end = detail::kHeaderBytes + header.catalogue;
  const std::size_t patches = bytes.ConsumeIntegralInRange<std::size_t>(0, 6);
  for (std::size_t i = 0; i < patches; ++i) {
    const int part = bytes.ConsumeIntegralInRange<int>(0, 2);
    const std::size_t first = part == 0 ? 0 : part == 1 ? detail::kHeaderBytes : catalogue_end;
    const std::size_t last = part == 0 ? sizeof header : part == 1 ? catalogue_end : file.size();
    if (last < first + 4) {
      continue;
    }
    const std::size_t at = first + bytes.ConsumeIntegralInRange<std::size_t>(0, (last - first) / 4 - 1) * 4;
    std::uint32_t value;
    std::memcpy(&value, file.data() + at, sizeof value);
    switch (bytes.ConsumeIntegralInRange<int>(0, 3)) {
      case 0:
        value ^= std::uint32_t{1} << bytes.ConsumeIntegralInRange<unsigned>(0, 31);
        break;
      case 1:
        value += bytes.ConsumeIntegralInRange<std::uint32_t>(0, 4) - 2;
        break;
      case 2:
        value = bytes.ConsumeIntegralInRange<std::uint32_t>(0, 64);
        break;
      default:
        value = bytes.ConsumeIntegral<std::uint32_t>();
    }
    std::memcpy(file.data() + at, &value, sizeof value);
  }
  if (bytes.ConsumeIntegralInRange<int>(0, 15) == 0) {
    file.resize(bytes.ConsumeIntegralInRange<std::size_t>(0, file.size()));
  }
  if (bytes.ConsumeIntegralInRange<int>(0, 15) != 0) {
    seal(file);
  }
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
    JUXTA_FUZZ_CHECK(population.add(2).has_value());
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
  const std::string bytes = saved(simulation);
  JUXTA_FUZZ_CHECK(saved(Simulation::load(scratch_file()).value()) == bytes);
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 15) == 0;
  fuzz::write_file(arbitrary ? bytes.ConsumeRemainingBytesAsString() : fuzz::damaged(bytes));
  auto loaded = Simulation::load(fuzz::scratch_file());
  if (!loaded) {
    JUXTA_FUZZ_CHECK(!loaded.error().message.empty());
    return 0;
  }
  fuzz::use(*loaded);
  return 0;
}
