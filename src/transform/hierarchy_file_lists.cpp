// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The lists of a file that name nodes: what they keep, and which were destroyed.
#include <cstdint>
#include <span>
#include <unordered_map>

#include "transform/hierarchy_file.h"

namespace juxta::transform_detail {
namespace {

/// The node of a record may have lived, and is dead.
bool is_dead(const DestroyedRecord& record, const HierarchyFileHeader& header, const HierarchyStore& store) {
  if (record.slot >= store.slots.size()) {  // a name that was given back
    return record.slot != kNoRow && record.generation <= header.generation;
  }
  const std::uint32_t now = store.slots[record.slot].generation;  // 0: never lived, or used up
  return now == 0 || record.generation < now;
}

}  // namespace

bool take_kept(std::span<const KeptRecord> records, HierarchyStore& store) {
  std::uint32_t next = 0;
  for (const KeptRecord& record : records) {
    if (record.slot < next || record.slot >= store.slots.size() || record.zero != 0 ||
        (store.slots[record.slot].generation & 1) == 0) {
      return false;
    }
    const Row row = store.slots[record.slot].row;
    const float squared = length_squared(record.world.rotation);
    if (!store.tile_of(row).pending.test(row % kTileRows) || !is_finite(record.world) ||
        !(record.world.scale >= 0 && squared > 0.5F && squared < 2)) {
      return false;
    }
    store.kept[record.slot] = record.world;
    next = record.slot + 1;
  }
  return true;
}

bool take_destroyed(std::span<const DestroyedRecord> records, const HierarchyFileHeader& header,
                    HierarchyStore& store) {
  std::unordered_map<std::uint32_t, std::uint32_t> generations;
  std::uint64_t version = std::uint64_t{header.forgotten} + 1;
  const std::uint64_t next = std::uint64_t{header.version} + 1;
  store.destroyed.reserve(records.size());
  for (const DestroyedRecord& record : records) {
    std::uint32_t& generation = generations[record.slot];
    if (record.zero != 0 || record.generation % 2 == 0 || record.generation <= generation ||
        record.version < version || record.version > next || !is_dead(record, header, store)) {
      return false;
    }
    version = record.version;
    generation = record.generation;
    store.destroyed.push_back({{record.slot, record.generation}, record.version});
  }
  store.forgotten = header.forgotten;
  return true;
}

bool take_vacant(std::span<const VacantRecord> records, HierarchyStore& store) {
  std::pmr::vector<Row>* places = nullptr;
  std::uint64_t shape = 0;
  for (const VacantRecord& record : records) {
    const bool begins = record.row == kNoRow;
    if (record.zero != 0 || (places == nullptr && !begins) ||
        (places != nullptr && (begins ? record.shape <= shape : record.shape != shape)) ||
        (!begins && record.row / kTileRows >= store.tiles.size())) {
      return false;
    }
    shape = record.shape;
    places = &store.vacancies.all()[shape];
    if (!begins) {
      places->push_back(record.row);
    }
  }
  return true;
}

}  // namespace juxta::transform_detail
