// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/see.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "agents/candidates_kernel.h"
#include "agents/columns_of_pass.h"
#include "agents/far_seers.h"
#include "agents/halo.h"
#include "agents/pass.h"
#include "agents/sparse_pass.h"
#include "agents/store.h"
#include "core/call_workspace.h"
#include "core/meanwhile.h"
#include "core/os.h"
#include "juxta/core/executor.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

static_assert(kSeersOfBlock % kMostSeers == 0, "groups are the same whatever runs them");

/// Blocks of seers between two pokes: some 100 us of work, where a poke takes one.
constexpr std::size_t kBlocksOfPoke = 8;

/// The columns of a pass.
struct PassColumns {
  ColumnNumbers seer, seen, found;
};

Result<void> check_radii(const PopulationStore& seers, std::uint32_t column, float radius,
                         const std::string& what) {
  if (column >= seers.columns.size() || seers.columns[column].kind != ColumnKind::kFloat) {
    return fail(ErrorCode::kInvalidArgument, what + ": radii is no column of floats of '" + seers.name + "'");
  }
  const float* const radii = seers.columns[column].as<float>();
  bool sound = true;  // without a branch first, which is a quarter of the time
  for (std::size_t row = 0; row < seers.size(); ++row) {
    sound = sound & (radii[row] >= 0) & (radii[row] <= radius);
  }
  for (std::size_t row = 0; !sound && row < seers.size(); ++row) {
    if (!(radii[row] >= 0 && radii[row] <= radius)) {
      return fail(ErrorCode::kInvalidArgument,
                  what + ": an agent's own radius must be from 0 to the radius of the pass", row);
    }
  }
  return {};
}

bool is_id(const Interaction& interaction, std::size_t found) {
  return (interaction.found_ids >> found & 1) != 0;
}

/// A column of Ids of agents of `target`.
Result<std::uint32_t> find_references(const PopulationStore& store, std::string_view name,
                                      const PopulationStore& target) {
  const ColumnData* const column = store.find(name);
  if (column == nullptr || column->kind != ColumnKind::kReference || column->target != target.name) {
    return fail(column == nullptr ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument,
                "see: '" + store.name + "' has no column '" + std::string(name) + "' of references to '" +
                    target.name + "'; add one with add_references()");
  }
  return static_cast<std::uint32_t>(column - store.columns.data());
}

Result<PassColumns> columns_of(const PopulationStore& seers, const PopulationStore& seen,
                               const Interaction& interaction, std::uint32_t radii) {
  PassColumns columns;
  JUXTA_TRY_LET(columns.seer, find_columns(seers, interaction.seer, "see"));
  JUXTA_TRY_LET(columns.seen, find_columns(seen, interaction.seen, "see"));
  for (std::size_t i = 0; i < interaction.found.size(); ++i) {
    JUXTA_TRY_LET(const std::uint32_t column, is_id(interaction, i)
                                                  ? find_references(seers, interaction.found[i], seen)
                                                  : find_float_column(seers, interaction.found[i], "see"));
    columns.found.add(column);
  }
  for (std::size_t i = 0; i < columns.found.size(); ++i) {
    const std::uint32_t column = columns.found[i];
    if (seers.is_place(column) || column == radii || columns.seer.count(column) != 0 ||
        (&seers == &seen && columns.seen.count(column) != 0) || columns.found.count(column) != 1) {
      return fail(ErrorCode::kInvalidArgument,
                  "see: column '" + seers.columns[column].name +
                      "' cannot be filled: this pass uses it for something else");
    }
  }
  return columns;
}

