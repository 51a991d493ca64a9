// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/random_columns.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "agents/columns_of_pass.h"
#include "agents/store.h"
#include "core/random_kernel.h"
#include "juxta/core/executor.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

constexpr std::size_t kWordsOfBlock = 4;
/// Agents per task, and Ids that are put together at once.
constexpr std::size_t kRowsOfTask = 4096, kIdsAtOnce = 256;

/// fill_random() of the columns with these numbers.
void fill_fractions(PopulationStore& store, const RandomKey& key, std::span<const std::uint32_t> columns,
                    const Executor& executor) {
  const std::span slots = store.ids.slots(), generations = store.ids.state().generations;
  executor.parallel_for(store.size(), kRowsOfTask, [&](std::size_t first, std::size_t last) {
    std::array<std::uint64_t, kIdsAtOnce> ids;
    std::array<float*, kWordsOfBlock> out{};
    for (; first < last; first += kIdsAtOnce) {
      const std::size_t count = std::min(kIdsAtOnce, last - first);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t slot = slots[first + i];
        ids[i] = random_id({slot, generations[slot]});
      }
      for (std::size_t c = 0; c < columns.size(); ++c) {
        out[c] = store.columns[columns[c]].as<float>() + first;
      }
      core_detail::philox_fractions(key, std::span(ids).first(count), std::span(out).first(columns.size()));
    }
  });
}

}  // namespace
}  // namespace agents_detail

Result<void> fill_random(Population& population, const RandomKey& key,
                         std::initializer_list<std::string_view> columns, const Context& context) {
  using namespace agents_detail;
  PopulationStore& store = PopulationStore::of(population);
  if (columns.size() > kWordsOfBlock) {
    return fail(ErrorCode::kInvalidArgument,
                "fill_random: a call fills at most four columns; make another call with another purpose");
  }
  ColumnNumbers numbers;
  for (const std::string_view name : columns) {
    JUXTA_TRY_LET(const std::uint32_t column, find_float_column(store, name, "fill_random"));
    if (numbers.count(column) != 0) {
      return fail(ErrorCode::kInvalidArgument,
                  "fill_random: column '" + std::string(name) + "' is named twice");
    }
    numbers.add(column);
  }
  std::array<std::uint32_t, kWordsOfBlock> found{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    found[i] = numbers[i];
    store.changed += store.is_place(found[i]) ? 1 : 0;
  }
  fill_fractions(store, key, std::span(found).first(numbers.size()), executor_or_serial(context.executor));
  return {};
}

Result<void> place_anywhere(Population& population, const RandomKey& key, const Context& context) {
  using namespace agents_detail;
  PopulationStore& store = PopulationStore::of(population);
  const World& world = store.world;
  constexpr std::array<std::uint32_t, 3> kAxes{0, 1, 2};
  if (std::find(world.edges.begin(), world.edges.begin() + world.dimensions, Edge::kOpen) !=
      world.edges.begin() + world.dimensions) {
    return fail(ErrorCode::kInvalidArgument,
                "place_anywhere: the world of '" + store.name +
                    "' has an axis without ends; give it walls or make it periodic");
  }
  const Executor& executor = executor_or_serial(context.executor);
  fill_fractions(store, key, std::span(kAxes).first(world.dimensions), executor);
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    const float lo = world.lo[axis], hi = world.hi[axis];
    float* const at = store.columns[axis].as<float>();
    for (std::size_t row = 0; row < store.size(); ++row) {
      at[row] = std::min(lo + (hi - lo) * at[row], hi);  // rounding may lead beyond
    }
  }
  ++store.changed;
  return {};
}

}  // namespace juxta
