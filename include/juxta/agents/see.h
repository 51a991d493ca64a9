// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/agents/detail/check_rules.h"
#include "juxta/agents/detail/id_totals.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/interaction_types.h"
#include "juxta/agents/population.h"
#include "juxta/agents/see_options.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/query_result.h"

namespace juxta {
namespace agents_detail {
[[nodiscard]] JUXTA_API Result<QueryResult> see(Population& seers, const Population& seen, float radius,
                                                const void* rules, const Interaction& interaction,
                                                const SeeOptions& options, const Context& context);

/// see() with the loop that `sweep` gives, wherever it was compiled.
template <class Rules>
[[nodiscard]] Result<QueryResult> see_by(Sweep* (*sweep)(), Population& seers, const Population& seen,
                                         float radius, const Rules& rules, const SeeOptions& options,
                                         const Context& context) {
  if constexpr (check_interaction<Rules>()) {
    return see(
        seers, seen, radius, &rules,
        {Rules::template Seer<float>::kNames, Rules::template Seen<float>::kNames,
         Rules::template Found<float>::kNames, sweep, id_totals<typename Rules::template Found<float>>()},
        options, context);
  } else {
    return {};  // does not compile: the check says why
  }
}
}  // namespace agents_detail

/// One pass: for each seer, the rules' totals over all agents of `seen` that are near, itself left out when
/// the two populations are one. They are written to the seers' columns that Rules::Found names; all read the
/// state as it was before the pass. docs/interactions.md says how to write the rules.
///
/// Result:  `tested` alone is counted: pairs that were looked at, near or not.
/// Cost:    O(seers and pairs tested); sixteen pairs at a time.
/// Memory:  of the workspace, where only some are seen (`among`), few are seen or few see far: up to about 10
///          bytes an agent, and copies of columns.
/// Threads: uses the executor's. The same bits for any executor and instruction set.
/// Ranks:   collective (Simulation::distribute()); `tested` counts the pairs of this rank.
/// Errors:  kInvalidArgument (radius not a finite number above 0, or above 1.8e19 for balls; a radius of
///          `radii` out of range, with its row; `among` no column of bytes; `seen` not sorted since it
///          changed; populations of two simulations; a column of another type, or of references to others
///          than the seen; a column that the pass both reads and writes), kNotFound (a column, by name),
///          kUnsupportedCpu. No column was written then.
template <class Rules>
[[nodiscard]] Result<QueryResult> see(Population& seers, const Population& seen, float radius,
                                      const Rules& rules, const SeeOptions& options = {},
                                      const Context& context = {}) {
  return agents_detail::see_by(&agents_detail::sweep_of<Rules>, seers, seen, radius, rules, options, context);
}

}  // namespace juxta
