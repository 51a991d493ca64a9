// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Random sequential activation.
#include "juxta/agents/sequential.h"

#include <algorithm>

#include "agents/activation_order.h"
#include "agents/store.h"
#include "juxta/order/radix_sort.h"
#include "juxta/order/reorder.h"

namespace juxta {
namespace agents_detail {

void activation_order(std::span<std::uint64_t> keys, std::span<std::uint32_t> rows, const IdTable& ids,
                      Workspace& scratch) {
  static_cast<void>(sort_pairs(keys, rows, {.workspace = &scratch}));  // refuses lengths only
  // Equal keys are rare, and stand in the order of rows: put into that of Ids.
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return random_id(ids.id_of(a)) < random_id(ids.id_of(b));
  };
  for (std::size_t i = 1; i < keys.size(); ++i) {
    for (std::size_t j = i; j > 0 && keys[j - 1] == keys[j] && before(rows[j], rows[j - 1]); --j) {
      std::swap(rows[j - 1], rows[j]);
    }
  }
}

}  // namespace agents_detail

std::size_t activate_randomly(Population& population, const RandomKey& key,
                              FunctionRef<void(std::uint32_t row)> body) {
  agents_detail::PopulationStore& store = agents_detail::PopulationStore::of(population);
  if (store.distribution) {
    return 0;
  }
  const std::size_t count = store.size();
  const Workspace::Scope scope(store.scratch);
  const auto keys = store.scratch.take<std::uint64_t>(count);
  const auto rows = store.scratch.take<std::uint32_t>(count);
  const auto dead = store.scratch.take<std::uint8_t>(count);
  std::fill(dead.begin(), dead.end(), std::uint8_t{0});
  for (std::size_t row = 0; row < count; ++row) {
    keys[row] = random_u64(key, random_id(store.ids.id_of(static_cast<std::uint32_t>(row))));
  }
  identity_order(rows);
  agents_detail::activation_order(keys, rows, store.ids, store.scratch);

  const auto links = store.ids.state().links;
  const auto mark = [&](std::span<const std::uint32_t> slots) {
    for (const std::uint32_t slot : slots) {
      if (links[slot] < count) {
        dead[links[slot]] = 1;
      }
    }
  };
  store.for_each_changes([&](const Changes& noted) { mark(agents_detail::PopulationStore::dying(noted)); });
  std::size_t marked = agents_detail::PopulationStore::dying(store.changes).size();
  std::size_t called = 0;
  for (const std::uint32_t row : rows) {
    if (dead[row] == 0) {
      body(row);
      ++called;
      const auto dying = agents_detail::PopulationStore::dying(store.changes);
      mark(dying.subspan(marked));
      marked = dying.size();
    }
  }
  return called;
}

}  // namespace juxta
