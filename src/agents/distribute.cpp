// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// From one simulation a rank to one over ranks, and back.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "agents/blueprint.h"
#include "agents/distribution.h"
#include "agents/migration.h"
#include "agents/simulation_store.h"
#include "agents/store.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

/// Where the agents of this rank are among those of all.
struct Place {
  std::uint64_t slots, rows;
};

/// One table of the Ids of all ranks: the slots of rank after rank.
Result<IdTable> join_tables(Ranks& ranks, const IdTable& mine, std::uint64_t first_slot,
                            std::pmr::memory_resource* memory) {
  const IdTable::State state = mine.state();
  std::vector<std::uint32_t> free;
  for (std::uint32_t slot = state.first_free; slot != IdTable::kNone; slot = state.links[slot]) {
    free.push_back(static_cast<std::uint32_t>(first_slot + slot));
  }
  JUXTA_TRY_LET(const auto generations, all_of_all<std::uint32_t>(ranks, state.generations));
  JUXTA_TRY_LET(const auto all_free, all_of_all<std::uint32_t>(ranks, free));
  std::vector<std::uint32_t> links(generations.size(), IdTable::kNone);
  std::uint32_t row = 0;
  for (std::size_t slot = 0; slot < links.size(); ++slot) {
    if ((generations[slot] & 1) != 0) {
      links[slot] = row++;
    }
  }
  for (std::size_t i = 0; i + 1 < all_free.size(); ++i) {
    links[all_free[i]] = all_free[i + 1];
  }
  return IdTable::restore({generations, links, all_free.empty() ? IdTable::kNone : all_free[0]}, memory);
}

Result<void> join(PopulationStore& store, Ranks& ranks, std::uint64_t& first_slot) {
  const Place mine{store.ids.state().generations.size(), store.size()};
  JUXTA_TRY_LET(const std::vector<Place> all, all_gather(ranks, mine));
  Place before{}, total{};
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) {
      before = total;
    }
    total.slots += all[r].slots;
    total.rows += all[r].rows;
  }
  if (total.slots >= IdTable::kNone) {
    return fail(ErrorCode::kTooLarge, "a population has at most 2^32 - 2 agents: make another one");
  }
  first_slot = before.slots;
  std::vector<std::uint32_t> slots(store.size());
  for (std::uint32_t row = 0; row < slots.size(); ++row) {
    slots[row] = static_cast<std::uint32_t>(first_slot + store.ids.slots()[row]);
  }
  JUXTA_TRY_LET(IdTable table, join_tables(ranks, store.ids, first_slot, store.memory));
  store.ids = std::move(table);
  store.ids.settle(slots);
  store.distribution = std::make_unique<Distribution>(ranks);
  store.distribution->next_number = total.rows;
  store.distribution->numbers.resize(store.size());
  for (std::size_t row = 0; row < store.size(); ++row) {
    store.distribution->numbers[row] = before.rows + row;
  }
  ++store.changed;
  ++store.members;
  return {};
}

/// The order of a skin, as far as all ranks must know it.
struct SkinTerms {
  std::uint64_t rows, kept;
  float radius;
  Arrangement arrangement;
};

SkinTerms terms_of(const PopulationStore& store) noexcept {
  const Skin& skin = store.skin;
  return {store.size(), skin.kept && skin.members == store.members ? 1U : 0U, skin.radius, skin.arrangement};
}

/// An order is kept if one rank brought all agents, and they stood in it.
Result<void> join_skins(PopulationStore& store, Ranks& ranks, const SkinTerms& mine) {
  JUXTA_TRY_LET(const std::vector<SkinTerms> all, all_gather(ranks, mine));
  const auto has_rows = [](const SkinTerms& terms) { return terms.rows != 0; };
  const auto owner = std::find_if(all.begin(), all.end(), has_rows);
  Skin& skin = store.skin;
  skin.kept = std::count_if(all.begin(), all.end(), has_rows) == 1 && owner->kept != 0;
  skin.directory = false;
  if (skin.kept) {
    skin.radius = owner->radius;
    skin.arrangement = owner->arrangement;
    skin.members = store.members;
  }
  return {};
}

/// Ids in columns follow the slots of those that they name.
void rename_references(SimulationStore& simulation, std::span<const std::uint64_t> first_slots) {
  for (const auto& population : simulation.populations) {
    PopulationStore& store = PopulationStore::of(*population);
    for (ColumnData& column : store.columns) {
      for (std::size_t t = 0; t < simulation.populations.size() && column.kind == ColumnKind::kReference;
           ++t) {
        if (simulation.populations[t]->name() == column.target) {
          for (Id& id : std::span(column.as<Id>(), store.size())) {
            id.slot += id == Id{} ? 0 : static_cast<std::uint32_t>(first_slots[t]);
          }
        }
      }
    }
  }
}

