// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: agents that go to other ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/arrange.h"
#include "agents/store.h"
#include "juxta/core/error.h"

namespace juxta::agents_detail {

/// The columns that go along with agents.
using Luggage = std::vector<ColumnData*>;
/// `results`: those that sort() leaves where they are too.
[[nodiscard]] Luggage luggage_of(PopulationStore& store, bool results);

/// Where agents stood when they were sorted, as columns that can go along; and back again, for so many rows.
[[nodiscard]] std::vector<ColumnData> columns_of_skin(const PopulationStore& store);
void take_skin(PopulationStore& store, const std::vector<ColumnData>& columns, std::size_t rows);
[[nodiscard]] Places places_in(const PopulationStore& store, std::vector<ColumnData>& columns) noexcept;

/// Who is here after a migration.
struct Arrivals {
  /// In the order that they had before, on all ranks: own rows, and from size() on those that arrived. They
  /// are Distribution::rows.
  std::span<const std::uint32_t> rows;
  std::vector<std::uint32_t> slots;  // of the Ids of those that arrived
};

/// Sends each agent to the rank whose cuts its key is between. The columns of those that arrive stand behind
/// the own rows, which are all still there; Distribution::keys are those of Arrivals::rows. Collective.
[[nodiscard]] Result<Arrivals> migrate(PopulationStore& store, const Luggage& luggage,
                                       std::span<const std::uint64_t> keys);

}  // namespace juxta::agents_detail
