// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string_view>

#include "juxta/agents/population.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/random.h"

namespace juxta {

/// Fills up to four columns of floats with random numbers in [0, 1), for actions and loops to use. Column i
/// of an agent gets random_fraction() of word i of random_block(key, random_id(its Id)). So a number depends
/// on seed, step, purpose and agent, and not on its row.
///
///   JUXTA_TRY(people.add_results({"luck", "east", "north"}));                             // once
///   JUXTA_TRY(fill_random(people, simulation.key(kDay), {"luck", "east", "north"}));      // each step
///
/// Cost:    about 3 ns an agent, for all columns together. Allocates nothing.
/// Threads: uses the executor's. The same bits for any executor and instruction set.
/// Errors:  kNotFound (a column, by name), kInvalidArgument (not a column of floats; more than four; a name
///          twice). No column was written then.
[[nodiscard]] JUXTA_API Result<void> fill_random(Population& population, const RandomKey& key,
                                                 std::initializer_list<std::string_view> columns,
                                                 const Context& context = {});

/// Puts every agent at a random place of its world, all places alike. An agent's coordinates are the words 0,
/// 1 (and 2) of its block, as above. Errors: kInvalidArgument (an axis with open edges has no places to
/// choose from). No agent was moved then.
[[nodiscard]] JUXTA_API Result<void> place_anywhere(Population& population, const RandomKey& key,
                                                    const Context& context = {});

}  // namespace juxta