/// All agents of a population into an empty one like it.
Result<void> gather_population(PopulationStore& from, PopulationStore& to, std::uint32_t rank) {
  Distribution& distribution = *from.distribution;
  std::vector<std::uint64_t> cuts(distribution.size(), std::numeric_limits<std::uint64_t>::max());
  std::fill_n(cuts.begin(), rank + 1, std::uint64_t{0});
  Array<std::uint64_t> keys = std::move(distribution.keys);
  std::swap(cuts, distribution.cuts);
  const std::vector<std::uint64_t> anywhere(from.size());
  Luggage luggage = luggage_of(from, true);
  const bool kept = terms_of(from).kept != 0;
  std::vector<ColumnData> stood = kept ? columns_of_skin(from) : std::vector<ColumnData>();
  for (ColumnData& column : stood) {
    luggage.push_back(&column);
  }
  const Result<Arrivals> arrivals = migrate(from, luggage, anywhere);
  std::swap(cuts, distribution.cuts);
  distribution.keys = std::move(keys);
  if (!arrivals) {
    return tl::unexpected(arrivals.error());
  }
  if (distribution.rank() != rank) {
    return {};
  }
  const auto& rows = arrivals->rows;
  for (std::size_t c = 0; c < to.columns.size(); ++c) {
    ColumnData& column = to.columns[c];
    column.grow(rows.size());
    column.fill(rows.size(), rows.size() + kArrayPadding);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::memcpy(column.data.data() + i * column.bytes, from.columns[c].data.data() + rows[i] * column.bytes,
                  column.bytes);
    }
  }
  from.pad();  // the arrivals stood there
  const IdTable::State state = from.ids.state();
  std::vector<std::uint32_t> links(state.links.begin(), state.links.end());
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    links[rows[i] < from.size() ? from.ids.slots()[rows[i]] : arrivals->slots[rows[i] - from.size()]] = i;
  }
  JUXTA_TRY_LET(to.ids, IdTable::restore({state.generations, links, state.first_free}, to.memory));
  ++to.changed;
  ++to.members;
  if (kept) {
    for (ColumnData& column : stood) {
      column.grow_spare(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        std::memcpy(column.spare.data() + i * column.bytes, column.data.data() + rows[i] * column.bytes,
                    column.bytes);
      }
      std::swap(column.data, column.spare);
    }
    to.skin.kept = true;
    to.skin.radius = from.skin.radius;
    to.skin.arrangement = from.skin.arrangement;
    to.skin.members = to.members;
    take_skin(to, stood, rows.size());
  }
  return {};
}

}  // namespace
}  // namespace agents_detail

using namespace agents_detail;

Result<void> Simulation::distribute(Ranks& ranks) {
  if (store_->ranks != nullptr) {
    return fail(ErrorCode::kInvalidArgument, "distribute: this simulation is on several ranks already");
  }
  const std::vector<std::byte> mine = Blueprint::of(*store_);
  JUXTA_TRY_LET(
      std::vector<std::byte> first,
      all_of_all<std::byte>(ranks, ranks.rank() == 0 ? std::span(mine) : std::span<const std::byte>()));
  Result<void> like_first;
  if (store_->populations.empty() && store_->fields.empty()) {
    like_first = Blueprint::build(first, *store_, *this);
  } else if (mine != first) {
    like_first =
        fail(ErrorCode::kInvalidArgument,
             "distribute: this rank has another world, other populations, columns or fields, or another step "
             "or seed than rank 0: make them alike, or have no populations and fields here");
  } else {
    like_first = check_fields_here(*store_);
  }
  JUXTA_TRY(agree(ranks, like_first));
  std::vector<std::uint64_t> first_slots(store_->populations.size());
  for (std::size_t i = 0; i < first_slots.size(); ++i) {
    PopulationStore& store = PopulationStore::of(*store_->populations[i]);
    const SkinTerms terms = terms_of(store);
    JUXTA_TRY(join(store, ranks, first_slots[i]));
    JUXTA_TRY(join_skins(store, ranks, terms));
  }
  rename_references(*store_, first_slots);
  for (const auto& field : store_->fields) {
    JUXTA_TRY(field->field.distribute(ranks));
  }
  store_->ranks = &ranks;
  return {};
}

Ranks* Simulation::ranks() const noexcept {
  return store_->ranks;
}

Result<Simulation> Simulation::gather(std::uint32_t rank) {
  JUXTA_TRY_LET(Simulation whole, build(store_->world, store_->seed, store_->resource));
  JUXTA_TRY(Blueprint::build(Blueprint::of(*store_), *whole.store_, whole));
  JUXTA_TRY(gather_into(whole, rank));
  return whole;
}

Result<void> Simulation::gather_into(Simulation& whole, std::uint32_t rank) const {
  if (store_->ranks == nullptr || rank >= store_->ranks->size()) {
    return fail(ErrorCode::kInvalidArgument,
                "gather: this simulation is not on several ranks, or has no such rank");
  }
  whole.store_->step = store_->step;
  JUXTA_TRY(agree(*store_->ranks,
                  Blueprint::of(*whole.store_) == Blueprint::of(*store_)
                      ? Result<void>()
                      : fail(ErrorCode::kInvalidArgument,
                             "gather: into a simulation with other populations, columns or fields")));
  for (std::size_t i = 0; i < store_->populations.size(); ++i) {
    JUXTA_TRY(gather_population(PopulationStore::of(*store_->populations[i]),
                                PopulationStore::of(*whole.store_->populations[i]), rank));
  }
  for (std::size_t i = 0; i < store_->fields.size(); ++i) {
    JUXTA_TRY(
        grid_detail::FieldParts::gather_into(store_->fields[i]->field, whole.store_->fields[i]->field, rank));
  }
  return {};
}

}  // namespace juxta
