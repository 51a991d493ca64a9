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
/// Threads: one call at a time; an update shares its work among those of the executor.
/// Memory:  24 to 32 bytes a pair of a frame and 8 to 16 an event; up to 40 a pair from the workspace.
class JUXTA_API PairTracker {
 public:
  explicit PairTracker(std::pmr::memory_resource* resource = huge_page_resource());

  /// The pairs of this frame, in any order, each once: a pair given twice counts once.
  ///
  /// Cost:   if both frames have the order of find_pairs(), or are sorted: 3 ns a pair when one in 100 begins
  ///         and one in 100 ends, 5 to 8 when one in 10 does. Otherwise about 15: after the layer has sorted
  ///         its bodies again (LayerStats::sorts), where the order is random, and where pairs come twice.
  ///         20 where more than a quarter changes.
  /// Errors: kTooLarge (more than 2^32 - 2 pairs); then the tracker is as it was.
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
  // Both make the events, and the pairs of this frame in last_; context has a workspace. False: nothing was
  // done.
  Result<bool> change(std::span<const Pair> pairs, const Context& context);
  Result<void> compare(std::span<const Pair> pairs, const Context& context);

  void remember(std::span<const Pair> pairs);

  Array<Pair> now_, last_;  // ascending; last_ is scratch between updates
  Array<Pair> came_;        // those of now_ in the order in which they came ...
  bool matchable_ = false;  // ... and each once; otherwise matching uses now_
  Array<Pair> begun_, ended_;
};

}  // namespace juxta
