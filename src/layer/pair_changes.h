// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: ascending lists of pairs, compared and changed.
#pragma once

#include <cstddef>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/pair.h"

namespace juxta::layer_detail {

/// How many pairs are left when each stays once; they are the first ones then.
[[nodiscard]] std::size_t unique_pairs(std::span<Pair> ascending) noexcept;

struct Events {
  std::span<Pair> begun, ended;
};
/// What only `now` has and what only `last` has, of two ascending lists without repeats. `begun` and `ended`
/// must be as long as `now` and `last`, and one more. About 3 ns a pair.
[[nodiscard]] Events compare_pairs(std::span<const Pair> now, std::span<const Pair> last,
                                   std::span<Pair> begun, std::span<Pair> ended) noexcept;

/// Where a change writes: `now` has space for all pairs of `last` and `joined`, `begun` for those of
/// `joined`, `ended` for those of `left`; each for one more.
struct Outputs {
  Pair *now, *begun, *ended;
};
struct Changed {
  std::size_t now = 0, begun = 0, ended = 0;  ///< How many pairs there are.
};
/// `last` with those that joined and without those that left. All lists are ascending and without repeats,
/// and `left` is a part of `last`. A pair that joined and left stays. One that joined and is in `last` as
/// well, but not in `left`, stays too: it is a repeat. All others begin or end. About 2 ns a pair when a
/// tenth begins and a tenth ends, 1.3 when a hundredth does.
[[nodiscard]] Changed change_pairs(std::span<const Pair> last, std::span<const Pair> joined,
                                   std::span<const Pair> left, const Outputs& out, Workspace& workspace,
                                   const Executor* executor);

}  // namespace juxta::layer_detail
