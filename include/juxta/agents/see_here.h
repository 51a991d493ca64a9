// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rules that stand in your program, as a struct or a lambda, compiled with the program's own flags: no file
// of rules, no CMake function. -march=native (or -march=x86-64-v3) gives them wide registers. The results
// have the bits of juxta_add_interactions(), whatever the flags, but for -ffast-math.
//
//   template <class F>
//   struct Seen { JUXTA_COLUMNS(ill); };
//   template <class F>
//   struct Found { JUXTA_TOTALS(Sum(ill_near)); };
//
//   const auto ask = juxta::interaction<juxta::NoColumns, Seen, Found>(
//       [](const auto&, const auto&, const auto& seen, auto& found) { found.ill_near.add(seen.ill); });
//   juxta::see_here(people, people, radius, ask);
//
// action() and act_here() do the same for what each agent does by itself.
//
// For one machine. A program for several, which chooses when it runs, has its rules in a file of their own
// (docs/interactions.md).
#pragma once

#include <utility>

#include "juxta/agents/act.h"
#include "juxta/agents/interaction.h"
#include "juxta/agents/see.h"

namespace juxta {

/// An interaction that is a function and the columns it reads and fills.
template <template <class> class SeerColumns, template <class> class SeenColumns,
          template <class> class FoundTotals, class Function>
struct FunctionInteraction {
  template <class F>
  using Seer = SeerColumns<F>;
  template <class F>
  using Seen = SeenColumns<F>;
  template <class F>
  using Found = FoundTotals<F>;
  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>& seer, const Seen<F>& seen, Found<F>& found) const {
    function(pair, seer, seen, found);
  }

  Function function;
};

/// A generic lambda as an interaction. It is called for Lanes and takes all four as `auto`;
/// docs/interactions.md says what it may do.
template <template <class> class SeerColumns, template <class> class SeenColumns,
          template <class> class FoundTotals, class Function>
[[nodiscard]] constexpr auto interaction(Function function) {
  return FunctionInteraction<SeerColumns, SeenColumns, FoundTotals, Function>{std::move(function)};
}

/// An action that is a function and the columns it reads and writes.
template <template <class> class ReadColumns, template <class> class WriteColumns, class Function>
struct FunctionAction {
  template <class F>
  using Reads = ReadColumns<F>;
  template <class F>
  using Writes = WriteColumns<F>;
  template <class F>
  void operator()(const Reads<F>& reads, Writes<F>& writes) const {
    function(reads, writes);
  }

  Function function;
};

/// A generic lambda as an action. It is called for Lanes and takes both as `auto`, the second one to write.
template <template <class> class ReadColumns, template <class> class WriteColumns, class Function>
[[nodiscard]] constexpr auto action(Function function) {
  return FunctionAction<ReadColumns, WriteColumns, Function>{std::move(function)};
}

/// see() with rules that this file compiles. Same results, cost and errors.
template <class Rules>
[[nodiscard]] Result<QueryResult> see_here(Population& seers, const Population& seen, float radius,
                                           const Rules& rules, const SeeOptions& options = {},
                                           const Context& context = {}) {
  const auto sweep = []() -> agents_detail::Sweep* { return &agents_detail::sweep_with<Rules>; };
  return agents_detail::see_by(+sweep, seers, seen, radius, rules, options, context);
}

/// act() with rules that this file compiles. Same results, cost and errors.
template <class Rules>
[[nodiscard]] Result<void> act_here(Population& population, const Rules& rules, const Context& context = {}) {
  const auto loop = []() -> agents_detail::Act* { return &agents_detail::act_with<Rules>; };
  return agents_detail::act_by(+loop, population, rules, context);
}

}  // namespace juxta
