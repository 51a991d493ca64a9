// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what lists, pairs and visits of neighbours have in common (neighbour_lists.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "agents/lists_kernel.h"
#include "agents/store.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/neighbour_lists.h"
#include "juxta/core/error.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// Errors: those of neighbour_lists(), but for offsets. `what` begins the message.
[[nodiscard]] Result<void> check_lists(const PopulationStore& seers, const PopulationStore& seen,
                                       float radius, const NeighbourListOptions& options,
                                       std::string_view what);

/// What all ranges of a call have in common.
class ListSearch {
 public:
  /// Takes the numbers of rows from the workspace.
  ListSearch(const PopulationStore& seers, const PopulationStore& seen, float radius,
             const NeighbourListOptions& options, Workspace& workspace);

  [[nodiscard]] std::size_t dimensions() const noexcept { return task_.dimensions; }
  [[nodiscard]] std::size_t seers() const noexcept { return seers_.size(); }
  [[nodiscard]] std::size_t ranges() const noexcept {
    return (seers_.size() + kNeighbourRange - 1) / kNeighbourRange;
  }
  [[nodiscard]] std::size_t end_of(std::size_t range) const noexcept {
    return std::min((range + 1) * kNeighbourRange, seers_.size());
  }

  /// The lists of seers [first, last); how many pairs were tested. `first` is a multiple of kNeighbourRange.
  std::size_t find(std::size_t first, std::size_t last, ListSink& sink) const noexcept;

 private:
  const PopulationStore& seers_;
  const PopulationStore& seen_;
  SweepTask task_;
  Reach reach_;
  bool half_;
};

}  // namespace juxta::agents_detail
