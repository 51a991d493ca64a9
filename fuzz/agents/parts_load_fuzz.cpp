// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Loading what ranks have saved, from arbitrary and damaged manifests and parts (docs/formats/parts.md), most
// of them with checksums that fit again, on any number of ranks: all of them load, or all refuse. What loads
// is a sound simulation: its Ids lead to its rows, and what it saves loads again as the same bytes.
#include <array>
#include <cstring>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "agents/pasture.h"
#include "agents/simulation_file.h"
#include "agents/simulation_parts.h"
#include "fuzz/check.h"
#include "fuzz/damage.h"
#include "support/thread_ranks.h"

namespace juxta::fuzz {
namespace {

using agents_detail::PartsHeader;
using agents_detail::SimulationFileHeader;
using agents_detail::SimulationParts;

constexpr std::uint32_t kParts = 2;

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

const ScratchFile& scratch() {
  static const ScratchFile file("parts_load_fuzz");
  return file;
}

/// What two ranks saved.
struct Saved {
  std::string manifest;
  std::array<std::string, kParts> path, part;
};

Saved saved_by_ranks(std::uint32_t dimensions, std::size_t count, int steps, bool with_order) {
  Saved saved;
  test::run_ranks(kParts, [&](Ranks& ranks) {
    Simulation simulation = Simulation::build({}).value();
    if (ranks.rank() == 0) {
      simulation = test::make_pasture(dimensions, Edge::kWall, count);
      const FieldOptions grass{.world = simulation.world(), .cells = {3, 5, dimensions == 3 ? 2U : 1U}};
      JUXTA_FUZZ_CHECK(simulation.add_field("grass", grass).has_value());
      for (int step = 0; step < steps; ++step) {
        test::graze(simulation);
      }
    }
    JUXTA_FUZZ_CHECK(simulation.distribute(ranks).has_value());
    for (std::size_t p = 0; p < simulation.population_count() && with_order; ++p) {
      JUXTA_FUZZ_CHECK(simulation.population(p).sort({.radius = 1, .skin = 1}).has_value());
    }
    const auto manifest = SimulationParts::save(simulation, scratch().path().string());
    JUXTA_FUZZ_CHECK(manifest.has_value());
    if (ranks.rank() == 0) {
      saved.manifest.assign(reinterpret_cast<const char*>(manifest->data()), manifest->size());
    }
  });
  PartsHeader header;
  std::memcpy(&header, saved.manifest.data(), sizeof header);
  for (std::uint32_t p = 0; p < kParts; ++p) {
    saved.path[p] = agents_detail::part_path(scratch().path().string(), header.tag, p);
    saved.part[p] = read_file(saved.path[p]);
  }
  return saved;
}

const Saved& pristine(std::size_t which) {
  static const std::vector<Saved> all{saved_by_ranks(2, 0, 1, false), saved_by_ranks(2, 12, 0, false),
                                      saved_by_ranks(3, 40, 3, false), saved_by_ranks(2, 60, 4, true)};
  return all[which % all.size()];
}

std::uint64_t checksum_of_part(const std::string& part) {
  SimulationFileHeader header{};
  std::memcpy(&header, part.data(), std::min(part.size(), sizeof header));
  return header.checksum;
}

void damage_part(FuzzedDataProvider& bytes, std::string& part) {
  SimulationFileHeader header;
  std::memcpy(&header, part.data(), sizeof header);
  const std::size_t catalogue_end = core_detail::kHeaderBytes + header.catalogue;
  const Part where[] = {
      {0, sizeof header}, {core_detail::kHeaderBytes, catalogue_end}, {catalogue_end, part.size()}};
  damage(bytes, part, where, 64, [](std::string& file) { seal(file, agents_detail::kSimulationFormat); });
}

/// Of the manifest: its header, the simulation without agents, and what stands behind that. The simulation
/// inside has a checksum of its own.
void damage_manifest(FuzzedDataProvider& bytes, std::string& manifest) {
  PartsHeader header;
  std::memcpy(&header, manifest.data(), sizeof header);
  const std::size_t begin = core_detail::kHeaderBytes, end = begin + header.blueprint;
  const Part where[] = {{0, sizeof header}, {begin, end}, {end, manifest.size()}};
  damage(bytes, manifest, where, 64, [&](std::string& file) {
    if (file.size() >= end) {
      std::string inside = file.substr(begin, end - begin);
      seal(inside, agents_detail::kSimulationFormat);
      file.replace(begin, inside.size(), inside);
    }
    seal(file, agents_detail::kPartsFormat);
  });
}

/// Writes the parts; the manifest that names them.
std::string damaged(FuzzedDataProvider& bytes) {
  const Saved& of = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  std::string manifest = of.manifest;
  const int which = bytes.ConsumeIntegralInRange<int>(0, 3);
  if ((which & 1) != 0) {
    damage_manifest(bytes, manifest);
  }
  const bool named = bytes.ConsumeBool();  // the manifest takes the part for the one that was saved
  for (std::uint32_t p = 0; p < kParts; ++p) {
    std::string part = of.part[p];
    if ((which & 2) != 0 && bytes.ConsumeBool()) {
      damage_part(bytes, part);
      const std::size_t at = core_detail::kHeaderBytes +
                             core_detail::padded_to_section(
                                 reinterpret_cast<const PartsHeader*>(of.manifest.data())->blueprint) +
                             p * sizeof(std::uint64_t);
      if (named && at + sizeof(std::uint64_t) <= manifest.size()) {
        const std::uint64_t sum = checksum_of_part(part);
        std::memcpy(manifest.data() + at, &sum, sizeof sum);
        seal(manifest, agents_detail::kPartsFormat);
      }
    }
    write_file(of.path[p], part);
  }
  return manifest;
}

void use(const Simulation& whole) {
  for (std::size_t p = 0; p < whole.population_count(); ++p) {
    const Population& population = whole.population(p);
    for (std::uint32_t row = 0; row < population.size(); ++row) {
      JUXTA_FUZZ_CHECK(population.row_of(population.id_of(row)).value() == row);
    }
  }
  const std::string bytes = scratch().saved(whole);
  const auto again = Simulation::load(scratch().path().string());
  JUXTA_FUZZ_CHECK(again.has_value());
  JUXTA_FUZZ_CHECK(scratch().saved(*again) == bytes);
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const std::uint32_t count = bytes.ConsumeIntegralInRange<std::uint32_t>(1, 3);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 15) == 0;
  const std::string manifest = arbitrary ? bytes.ConsumeRemainingBytesAsString() : fuzz::damaged(bytes);
  const std::string path = fuzz::scratch().path().string();
  std::vector<int> loaded(count);
  std::optional<Simulation> whole;
  test::run_ranks(count, [&](Ranks& ranks) {
    auto simulation = agents_detail::SimulationParts::load(ranks, std::as_bytes(std::span(manifest)), path,
                                                           std::pmr::get_default_resource());
    if (!simulation) {
      JUXTA_FUZZ_CHECK(!simulation.error().message.empty());
      return;
    }
    loaded[ranks.rank()] = 1;
    auto all = simulation->gather();
    JUXTA_FUZZ_CHECK(all.has_value());
    if (ranks.rank() == 0) {
      whole = std::move(*all);
    }
  });
  for (const int one : loaded) {
    JUXTA_FUZZ_CHECK(one == loaded[0]);
  }
  if (whole) {
    fuzz::use(*whole);
  }
  return 0;
}
