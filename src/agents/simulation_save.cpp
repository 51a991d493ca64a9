// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A simulation to a file.

#include <array>
#include <cstring>
#include <vector>

#include "agents/simulation_file.h"

namespace juxta {
namespace {

using detail::ColumnData;
using detail::FlatSink;
using detail::PopulationStore;

/// The catalogue: records and what belongs to them, each ended by zeros at a multiple of 4.
class Catalogue {
 public:
  template <class T>
  void record(const T& value) {
    put(&value, sizeof value);
  }
  void put(const void* data, std::size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + bytes);
    bytes_.resize(detail::padded_to_word(bytes_.size()));
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

std::uint32_t word(std::size_t number) noexcept {
  return static_cast<std::uint32_t>(number);
}

/// The next sort() may keep the order, by where agents stood then.
bool has_skin(const PopulationStore& store) noexcept {
  return store.skin.kept && store.skin.members == store.members;
}

void list(const PopulationStore& store, const Simulation& simulation, Catalogue& catalogue) {
  const IdTable::State ids = store.ids.state();
  detail::PopulationRecord record{};
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
    std::uint32_t target = detail::kNoTarget;
    for (std::size_t i = 0; column.kind == ColumnKind::kReference && i < simulation.population_count(); ++i) {
      target = simulation.population(i).name() == column.target ? word(i) : target;
    }
    catalogue.record(detail::ColumnRecord{static_cast<std::uint32_t>(column.kind), word(column.bytes), target,
                                          word(column.name.size())});
    catalogue.put(column.name.data(), column.name.size());
    catalogue.put(column.initial.data(), column.initial.size());
  }
}

Result<void> put_population(const PopulationStore& store, FlatSink sink) {
  const IdTable::State ids = store.ids.state();
  Result<void> put = detail::put_section(std::as_bytes(ids.generations), sink).and_then([&] {
    return detail::put_section(std::as_bytes(ids.links), sink);
  });
  for (std::size_t c = 0; put && c < store.columns.size(); ++c) {
    const ColumnData& column = store.columns[c];
    put = detail::put_section(column.data.span().first(store.size() * column.bytes), sink);
  }
  for (std::uint32_t axis = 0; put && axis < store.world.dimensions && has_skin(store); ++axis) {
    put = detail::put_section(std::as_bytes(store.skin.position[axis].span().first(store.size())), sink);
    if (put && store.extents != Column<float>::kNone) {
      put = detail::put_section(std::as_bytes(store.skin.extents[axis].span().first(store.size())), sink);
    }
  }
  return put;
}

}  // namespace

Result<void> Simulation::save(const std::filesystem::path& path) const {
  Catalogue catalogue;
  for (const auto& population : populations_) {
    list(*population->store_, *this, catalogue);
  }
  detail::SimulationFileHeader header{};
  header.magic = detail::kSimulationFormat.magic;
  header.format = detail::kSimulationFormat.version;
  header.byte_order = detail::kByteOrder;
  header.dimensions = world_.dimensions;
  for (std::size_t axis = 0; axis < world_.edges.size(); ++axis) {
    header.edges[axis] = static_cast<std::uint32_t>(world_.edges[axis]);
  }
  header.lo = world_.lo;
  header.hi = world_.hi;
  header.seed = seed_;
  header.step = step_;
  header.populations = word(populations_.size());
  header.catalogue = catalogue.bytes().size();
  std::array<std::byte, detail::kHeaderBytes> head{};
  std::memcpy(head.data(), &header, sizeof header);
  return detail::kSimulationFormat.save(path, head, [&](FlatSink sink) {
    Result<void> put = detail::put_section(catalogue.bytes(), sink);
    for (std::size_t i = 0; put && i < populations_.size(); ++i) {
      put = put_population(*populations_[i]->store_, sink);
    }
    return put;
  });
}

}  // namespace juxta