/// check_pass() of the rows that are here.
Result<void> check_here(const PopulationStore& seers, const PopulationStore& seen, float radius,
                        const SeeOptions& options, std::string_view named) {
  const std::string what(named);
  if (!(radius > 0) || !std::isfinite(radius)) {
    return fail(ErrorCode::kInvalidArgument, what + ": radius must be a finite number above 0");
  }
  if (options.metric == Metric::kBall && !std::isfinite(radius * radius)) {
    return fail(ErrorCode::kInvalidArgument,
                what +
                    ": the radius of a ball must be at most 1.8e19, so that its square is a float; use "
                    "Metric::kBox or a smaller unit");
  }
  if (seers.family != seen.family) {
    return fail(ErrorCode::kInvalidArgument, what + ": the two populations are of two simulations");
  }
  if (seen.sorted_at != seen.changed) {
    return fail(ErrorCode::kInvalidArgument,
                what + ": '" + seen.name + "' changed since it was sorted; call its sort() first");
  }
  JUXTA_TRY(active_isa());
  if (const std::uint32_t among = options.among.index; among != Column<std::uint8_t>::kNone) {
    if (among >= seen.columns.size() || seen.columns[among].kind != ColumnKind::kByte) {
      return fail(ErrorCode::kInvalidArgument, what + ": among is no column of bytes of '" + seen.name + "'");
    }
  }
  return options.radii.index == Column<float>::kNone ? Result<void>()
                                                     : check_radii(seers, options.radii.index, radius, what);
}

/// Hands seers [0, count) to the sweep, `grain` in a task; how many pairs that were.
std::size_t sweep_all(const Seeing& seeing, std::size_t count, std::size_t grain, const Executor& executor) {
  std::atomic<std::size_t> tested = 0;
  executor.parallel_for(count, grain, [&](std::size_t first, std::size_t last) {
    tested.fetch_add(sweep_seers(seeing, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)),
                     std::memory_order_relaxed);
  });
  return tested.load(std::memory_order_relaxed);
}

/// The same for some blocks of `count` seers.
std::size_t sweep_blocks(const Seeing& seeing, std::span<const std::uint32_t> blocks, std::size_t count,
                         const core_detail::Meanwhile& meanwhile, const Executor& executor) {
  std::atomic<std::size_t> tested = 0;
  executor.parallel_for(blocks.size(), 1, [&](std::size_t first, std::size_t last) {
    while (first < last) {
      const std::size_t begin = first, seer = blocks[first] * kSeersOfBlock;
      while (first < last && first - begin < kBlocksOfPoke &&
             blocks[first] - blocks[begin] == first - begin) {
        ++first;
      }
      const std::size_t end = std::min(seer + (first - begin) * kSeersOfBlock, count);
      tested.fetch_add(sweep_seers(seeing, static_cast<std::uint32_t>(seer), static_cast<std::uint32_t>(end)),
                       std::memory_order_relaxed);
      meanwhile.poke();
    }
  });
  return tested.load(std::memory_order_relaxed);
}

/// The seconds of this thread that a distributed population notes as its work.
class WorkClock {
 public:
  explicit WorkClock(Distribution* distribution) noexcept : distribution_(distribution) { go_on(); }
  ~WorkClock() { stop(); }
  WorkClock(const WorkClock&) = delete;
  WorkClock& operator=(const WorkClock&) = delete;

  void go_on() noexcept { began_ = distribution_ != nullptr ? core_detail::thread_seconds() : 0; }
  void stop() noexcept {
    if (distribution_ != nullptr && began_ >= 0) {
      distribution_->seconds += core_detail::thread_seconds() - std::exchange(began_, -1);
    }
  }

 private:
  Distribution* distribution_;
  double began_;
};

/// All seers: first those that see no ghosts, while the values of ghosts are under way.
Result<std::size_t> sweep_around_ghosts(const Seeing& seeing, Halo& halo, WorkClock& clock,
                                        const Executor& executor) {
  using core_detail::Meanwhile;
  const std::size_t count = halo.seers().size();
  const std::size_t tested = sweep_blocks(seeing, halo.inner(), count, Meanwhile(&halo.ranks()), executor);
  clock.stop();
  JUXTA_TRY(halo.finish());
  clock.go_on();
  return tested + sweep_blocks(seeing, halo.border(), count, Meanwhile(nullptr), executor);
}

}  // namespace

Result<void> check_pass(const PopulationStore& seers, const PopulationStore& seen, float radius,
                        const SeeOptions& options, std::string_view what) {
  const Result<void> here = check_here(seers, seen, radius, options, what);
  // What is wrong on one rank stops all: the others would wait for it.
  return seen.distribution ? agree(seen.distribution->ranks, here) : here;
}

