// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/agents/detail/check_rules.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/population.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"

namespace juxta {
namespace agents_detail {
[[nodiscard]] JUXTA_API Result<void> act(Population& population, const void* rules, const Action& action,
                                         const Context& context);

/// act() with the loop that `loop` gives, wherever it was compiled.
template <class Rules>
[[nodiscard]] Result<void> act_by(Act* (*loop)(), Population& population, const Rules& rules,
                                  const Context& context) {
  if constexpr (check_action<Rules>()) {
    return act(population, &rules,
               {Rules::template Reads<float>::kNames, Rules::template Writes<float>::kNames, loop}, context);
  } else {
    return {};  // does not compile: the check says why
  }
}
}  // namespace agents_detail

/// One pass over the agents: each agent's columns that Rules::Writes names, from those and the ones that
/// Rules::Reads names. When positions are among the written, sort() before the next see().
///
/// Cost:    O(n), sixteen agents at a time; the limit is the memory read and written. Allocates nothing.
/// Threads: uses the executor's. The same bits for any executor and instruction set.
/// Errors:  kNotFound (a column, by name), kInvalidArgument (a column of another type, or one that is in both
///          lists), kUnsupportedCpu. No column was written then.
template <class Rules>
[[nodiscard]] Result<void> act(Population& population, const Rules& rules, const Context& context = {}) {
  return agents_detail::act_by(&agents_detail::act_of<Rules>, population, rules, context);
}

}  // namespace juxta
