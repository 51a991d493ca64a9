// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <bit>
#include <cstring>

#include "sector/world.h"

namespace juxta::sector {
namespace {

/// Words into one number, in their order: a multiplication and a rotation each, by a constant that is odd and
/// has no pattern (2^64 over the golden ratio).
class Hash {
 public:
  void add(std::uint64_t word) noexcept { sum_ = std::rotl((sum_ ^ word) * 0x9E37'79B9'7F4A'7C15U, 29); }
  template <class T>
  void add_all(std::span<const T> values) noexcept {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(values.data());
    const std::size_t size = values.size_bytes();
    std::uint64_t word = 0;
    for (std::size_t i = 0; i + sizeof word <= size; i += sizeof word) {
      std::memcpy(&word, bytes + i, sizeof word);
      add(word);
    }
    if (const std::size_t rest = size % sizeof word; rest != 0) {
      word = 0;
      std::memcpy(&word, bytes + (size - rest), rest);
      add(word);
    }
    add(values.size());
  }
  [[nodiscard]] std::uint64_t sum() const noexcept {
    const std::uint64_t mixed = (sum_ ^ (sum_ >> 32)) * 0xD6E8'FEB8'6659'FD93U;
    return mixed ^ (mixed >> 32);
  }

 private:
  std::uint64_t sum_ = 1;
};

/// A column of numbers or references. Those of a pass's results are made anew each tick: no state.
void add_column(Hash& hash, const Population& all, std::uint32_t index) {
  switch (all.kind_of(index)) {
    case ColumnKind::kFloat:
      return hash.add_all(all.read(Column<float>{index}));
    case ColumnKind::kByte:
      return hash.add_all(all.read(Column<std::uint8_t>{index}));
    case ColumnKind::kReference:
      return hash.add_all(all.read(Column<Id>{index}));
    default:
      return;
  }
}

void add_node(Hash& hash, Id id, const Qvvs& at) noexcept {
  std::array<std::uint64_t, sizeof(Qvvs) / sizeof(std::uint64_t)> words{};
  static_assert(sizeof words == sizeof at);
  std::memcpy(words.data(), &at, sizeof at);
  hash.add(std::uint64_t{id.generation} << 32 | id.slot);
  for (const std::uint64_t word : words) {
    hash.add(word);
  }
}

}  // namespace

Census census_of(const World& world) {
  Census census;
  census.tick = world.tick();
  for (const float faction : world.ships.all->read(world.ships.faction)) {
    ++census.ships[static_cast<std::size_t>(faction)];
  }
  census.bullets = world.bullets.all->size();
  census.explosions = world.explosions.all->size();
  census.wrecks = world.wrecks.all->size();
  census.spawn_points = world.points.all->size();
  census.nodes = world.hierarchy.size();
  return census;
}

std::uint64_t state_hash(const World& world) {
  Hash hash;
  hash.add(world.tick());
  for (std::size_t i = 0; i < world.simulation.population_count(); ++i) {
    const Population& all = world.simulation.population(i);
    for (std::uint32_t column = 0; column < all.column_count(); ++column) {
      add_column(hash, all, column);
    }
  }
  hash.add_all(world.ships.all->read(world.ships.nodes));
  hash.add_all(world.points.all->read(world.points.root));
  hash.add_all(world.wrecks.all->read(world.wrecks.root));
  world.hierarchy.changed_since(0, [&](Id id, const Qvvs& at) { add_node(hash, id, at); });
  return hash.sum();
}

}  // namespace juxta::sector
