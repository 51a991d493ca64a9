// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/simulation_fields.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "agents/simulation_store.h"
#include "grid/field_store.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

using grid_detail::FieldParts;
using grid_detail::FieldStore;
using grid_detail::Slabs;
using grid_detail::SlabsOfRank;

/// The options of a run of slabs alone.
FieldOptions options_of_slabs(FieldOptions options, Slabs slabs) noexcept {
  options.cells[options.world.dimensions - 1] =
      static_cast<std::uint32_t>(std::max<std::int64_t>(slabs.last - slabs.first, 1));
  return options;
}

/// The first part that a rank has read.
std::uint64_t first_part_of(std::uint64_t rank, std::uint64_t parts, std::uint64_t ranks) noexcept {
  return rank * parts / ranks;
}

}  // namespace

FieldRecord record_of(const NamedField& field) noexcept {
  const FieldOptions& options = field.field.options();
  FieldRecord record{};
  record.components = options.components;
  record.cells = options.cells;
  for (std::uint32_t axis = 0; axis < options.world.dimensions; ++axis) {
    record.edges[axis] = static_cast<std::uint32_t>(options.world.edges[axis]);
    record.lo[axis] = options.world.lo[axis];
    record.hi[axis] = options.world.hi[axis];
  }
  record.name_bytes = static_cast<std::uint32_t>(field.name.size());
  return record;
}

Result<FieldOptions> options_of(const FieldRecord& record, std::uint32_t dimensions) {
  FieldOptions options;
  options.world.dimensions = dimensions;
  options.components = record.components;
  options.cells = record.cells;
  if (dimensions == 2 && (record.edges[2] != 0 || std::bit_cast<std::uint32_t>(record.lo[2]) != 0 ||
                          std::bit_cast<std::uint32_t>(record.hi[2]) != 0)) {
    return fail(ErrorCode::kInvalidArgument, "a field in the plane has no z", 2);
  }
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if (record.edges[axis] > static_cast<std::uint32_t>(Edge::kPeriodic)) {
      return fail(ErrorCode::kInvalidArgument, "there is no such edge", axis);
    }
    options.world.edges[axis] = static_cast<Edge>(record.edges[axis]);
    options.world.lo[axis] = record.lo[axis];
    options.world.hi[axis] = record.hi[axis];
  }
  return grid_detail::check_options(options).map([&] { return options; });
}

Result<void> check_fields_here(const SimulationStore& simulation) {
  for (const auto& field : simulation.fields) {
    if (field->field.ranks() != nullptr) {
      return fail(ErrorCode::kInvalidArgument, "the field \"" + field->name +
                                                   "\" is on several ranks, and its simulation is not: "
                                                   "distribute() the simulation, not its fields");
    }
  }
  return {};
}

Result<void> check_finite(const NamedField& field) {
  const FieldStore& store = FieldParts::of(field.field);
  for (std::uint32_t c = 0; c < store.options.components; ++c) {
    const std::span<const float> values = field.field.values(c);
    const std::size_t bad = grid_detail::first_not_finite(values.data(), values.size());
    if (bad != values.size()) {
      return fail(ErrorCode::kNotFinite,
                  "the field \"" + field.name + "\" is not finite in " +
                      grid_detail::name_of_cell(store, c, field.field.first_cell() + bad),
                  bad);
    }
  }
  return {};
}

Result<Field> own_slabs(const Field& field) {
  JUXTA_TRY_LET(Field slabs, Field::build(options_of_slabs(field.options(), FieldParts::of(field).own()),
                                          FieldParts::of(field).memory));
  for (std::uint32_t c = 0; c < field.options().components; ++c) {
    std::copy(field.values(c).begin(), field.values(c).end(), slabs.values(c).begin());
  }
  return slabs;
}

Result<Field> join_slabs(const FieldOptions& options, std::span<const Field* const> mine, std::uint64_t parts,
                         Ranks& ranks, const core_detail::FlatFormat& format,
                         std::pmr::memory_resource* resource) {
  const std::int64_t all = options.cells[options.world.dimensions - 1];
  const auto slabs_of_part = [&](std::uint64_t p) {
    return grid_detail::even_slabs(all, static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(parts));
  };
  // What the manifest says is believed, and memory taken for it, when the parts have all of it.
  const std::uint64_t first_here = first_part_of(ranks.rank(), parts, ranks.size());
  Result<void> done;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i]->options() != options_of_slabs(options, slabs_of_part(first_here + i))) {
      done = format.corrupt("a part has other cells of a field", 0);
    }
  }
  JUXTA_TRY(agree(ranks, done));
  auto joined = FieldParts::build_unset(options, resource);
  JUXTA_TRY(agree(ranks, joined.map([](const Field&) {})));
  FieldStore& store = FieldParts::of(*joined);
  std::vector<SlabsOfRank> owners;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const std::uint64_t first = first_part_of(rank, parts, ranks.size());
    for (std::uint64_t p = first; p < first_part_of(rank + std::uint64_t{1}, parts, ranks.size()); ++p) {
      const Slabs slabs = slabs_of_part(p);
      owners.push_back({slabs, rank});
      for (std::uint32_t c = 0; rank == ranks.rank() && slabs.first < slabs.last && c < options.components;
           ++c) {
        const std::span<const float> values = mine[p - first]->values(c);
        std::copy(values.begin(), values.end(), store.planes[c].data() + store.cell_of_slab(slabs.first));
      }
    }
  }
  JUXTA_TRY(FieldParts::join(*joined, ranks, std::move(owners)));
  return joined;
}

}  // namespace agents_detail

Result<Field*> Simulation::add_field(std::string_view name, const FieldOptions& options) {
  if (name.empty() || is_taken(name)) {
    return fail(ErrorCode::kInvalidArgument,
                name.empty() ? std::string("a field needs a name")
                             : "the name \"" + std::string(name) + "\" is taken: take another one");
  }
  if (options.world.dimensions != world().dimensions) {
    return fail(ErrorCode::kInvalidArgument, "a field has as many dimensions as the simulation's world");
  }
  if (store_->ranks != nullptr) {
    return fail(ErrorCode::kInvalidArgument, "add fields before distribute()");
  }
  JUXTA_TRY_LET(Field field, Field::build(options, store_->resource));
  store_->fields.push_back(std::make_unique<agents_detail::NamedField>(
      agents_detail::NamedField{std::string(name), std::move(field)}));
  return &store_->fields.back()->field;
}

const Field* Simulation::find_field(std::string_view name) const noexcept {
  for (const auto& field : store_->fields) {
    if (field->name == name) {
      return &field->field;
    }
  }
  return nullptr;
}
Field* Simulation::find_field(std::string_view name) noexcept {
  return const_cast<Field*>(std::as_const(*this).find_field(name));
}
std::size_t Simulation::field_count() const noexcept {
  return store_->fields.size();
}
Field& Simulation::field(std::size_t index) noexcept {
  return store_->fields[index]->field;
}
const Field& Simulation::field(std::size_t index) const noexcept {
  return store_->fields[index]->field;
}
std::string_view Simulation::field_name(std::size_t index) const noexcept {
  return store_->fields[index]->name;
}
bool Simulation::is_taken(std::string_view name) const noexcept {
  return find_population(name) != nullptr || find_field(name) != nullptr;
}

}  // namespace juxta
