// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where agents stood when they were sorted, so that a sort can tell that it need not be done.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>

#include "agents/arrange.h"
#include "juxta/agents/population.h"
#include "juxta/core/array.h"

namespace juxta::agents_detail {

struct PopulationStore;

struct Skin {
  explicit Skin(std::pmr::memory_resource* resource) noexcept
      : position{Array<float>(resource), Array<float>(resource), Array<float>(resource)},
        extents{Array<float>(resource), Array<float>(resource), Array<float>(resource)} {}

  bool kept = false;       // what follows is that of the last sort
  bool directory = false;  // and the directory is: not yet after load()
  float radius = 0;        // that it was asked for
  Arrangement arrangement = Arrangement::kAuto;
  std::uint64_t members = 0;  // PopulationStore::members as it was
  std::array<Array<float>, 3> position, extents;

  /// After a sort: everybody stands where they are.
  void keep(const PopulationStore& store, const SortOptions& options);
  /// How far anybody moved since then, if the order may be kept for that; else a negative number.
  [[nodiscard]] float moved(PopulationStore& store, const SortOptions& options,
                            const Executor& executor) const;
  /// Where they stood.
  [[nodiscard]] Places places(const PopulationStore& store) const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
};

}  // namespace juxta::agents_detail
