// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

#include "juxta/agents/column.h"
#include "juxta/agents/population.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"

namespace juxta {

/// Some agents of a population: those whose number in a column of floats is in [least, most]. Without a
/// column: all.
struct Where {
  Column<float> column{Column<float>::kNone};
  float least = -std::numeric_limits<float>::infinity();
  float most = std::numeric_limits<float>::infinity();
};

/// How many those are. A column that this population does not have, or that is not of floats: 0. Cost: a look
/// at each agent.
[[nodiscard]] JUXTA_API std::size_t count_where(const Population& population, const Where& where) noexcept;

/// Which agents count, and which are counted. Both change the result.
struct CountOptions {
  Where seers;  ///< All others get 0, and cost nearly nothing.
  Where seen;   ///< All others are not counted, and cost nearly nothing.
};

/// For each seer, how many agents of `seen` are within `radius` of it, itself left out when the two
/// populations are one. Written to the seers' column of floats `into`. Neither population need be sorted:
/// agents can move in leaps, and rows stay where they are. reduce() with kCount gives the same numbers for a
/// sorted population.
///
///   count_near(people, people, radius, "ill_near", {.seers = {days, 0, 0}, .seen = {days, 1}});
///
/// An agent whose position is not finite gets 0 and is not counted.
///
/// Cost:    about 15 ns for each that is seen, 1 for each seer that has none of them in or beside its cell,
///          and 20 for any other (20,000 agents with 6 neighbours each, one thread). Best while the agents
///          that are seen fit into the cache of a core: up to about 100,000. Beyond, or where all see and are
///          seen, sort() and reduce() are faster.
/// Memory:  up to about 40 bytes an agent that is seen, and 4 an agent, from the workspace; without one, kept
///          by the seers.
/// Threads: uses the executor's. The same bits for any executor and instruction set.
/// Errors:  kInvalidArgument (radius not a finite number above 0, or above 1.8e19; a column of another type,
///          or `into` a position; populations of two simulations; a periodic world, extents or several ranks:
///          sort() and reduce() do these), kNotFound (`into`), kUnsupportedCpu. No column was written then.
[[nodiscard]] JUXTA_API Result<void> count_near(Population& seers, const Population& seen, float radius,
                                                std::string_view into, const CountOptions& options = {},
                                                const Context& context = {});

}  // namespace juxta
