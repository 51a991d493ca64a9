// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the loop over agents, with an action inlined into it: sixteen at a time.
#pragma once

#include "juxta/agents/detail/check_rules.h"
#include "juxta/agents/detail/fields.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/interaction_types.h"

namespace juxta::agents_detail {
inline namespace JUXTA_LANES_NAMESPACE {

template <class Rules>
void act_with(const void* action, const ActTask& task) {
  using Floats = Lanes<float>;
  if constexpr (check_action<Rules>()) {
    const Rules& rules = *static_cast<const Rules*>(action);
    for (std::uint32_t row = task.first; row < task.last; row += kLanes) {
      typename Rules::template Reads<Floats> reads;
      typename Rules::template Writes<Floats> writes;
      for_each_field(
          reads, [&](std::size_t i, Floats & field) __attribute__((always_inline)) {
            __builtin_memcpy(&field, task.reads[i] + row, sizeof(field));
          });
      for_each_field(
          writes, [&](std::size_t i, Floats & field) __attribute__((always_inline)) {
            __builtin_memcpy(&field, task.writes[i] + row, sizeof(field));
          });
      rules(static_cast<const typename Rules::template Reads<Floats>&>(reads), writes);
      for_each_field(
          writes, [&](std::size_t i, Floats & field) __attribute__((always_inline)) {
            __builtin_memcpy(task.writes[i] + row, &field, sizeof(field));
          });
    }
  }
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta::agents_detail
