// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many look for a few: 100,000 fish for 200 sharks.
//
//   groups of seers   . . . X X . . . . . . X . . . .     who is asked are the few: near which groups of
//                           |_|_ shark 0    |_ shark 1    sixteen seers is each of them?
//   pairs             0 3, 0 4, 1 11                      sorted by group, stably: for each group who may be
//                                                         near, in ascending order, as every pass has them
//
// All other groups get what an agent without neighbours gets. That is the same for all of them: memory that
// is filled, at the speed of memory.
//
// Per shark:    a look at the seers' rows of cells, some 60 ns, and 15 ns a group.
// Determinism:  candidates ascend; those that are near none of a group change nothing.
#include "agents/sparse_pass.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <utility>

#include "agents/candidates_kernel.h"
#include "agents/pass.h"
#include "core/call_workspace.h"
#include "juxta/core/executor.h"

namespace juxta::agents_detail {
namespace {

/// So many seers for one that is seen, and for a pair: with fewer of them those who look are as fast.
constexpr std::size_t kMany = 64, kSeersOfPair = 8;
/// Seers of a task.
constexpr std::size_t kSeersOfTask = 4096;

struct Pair {
  std::uint32_t group, row;
};

/// Calls pair(group, row) for each of the seen and each group that it may be near, until it returns false.
template <class Visit>
void visit_pairs(const PopulationStore& seers, const SeenRows& seen, const SweepTask& task, Visit&& pair) {
  const Reach reach(seers.directory, task.radius, !task.box);
  bool goes_on = true;
  for (std::uint32_t row = 0; goes_on && row < seen.size(); ++row) {
    Bounds box;
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      const float half = task.seen_extents[a] != nullptr ? task.seen_extents[a][row] : 0;
      box.lo[a] = task.seen_position[a][row] - half;
      box.hi[a] = task.seen_position[a][row] + half;
    }
    std::uint32_t next = 0;  // groups below it have this one; runs ascend
    for_each_run(seers.directory, box, reach, [&](Run run) {
      const std::uint32_t end = run.first < run.last ? (run.last - 1) / kMostSeers + 1 : 0;
      for (std::uint32_t group = std::max(next, run.first / kMostSeers); group < end; ++group) {
        goes_on = pair(group, row);
      }
      next = std::max(next, end);
    });
  }
}

/// All pairs by group; false if there are more than there is room for, and begins is then without meaning.
bool list_pairs(const PopulationStore& seers, const SeenRows& seen, const SweepTask& task,
                std::span<Pair> room, std::span<std::uint32_t> begins, std::span<std::uint32_t> rows) {
  std::size_t count = 0;
  std::fill(begins.begin(), begins.end(), 0U);
  visit_pairs(seers, seen, task, [&](std::uint32_t group, std::uint32_t row) {
    if (count < room.size()) {
      room[count] = {group, row};
      ++begins[group];
    }
    return ++count <= room.size();
  });
  if (count > room.size()) {
    return false;
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& begin : begins) {
    sum += std::exchange(begin, sum);
  }
  for (const Pair& pair : room.first(count)) {
    rows[begins[pair.group]++] = pair.row;
  }
  std::copy_backward(begins.begin(), begins.end() - 1, begins.end());
  begins[0] = 0;
  return true;
}

/// What the rules say of an agent without neighbours: a number for each column that is filled.
std::array<float, kMostColumns> totals_of_nobody(SweepTask task, Sweep* sweep, const void* rules) noexcept {
  std::array<float, kMostColumns> totals{};
  std::array<Id, kMostColumns> ids;
  SweepGroup group{};
  group.count = 1;
  task.groups = &group;
  task.group_count = 1;
  for (std::size_t i = 0; i < kMostColumns; ++i) {
    task.found[i] = task.found[i] != nullptr ? &totals[i] : nullptr;
    task.found_ids[i] = task.found_ids[i] != nullptr ? &ids[i] : nullptr;
  }
  sweep(rules, task);
  return totals;
}

/// Seers [first, last) of groups that have no neighbours get its totals.
void fill_with(const std::array<float, kMostColumns>& nobody, const SweepTask& task,
               std::span<const std::uint32_t> begins, std::size_t first, std::size_t last) {
  const auto looks = [&](std::size_t seer) {
    return begins[seer / kMostSeers] < begins[seer / kMostSeers + 1];
  };
  while (first < last) {  // as far as nobody looks
    std::size_t end = first;
    while (end < last && !looks(end)) {
      end = std::min(last, end + kMostSeers);
    }
    for (std::size_t i = 0; i < kMostColumns; ++i) {
      if (task.found[i] != nullptr) {
        std::fill(task.found[i] + first, task.found[i] + end, nobody[i]);
      }
      if (task.found_ids[i] != nullptr) {
        std::fill(task.found_ids[i] + first, task.found_ids[i] + end, Id{});
      }
    }
    first = end + kMostSeers;
  }
}

}  // namespace

bool is_sparse(const PopulationStore& seers, const SeenRows& seen) noexcept {
  return !seen.has_ghosts() && (&seers != &seen.population() || seen.marked() != nullptr) &&
         seers.size() != 0 && seers.sorted_at == seers.changed && seen.size() * kMany <= seers.size();
}

Result<QueryResult> run_sparse_pass(const PopulationStore& seers, const SeenRows& seen, const SweepTask& task,
                                    Sweep* sweep, const void* rules, const Context& context) {
  const CallWorkspace call(context);
  const std::span<std::uint32_t> begins =
      (*call).take<std::uint32_t>((seers.size() + kMostSeers - 1) / kMostSeers + 1);
  const std::size_t most = seers.size() / kSeersOfPair;
  const std::span<std::uint32_t> listed_rows = (*call).take<std::uint32_t>(most);
  if (!list_pairs(seers, seen, task, (*call).take<Pair>(most), begins, listed_rows)) {
    return run_pass(seers, seen, task, sweep, rules, context);
  }
  const std::array<float, kMostColumns> nobody = totals_of_nobody(task, sweep, rules);
  const Directory& directory = seen.population().directory;
  const Reach reach(directory, task.radius, !task.box);
  Seeing seeing{directory, reach, task, sweep, rules, &seers == &seen.population()};
  seeing.marked = seen.marked();
  const Listed listed{begins.data(), listed_rows.data()};
  std::atomic<std::size_t> tested = 0;
  executor_or_serial(context.executor)
      .parallel_for(seers.size(), kSeersOfTask, [&](std::size_t first, std::size_t last) {
        fill_with(nobody, task, begins, first, last);
        tested.fetch_add(
            sweep_listed(seeing, listed, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)),
            std::memory_order_relaxed);
      });
  return QueryResult{.tested = tested.load(std::memory_order_relaxed)};
}

}  // namespace juxta::agents_detail
