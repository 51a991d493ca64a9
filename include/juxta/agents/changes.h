// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "juxta/agents/column.h"
#include "juxta/core/export.h"
#include "juxta/core/owned.h"

namespace juxta {
namespace agents_detail {
struct NotedChanges;
struct PopulationStore;
}  // namespace agents_detail

/// Births and deaths of one population, noted during a step; Simulation::end_step() carries them out, deaths
/// first. One thread at a time.
class JUXTA_API Changes {
 public:
  /// An agent to be: it has every column's initial value, or its parent's, until set() says otherwise.
  class JUXTA_API Newborn {
   public:
    /// Its value in a column. A column that this population does not have is ignored.
    template <class T>
    Newborn& set(Column<T> column, const T& value) {
      put(column.index, &value, sizeof(T));
      return *this;
    }

   private:
    friend class Changes;
    Newborn(Changes& changes, std::size_t at) noexcept : changes_(changes), at_(at) {}
    void put(std::uint32_t column, const void* value, std::size_t bytes);
    Changes& changes_;
    std::size_t at_;  // of its bytes
  };

  /// Valid until the next birth noted here, and until the population gets another column.
  Newborn spawn();
  /// With the values that its parent has now; a row that is not there: initial values.
  Newborn spawn_like(std::uint32_t parent_row);
  /// The agent that stands in `row` now dies; once is enough, and it may move before the step ends. Any
  /// thread may name any row; one that is not there is ignored.
  void kill(std::uint32_t row);

 private:
  friend class Population;
  friend struct agents_detail::PopulationStore;
  explicit Changes(agents_detail::PopulationStore& store);

  agents_detail::PopulationStore* store_;
  Owned<agents_detail::NotedChanges> noted_;
};

}  // namespace juxta
