// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/array.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/layer/pair.h"

namespace juxta {

/// Tells which overlaps began and which ended from one frame to the next.
///
///   last frame  (1,2) (3,7)       (8,9)
///   this frame  (1,2)       (4,5) (8,9)    ->  begun (4,5), ended (3,7)
///
/// Threads: one call at a time. Memory: 8 bytes a pair of two frames and of the events.
class JUXTA_API PairTracker {
 public:
  explicit PairTracker(std::pmr::memory_resource* resource = huge_page_resource());

  /// The pairs of this frame, in any order (sorted ones cost less), each once: a pair given twice counts
  /// once. Cost: one radix sort and one merge, about 21 ns a pair. Errors: kTooLarge.
  [[nodiscard]] Result<void> update(std::span<const Pair> pairs, const Context& context = {});

  /// Pairs of this frame that the last one had not, and the other way round; ascending. Until the next
  /// update.
  [[nodiscard]] std::span<const Pair> begun() const noexcept { return begun_.span(); }
  [[nodiscard]] std::span<const Pair> ended() const noexcept { return ended_.span(); }
  /// All pairs of this frame, ascending.
  [[nodiscard]] std::span<const Pair> pairs() const noexcept { return now_.span(); }
  /// Forgets every pair: the next update begins all of its own.
  void clear() noexcept;

 private:
  Array<Pair> now_, last_, begun_, ended_;
};

}  // namespace juxta
