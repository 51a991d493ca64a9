// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Steps of diffusion: which steps go together, and which task computes what.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <utility>

#include "core/call_workspace.h"
#include "grid/diffuse_kernel.h"
#include "grid/field_store.h"
#include "juxta/core/executor.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"

namespace juxta {
namespace grid_detail {
namespace {

constexpr std::size_t kMostTasks = 64;         // as many as a word has bits: see Slots
constexpr std::size_t kCellsOfTask = 1 << 16;  // of a single step
constexpr std::size_t kScratchBytes = 384 << 10;
constexpr std::uint32_t kMostStepsAtOnce = 8;
/// A task has at least so many slabs for each step that goes together: the slabs that it computes for itself
/// though its neighbours do too are then less than a quarter of its work.
constexpr std::size_t kSlabsPerStep = 4;

/// Memory of the tasks that run at once, given out from the lowest on, so that it stays in cache.
class Slots {
 public:
  explicit Slots(std::size_t count) noexcept : free_(count >= 64 ? ~std::uint64_t{0} : (1ULL << count) - 1) {}

  [[nodiscard]] std::size_t take() noexcept {
    std::uint64_t free = free_.load(std::memory_order_relaxed);
    while (true) {  // there are as many slots as tasks, so one is free
      const int lowest = std::countr_zero(free);
      if (free == 0) {
        free = free_.load(std::memory_order_relaxed);
      } else if (free_.compare_exchange_weak(free, free & (free - 1), std::memory_order_acquire,
                                             std::memory_order_relaxed)) {
        return static_cast<std::size_t>(lowest);
      }
    }
  }
  void give_back(std::size_t slot) noexcept {
    free_.fetch_or(std::uint64_t{1} << slot, std::memory_order_release);
  }

