// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A simulation from a file.

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "agents/simulation_file.h"
#include "agents/simulation_store.h"
#include "core/os.h"
#include "core/path.h"
#include "juxta/core/try.h"

namespace juxta {
namespace {

using agents_detail::CatalogueColumn;
using agents_detail::CataloguePopulation;
using agents_detail::ColumnData;
using agents_detail::PopulationStore;

/// The directory comes with the next sort(), which may keep the order as the saved one would have.
void take_skin(PopulationStore& store, const CataloguePopulation& from) {
  agents_detail::Skin& skin = store.skin;
  skin.kept = from.record.skin != 0;
  skin.directory = false;
  skin.radius = from.record.skin_radius;
  skin.arrangement = static_cast<Arrangement>(skin.kept ? from.record.skin_arrangement : 0);
  skin.members = store.members;
  for (std::uint32_t axis = 0; axis < store.world.dimensions && skin.kept; ++axis) {
    const auto copy = [](std::span<const float> in, Array<float>& out) {
      out.resize_discard(in.size());
      std::copy(in.begin(), in.end(), out.begin());
    };
    copy(from.skin_position[axis], skin.position[axis]);
    copy(from.skin_extents[axis], skin.extents[axis]);
  }
}

/// Everything but the columns that stand in each population from the beginning is added, then all are filled.
Result<void> fill(PopulationStore& store, const CataloguePopulation& from,
                  const std::vector<CataloguePopulation>& all) {
  auto ids = IdTable::restore({from.generations, from.links, from.record.first_free}, store.memory);
  if (!ids || ids->size() != from.record.rows) {
    return agents_detail::kSimulationFormat.corrupt(
        "the Ids of \"" + store.name + "\" and its rows contradict each other", core_detail::kHeaderBytes);
  }
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    const CatalogueColumn& column = from.columns[c];
    if (c >= store.columns.size()) {
      ColumnData& added = store.add(column.name, static_cast<ColumnKind>(column.record.kind),
                                    column.record.bytes, column.initial.data());
      added.target =
          added.kind == ColumnKind::kReference ? all[column.record.target].name : std::string_view();
    }
  }
  store.extents = from.record.extents;
  store.ids = std::move(*ids);
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    ColumnData& column = store.columns[c];
    column.grow(store.size());
    std::copy(from.columns[c].data.begin(), from.columns[c].data.end(), column.data.begin());
    column.fill(store.size(), store.size() + kArrayPadding);
  }
  take_skin(store, from);
  return {};
}

}  // namespace

Result<Simulation> agents_detail::SimulationImage::load(std::span<const std::byte> file,
                                                        std::pmr::memory_resource* resource) {
  return SimulationFile::read(file).and_then([&](const SimulationFile& read) -> Result<Simulation> {
    JUXTA_TRY_LET(Simulation simulation, Simulation::build(read.world, read.header.seed, resource));
    simulation.store_->step = read.header.step;
    for (const CataloguePopulation& population : read.populations) {
      JUXTA_TRY_LET(Population* const added, simulation.add_population(population.name));
      JUXTA_TRY(fill(PopulationStore::of(*added), population, read.populations));
    }
    for (const CatalogueField& field : read.fields) {
      JUXTA_TRY_LET(Field* const added, simulation.add_field(field.name, field.options));
      for (std::uint32_t c = 0; c < field.options.components; ++c) {
        std::copy(field.components[c].begin(), field.components[c].end(), added->values(c).begin());
      }
    }
    return simulation;
  });
}

Result<Simulation> Simulation::load(std::string_view path, std::pmr::memory_resource* resource) {
  const auto prefix = [&](Error error) {
    if (error.code == ErrorCode::kCorruptFile) {
      error.message = std::string(path) + ": " + error.message;
    }
    return error;
  };
  return core_detail::MappedFile::open(path_of(path))
      .and_then([&](const core_detail::MappedFile& file) {
        return agents_detail::SimulationImage::load(file.bytes(), resource);
      })
      .map_error(prefix);
}

}  // namespace juxta
