// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A simulation to a file.

#include <array>
#include <cstring>
#include <vector>

#include "agents/simulation_file.h"
#include "agents/simulation_store.h"
#include "agents/store.h"
#include "core/os.h"
#include "core/path.h"
#include "juxta/core/try.h"

namespace juxta {
namespace {

using agents_detail::ColumnData;
using agents_detail::PopulationStore;
using core_detail::FlatCatalogue;
using core_detail::FlatSink;

std::uint32_t word(std::size_t number) noexcept {
  return static_cast<std::uint32_t>(number);
}

/// The next sort() may keep the order, by where agents stood then.
bool has_skin(const PopulationStore& store) noexcept {
  return store.skin.kept && store.skin.members == store.members;
}

void list(const PopulationStore& store, const Simulation& simulation, core_detail::FlatCatalogue& catalogue) {
  const IdTable::State ids = store.ids.state();
  agents_detail::PopulationRecord record{};
  record.rows = word(store.size());
  record.slots = word(ids.generations.size());
  record.first_free = ids.first_free;
  record.extents = store.extents;
  record.columns = word(store.columns.size());
  if (has_skin(store)) {
    record.skin = 1;
    record.skin_radius = store.skin.radius;
    record.skin_arrangement = static_cast<std::uint32_t>(store.skin.arrangement);
  }
  record.name_bytes = word(store.name.size());
  catalogue.record(record);
  catalogue.put(store.name.data(), store.name.size());
  for (const ColumnData& column : store.columns) {
    std::uint32_t target = agents_detail::kNoTarget;
    for (std::size_t i = 0; column.kind == ColumnKind::kReference && i < simulation.population_count(); ++i) {
      target = simulation.population(i).name() == column.target ? word(i) : target;
    }
    catalogue.record(agents_detail::ColumnRecord{static_cast<std::uint32_t>(column.kind), word(column.bytes),
                                                 target, word(column.name.size())});
    catalogue.put(column.name.data(), column.name.size());
    catalogue.put(column.initial.data(), column.initial.size());
  }
}

Result<void> put_population(const PopulationStore& store, core_detail::FlatSink sink) {
  const IdTable::State ids = store.ids.state();
  Result<void> put = core_detail::put_section(std::as_bytes(ids.generations), sink).and_then([&] {
    return core_detail::put_section(std::as_bytes(ids.links), sink);
  });
  for (std::size_t c = 0; put && c < store.columns.size(); ++c) {
    const ColumnData& column = store.columns[c];
    put = core_detail::put_section(column.data.span().first(store.size() * column.bytes), sink);
  }
  for (std::uint32_t axis = 0; put && axis < store.world.dimensions && has_skin(store); ++axis) {
    put = core_detail::put_section(std::as_bytes(store.skin.position[axis].span().first(store.size())), sink);
    if (put && store.extents != Column<float>::kNone) {
      put =
          core_detail::put_section(std::as_bytes(store.skin.extents[axis].span().first(store.size())), sink);
    }
  }
  return put;
}

}  // namespace

namespace agents_detail {

SimulationImage::SimulationImage(const Simulation& of) : source(of) {
  core_detail::FlatCatalogue list_of_all;
  for (std::size_t i = 0; i < of.population_count(); ++i) {
    list(PopulationStore::of(of.population(i)), of, list_of_all);
  }
  for (const auto& field : of.store_->fields) {
    list_of_all.record(record_of(*field));
    list_of_all.put(field->name.data(), field->name.size());
  }
  catalogue.assign(list_of_all.bytes().begin(), list_of_all.bytes().end());
  SimulationFileHeader header{};
  header.magic = kSimulationFormat.magic;
  header.format = kSimulationFormat.version;
  header.byte_order = core_detail::kByteOrder;
  header.dimensions = of.world().dimensions;
  for (std::size_t axis = 0; axis < of.world().edges.size(); ++axis) {
    header.edges[axis] = static_cast<std::uint32_t>(of.world().edges[axis]);
  }
  header.lo = of.world().lo;
  header.hi = of.world().hi;
  header.seed = of.seed();
  header.step = of.step();
  header.populations = word(of.population_count());
  header.catalogue = catalogue.size();
  header.fields = word(of.field_count());
  std::memcpy(head.data(), &header, sizeof header);
  core_detail::Checksum all;
  all.add(head);
  (void)put_body([&](std::span<const std::byte> piece) {  // this sink has no errors
    all.add(piece);
    size += piece.size();
    return Result<void>();
  });
  sum = all.value();
  header.checksum = sum;
  std::memcpy(head.data(), &header, sizeof header);
}

Result<void> SimulationImage::put_body(core_detail::FlatSink sink) const {
  Result<void> put = core_detail::put_section(catalogue, sink);
  for (std::size_t i = 0; put && i < source.population_count(); ++i) {
    put = put_population(PopulationStore::of(source.population(i)), sink);
  }
  for (std::size_t i = 0; put && i < source.field_count(); ++i) {
    const Field& field = source.field(i);
    for (std::uint32_t c = 0; put && c < field.options().components; ++c) {
      put = core_detail::put_section(std::as_bytes(field.values(c)), sink);
    }
  }
  return put;
}

Result<void> SimulationImage::put(core_detail::FlatSink sink) const {
  for (const auto& field : source.store_->fields) {
    JUXTA_TRY(check_finite(*field));
  }
  return sink(head).and_then([&] { return put_body(sink); });
}

}  // namespace agents_detail

Result<void> Simulation::save(std::string_view path) const {
  if (store_->ranks != nullptr) {
    return fail(ErrorCode::kInvalidArgument, "save: this simulation is on several ranks: gather() it first");
  }
  JUXTA_TRY(agents_detail::check_fields_here(*store_));
  const agents_detail::SimulationImage image(*this);
  JUXTA_TRY_LET(core_detail::AtomicFile file, core_detail::AtomicFile::create(path_of(path)));
  JUXTA_TRY(image.put([&](std::span<const std::byte> bytes) { return file.write(bytes); }));
  return file.commit();
}

}  // namespace juxta