 private:
  std::atomic<std::uint64_t> free_;
};

/// How many steps go together, so that what is between them stays in a cache of 512 KiB.
std::uint32_t steps_at_once(DiffuseTask task) noexcept {
  task.steps = kMostStepsAtOnce;
  while (task.steps > 1 && scratch_of(task) * sizeof(float) > kScratchBytes) {
    --task.steps;
  }
  return task.steps;
}

/// One step of the slabs of this rank, which are all on one machine.
bool run_rows(const DiffuseTask& task, Slabs own, const Executor& executor) {
  const std::size_t begin = static_cast<std::size_t>(own.first) * rows_of_slab(task),
                    rows = static_cast<std::size_t>(own.last - own.first) * rows_of_slab(task);
  std::atomic<bool> sound{true};
  executor.parallel_for(rows, std::max<std::size_t>(kCellsOfTask / task.nx, 1),
                        [&](std::size_t first, std::size_t last) {
                          if (!diffuse_rows(task, begin + first, begin + last)) {
                            sound.store(false, std::memory_order_relaxed);
                          }
                        });
  return sound.load();
}

/// All steps of the slabs of this rank.
bool run_slabs(const DiffuseTask& task, Slabs own, const Context& context, Workspace& workspace) {
  const auto begin = static_cast<std::size_t>(own.first),
             slabs = static_cast<std::size_t>(own.last - own.first);
  const std::size_t grain = std::max((slabs + kMostTasks - 1) / kMostTasks, kSlabsPerStep * task.steps);
  const std::size_t count = context.executor == nullptr ? 1 : (slabs + grain - 1) / grain;
  const std::size_t floats = (scratch_of(task) + kArrayPadding - 1) / kArrayPadding * kArrayPadding;
  const Workspace::Scope scope(workspace);
  float* const scratch = workspace.take<float>(count * floats).data();
  Slots slots(count);
  std::atomic<bool> sound{true};
  executor_or_serial(context.executor).parallel_for(slabs, grain, [&](std::size_t first, std::size_t last) {
    const std::size_t slot = slots.take();
    if (!diffuse_slabs(task, begin + first, begin + last, scratch + slot * floats)) {
      sound.store(false, std::memory_order_relaxed);
    }
    slots.give_back(slot);
  });
  return sound.load();
}

DiffuseTask task_of(const FieldStore& store, const Diffusion& diffusion, const float* zeros) noexcept {
  const FieldOptions& options = store.options;
  DiffuseTask task{};
  task.nx = options.cells[0];
  task.ny = options.cells[1];
  task.nz = options.cells[2];
  task.edges = options.world.edges;
  task.dimensions = options.world.dimensions;
  task.amount = diffusion.amount;
  task.keep = 1 - diffusion.decay;
  task.zeros = zeros;
  return task;
}

Result<void> check(const FieldStore& store, const Diffusion& diffusion) {
  const std::uint32_t dimensions = store.options.world.dimensions;
  // The float nearest to a sixth is above it.
  const float most = dimensions == 2 ? 0.25F : 1.0F / 6;
  if (!(diffusion.amount >= 0 && diffusion.amount <= most)) {
    return fail(ErrorCode::kInvalidArgument, "The amount of diffusion is " +
                                                 std::to_string(diffusion.amount) + ". It must be 0 to " +
                                                 std::to_string(most) + ": take more and smaller steps.");
  }
  if (!(diffusion.decay >= 0 && diffusion.decay <= 1)) {
    return fail(ErrorCode::kInvalidArgument,
                "The decay is " + std::to_string(diffusion.decay) + ". It must be 0 to 1.");
  }
  return diffusion.component == Diffusion::kAllComponents ? Result<void>{}
                                                          : check_component(store, diffusion.component);
}

/// `read`: the slabs that were read; a rank may have found a value of another one.
Result<void> not_finite(const FieldStore& store, Slabs read, std::uint32_t component) {
  const auto slab = [&](const Array<float>& plane, std::int64_t s) {
    return first_not_finite(plane.data() + store.cell_of_slab(s), store.cell_of_slab(1));
  };
  const auto all = static_cast<std::int64_t>(store.slabs());
  for (std::int64_t i = read.first; i < read.last; ++i) {
    const std::int64_t s = (i + all) % all;
    if (const std::size_t at = slab(store.planes[component], s); at != store.cell_of_slab(1)) {
      const std::size_t cell = store.cell_of_slab(s) + at;
      return fail(ErrorCode::kNotFinite,
                  "The value of " + name_of_cell(store, component, cell) + " is not finite. Set it again.",
                  cell);
    }
  }
  const Slabs own = store.own();
  std::size_t cell = store.cell_of_slab(own.first);
  while (cell + 1 < store.cell_of_slab(own.last) && finite(store.spare[component][cell])) {
    ++cell;
  }
  return fail(ErrorCode::kNotFinite,
              "The magnitudes around " + name_of_cell(store, component, cell) +
                  " are too large: those of neighbours must add up to a float. Use smaller values.",
              cell);
}

/// The result of all ranks, on each of them.
Result<void> agreed(const FieldStore& store, Result<void> mine) {
  return store.over ? agree(store.over->ranks, mine) : mine;
}

/// Steps of components [first, last), as many at once as the task says.
Result<void> run_steps(FieldStore& store, const DiffuseTask& pattern, std::uint32_t first, std::uint32_t last,
                       const Context& context, Workspace& workspace) {
  DiffuseTask task = pattern;
  const Slabs own = store.own(), read = with_margin(store, own, task.steps);
  if (store.over) {
    JUXTA_TRY(fetch(store, read, first, last));
  }
  Result<void> done;
  for (std::uint32_t c = first; done && c < last; ++c) {
    task.from = store.planes[c].data();
    task.to = store.spare[c].data();
    const bool sound = task.steps == 1 ? run_rows(task, own, executor_or_serial(context.executor))
                                       : run_slabs(task, own, context, workspace);
    if (!sound) [[unlikely]] {
      done = not_finite(store, read, c);
    }
  }
  JUXTA_TRY(agreed(store, std::move(done)));
  for (std::uint32_t c = first; c < last; ++c) {
    std::swap(store.planes[c], store.spare[c]);
  }
  return {};
}

}  // namespace
}  // namespace grid_detail

Result<void> Field::diffuse(const Diffusion& diffusion, const Context& context) {
  grid_detail::FieldStore& store = *store_;
  JUXTA_TRY(grid_detail::agreed(store, grid_detail::check(store, diffusion)));
  const bool all = diffusion.component == Diffusion::kAllComponents;
  const std::uint32_t first = all ? 0 : diffusion.component,
                      last = all ? store.options.components : first + 1;
  for (std::uint32_t c = first; c < last; ++c) {
    store.spare[c].resize_discard(store.cells);
  }
  const CallWorkspace workspace(context);
  const std::span<float> zeros = (*workspace).take<float>(store.options.cells[0] + kArrayPadding);
  std::fill(zeros.begin(), zeros.end(), 0.0F);
  grid_detail::DiffuseTask task = grid_detail::task_of(store, diffusion, zeros.data());
  const std::uint32_t at_once = grid_detail::steps_at_once(task);
  for (std::uint32_t done = 0; done < diffusion.steps; done += task.steps) {
    const bool goes_on = report(context.monitor, "diffuse", done, diffusion.steps);
    JUXTA_TRY(grid_detail::agreed(
        store, goes_on
                   ? Result<void>()
                   : fail(ErrorCode::kCancelled, "The diffusion was cancelled after " + std::to_string(done) +
                                                     " of " + std::to_string(diffusion.steps) + " steps.")));
    task.steps = std::min(at_once, diffusion.steps - done);
    JUXTA_TRY(grid_detail::run_steps(store, task, first, last, context, *workspace));
  }
  return {};
}

}  // namespace juxta
