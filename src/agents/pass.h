// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what passes have in common, whoever wrote their rules.
#pragma once

#include <string_view>

#include "agents/marked_rows.h"
#include "agents/store.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/see.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/query_result.h"

namespace juxta::agents_detail {

/// Whether a pass can be run; `what` begins the message ("see"). Errors: those of see(), but for columns.
/// Over ranks: collective.
[[nodiscard]] Result<void> check_pass(const PopulationStore& seers, const PopulationStore& seen, float radius,
                                      const SeeOptions& options, std::string_view what);

/// The task of a pass, without the columns that its rules read and fill.
[[nodiscard]] SweepTask task_of_pass(const PopulationStore& seers, const PopulationStore& seen, float radius,
                                     const SeeOptions& options);

/// Hands all seers to the sweep. Errors: those of Ranks, where values of ghosts are under way.
[[nodiscard]] Result<QueryResult> run_pass(const PopulationStore& seers, const SeenRows& seen,
                                           const SweepTask& task, Sweep* sweep, const void* rules,
                                           const Context& context);

}  // namespace juxta::agents_detail
