// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a pass of many seers over few seen.
#pragma once

#include "agents/marked_rows.h"
#include "agents/store.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/core/context.h"
#include "juxta/core/query_result.h"

namespace juxta::agents_detail {

/// Whether run_sparse_pass() can be called, and is worth its while: the seers are sorted, and many.
[[nodiscard]] bool is_sparse(const PopulationStore& seers, const SeenRows& seen) noexcept;

/// run_pass() for the rules of see(), of whose totals those of an agent without neighbours are the same for
/// all.
[[nodiscard]] Result<QueryResult> run_sparse_pass(const PopulationStore& seers, const SeenRows& seen,
                                                  const SweepTask& task, Sweep* sweep, const void* rules,
                                                  const Context& context);

}  // namespace juxta::agents_detail