SweepTask task_of_pass(const PopulationStore& seers, const PopulationStore& seen, float radius,
                       const SeeOptions& options) {
  SweepTask task{};
  task.dimensions = seen.world.dimensions;
  task.box = options.metric == Metric::kBox;
  task.radius = radius;
  if (options.radii.index != Column<float>::kNone) {
    task.radii = seers.columns[options.radii.index].as<float>();
  }
  for (std::uint32_t a = 0; a < seen.world.dimensions; ++a) {
    const bool periodic = seen.world.edges[a] == Edge::kPeriodic;
    task.period[a] = periodic ? seen.world.hi[a] - seen.world.lo[a] : 0;
    task.half_period[a] = periodic ? task.period[a] / 2 : std::numeric_limits<float>::infinity();
    task.seer_position[a] = seers.position(a);
    task.seen_position[a] = seen.position(a);
    const auto extents = [a](const PopulationStore& store) {
      return store.extents != Column<float>::kNone ? store.columns[store.extents + a].as<float>() : nullptr;
    };
    task.seer_extents[a] = extents(seers);
    task.seen_extents[a] = extents(seen);
  }
  return task;
}

Result<QueryResult> run_pass(const PopulationStore& seers, const SeenRows& seen, const SweepTask& task,
                             Sweep* sweep, const void* rules, const Context& context) {
  WorkClock clock(seers.distribution.get());
  const CallWorkspace call(context);
  const Executor& executor = executor_or_serial(context.executor);
  const FarSeers far = find_far_seers(task, seers.size(), *call);
  const Directory& directory = seen.directory();
  const Reach reach(directory, task.radius, !task.box);
  Seeing seeing{directory, reach, task, sweep, rules, &seers == &seen.population()};
  seeing.marked = seen.marked();
  seeing.first_own = seen.first_own();
  seeing.furthest = far.furthest;
  std::size_t tested = 0;
  if (Halo* const halo = seen.halo(); halo != nullptr && halo->is_under_way()) {
    JUXTA_TRY_LET(tested, sweep_around_ghosts(seeing, *halo, clock, executor));
  } else {
    tested = sweep_all(seeing, seers.size(), kSeersOfBlock, executor);
  }
  if (!far.rows.empty()) {
    copy_far_seers(far, seeing.task, *call);
    seeing.rows = seeing.are_seen ? far.rows.data() : nullptr;
    seeing.are_seen = false;
    seeing.furthest = std::numeric_limits<float>::infinity();
    tested += sweep_all(seeing, far.rows.size(), kMostSeers, executor);
    keep_what_far_seers_found(far, seeing.task, task);
  }
  return QueryResult{.tested = tested};
}

Result<QueryResult> see(Population& seers_of, const Population& seen_of, float radius, const void* rules,
                        const Interaction& interaction, const SeeOptions& options, const Context& context) {
  PopulationStore& seers = PopulationStore::of(seers_of);
  const PopulationStore& seen = PopulationStore::of(seen_of);
  JUXTA_TRY(check_pass(seers, seen, radius, options, "see"));
  JUXTA_TRY_LET(const PassColumns columns, columns_of(seers, seen, interaction, options.radii.index));
  SweepTask task = task_of_pass(seers, seen, radius, options);
  for (std::size_t i = 0; i < columns.seer.size(); ++i) {
    task.seer_columns[i] = seers.columns[columns.seer[i]].as<float>();
  }
  for (std::size_t i = 0; i < columns.seen.size(); ++i) {
    task.seen_columns[i] = seen.columns[columns.seen[i]].as<float>();
  }
  task.seen_column_count = columns.seen.size();
  for (std::size_t i = 0; i < columns.found.size(); ++i) {
    ColumnData& column = seers.columns[columns.found[i]];
    if (is_id(interaction, i)) {
      task.found_ids[i] = column.as<Id>();
      task.seen_slots = seen.ids.slots().data();
      task.seen_generations = seen.ids.state().generations.data();
      column.unchecked = true;  // who is seen may be dying already
    } else {
      task.found[i] = column.as<float>();
    }
  }
  JUXTA_TRY_LET(Halo* const halo, halo_for(seers, seen, task, options, context));
  const CallWorkspace scratch(context);
  const SeenRows rows(seen, halo, options, task, *scratch);
  return (is_sparse(seers, rows) ? run_sparse_pass : run_pass)(seers, rows, task, interaction.sweep(), rules,
                                                               context);
}

}  // namespace juxta::agents_detail
