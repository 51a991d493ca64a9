// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/act.h"

#include "agents/columns_of_pass.h"
#include "juxta/core/executor.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

/// Agents per task: whole sixteens.
constexpr std::size_t kActing = 4096;

}  // namespace

Result<void> act(Population& population, const void* rules, const Action& action, const Context& context) {
  PopulationStore& store = PopulationStore::of(population);
  JUXTA_TRY_LET(const ColumnNumbers reads, find_columns(store, action.reads, "act"));
  JUXTA_TRY_LET(const ColumnNumbers writes, find_columns(store, action.writes, "act"));
  JUXTA_TRY(active_isa());
  ActTask task{};
  for (std::size_t i = 0; i < reads.size(); ++i) {
    task.reads[i] = store.columns[reads[i]].as<float>();
  }
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const std::uint32_t column = writes[i];
    if (reads.count(column) + writes.count(column) != 1) {
      return fail(ErrorCode::kInvalidArgument,
                  "act: column '" + store.columns[column].name + "' is named twice");
    }
    task.writes[i] = store.columns[column].as<float>();
  }
  for (const std::uint32_t column : writes) {
    store.changed += store.is_place(column);
  }
  Act* const body = action.act();
  executor_or_serial(context.executor)
      .parallel_for(store.size(), kActing, [&](std::size_t first, std::size_t last) {
        ActTask rows = task;
        rows.first = static_cast<std::uint32_t>(first);
        rows.last = static_cast<std::uint32_t>(last);
        body(rules, rows);
      });
  return {};
}

}  // namespace juxta::agents_detail
