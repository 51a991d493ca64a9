// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/flock_rows.h"

namespace juxta::agents_detail {

FlockScratch::FlockScratch(std::pmr::memory_resource* memory)
    : position{Array<float>(memory), Array<float>(memory)},
      velocity{Array<float>(memory), Array<float>(memory)},
      pull{Array<float>(memory), Array<float>(memory)},
      rows(memory),
      row_cells(memory),
      order(memory),
      places(memory),
      directory(memory) {}

void FlockScratch::make_room(std::size_t boids, std::size_t in_a_row, std::size_t cells,
                             std::size_t all_rows) {
  const auto grow = [](auto& array, std::size_t least) {
    if (array.size() < least) {
      array.resize_discard(least + least / 4);  // headroom: a flock that gathers would allocate in every step
    }
  };
  for (std::uint32_t a = 0; a < 2; ++a) {
    grow(position[a], boids);
    grow(velocity[a], boids);
    grow(pull[a], boids);
  }
  for (Array<std::uint32_t>* array : {&rows, &row_cells, &order}) {
    grow(*array, in_a_row);
  }
  grow(places, all_rows);
  grow(directory.begins, cells);
}

std::size_t FlockScratch::memory_bytes() const noexcept {
  std::size_t bytes = rows.memory_bytes() + row_cells.memory_bytes() + order.memory_bytes() +
                      places.memory_bytes() + directory.memory_bytes();
  for (std::uint32_t a = 0; a < 2; ++a) {
    bytes += position[a].memory_bytes() + velocity[a].memory_bytes() + pull[a].memory_bytes();
  }
  return bytes;
}

std::size_t FlockRows::memory_bytes() const noexcept {
  std::size_t bytes = begins.memory_bytes();
  for (const FlockScratch& scratch : buffers) {
    bytes += scratch.memory_bytes();
  }
  return bytes;
}

}  // namespace juxta::agents_detail
