// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "grid/field_ranks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "core/rank_gather.h"
#include "grid/field_store.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"

namespace juxta {
namespace grid_detail {
namespace {

/// A run of slabs as one or two that do not wrap.
std::array<Slabs, 2> unwrapped(Slabs run, std::int64_t slabs) noexcept {
  if (run.first < 0) {
    return {Slabs{0, run.last}, Slabs{run.first + slabs, slabs}};
  }
  if (run.last > slabs) {
    return {Slabs{0, run.last - slabs}, Slabs{run.first, slabs}};
  }
  return {run, Slabs{}};
}

/// Calls visit(slabs) for what `rank` owns of a run.
template <class Visit>
void for_each_owned(const FieldStore& store, Slabs run, std::uint32_t rank, Visit&& visit) {
  for (const Slabs& part : unwrapped(run, static_cast<std::int64_t>(store.slabs()))) {
    for (const SlabsOfRank& owner : store.over->owners) {
      const Slabs both{std::max(part.first, owner.slabs.first), std::min(part.last, owner.slabs.last)};
      if (owner.rank == rank && both.first < both.last) {
        visit(both);
      }
    }
  }
}

/// Calls visit(floats) for the values of those slabs, component after component.
template <class Visit>
void for_each_piece(const FieldStore& store, Slabs run, std::uint32_t rank, std::uint32_t first,
                    std::uint32_t last, Visit&& visit) {
  for (std::uint32_t c = first; c < last; ++c) {
    for_each_owned(store, run, rank, [&](Slabs slabs) {
      // Slabs of others are a copy that belongs to no state: reading fields may bring it up to date.
      float* const values = const_cast<float*>(store.planes[c].data());
      visit(std::span(values + store.cell_of_slab(slabs.first), values + store.cell_of_slab(slabs.last)));
    });
  }
}

}  // namespace

Slabs even_slabs(std::int64_t slabs, std::uint32_t rank, std::uint32_t ranks) noexcept {
  return {slabs * rank / ranks, slabs * (std::int64_t{rank} + 1) / ranks};
}

Slabs with_margin(const FieldStore& store, Slabs slabs, std::int64_t margin) noexcept {
  const auto all = static_cast<std::int64_t>(store.slabs());
  if (slabs.first == slabs.last) {
    return {};
  }
  const Slabs wide{slabs.first - margin, slabs.last + margin};
  if (wide.last - wide.first >= all) {
    return {0, all};
  }
  return store.slab_axis().edge == Edge::kPeriodic
             ? wide
             : Slabs{std::max<std::int64_t>(wide.first, 0), std::min(wide.last, all)};
}

Result<void> fetch(const FieldStore& store, Slabs wanted, std::uint32_t first, std::uint32_t last) {
  Ranks& ranks = store.over->ranks;
  JUXTA_TRY_LET(const std::vector<Slabs> wishes, core_detail::all_gather(ranks, wanted));
  std::vector<std::vector<float>> out(ranks.size()), in(ranks.size());
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) {
      continue;
    }
    for_each_piece(store, wishes[r], ranks.rank(), first, last, [&](std::span<float> values) {
      out[r].insert(out[r].end(), values.begin(), values.end());
    });
    std::size_t due = 0;
    for_each_piece(store, wanted, r, first, last, [&](std::span<float> values) { due += values.size(); });
    in[r].resize(due);
    if (!out[r].empty()) {
      sends.push_back({r, std::as_bytes(std::span(out[r]))});
    }
    if (due != 0) {
      receives.push_back({r, std::as_writable_bytes(std::span(in[r]))});
    }
  }
  JUXTA_TRY(ranks.start(sends, receives));
  JUXTA_TRY(ranks.finish());
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    const float* from = in[r].data();
    for_each_piece(store, r == ranks.rank() ? Slabs{} : wanted, r, first, last, [&](std::span<float> values) {
      std::copy_n(from, values.size(), values.begin());
      from += values.size();
    });
  }
  return {};
}

FieldStore& FieldParts::of(Field& field) noexcept {
  return *field.store_;
}
const FieldStore& FieldParts::of(const Field& field) noexcept {
  return *field.store_;
}

Result<Field> FieldParts::build_unset(const FieldOptions& options, std::pmr::memory_resource* resource) {
  JUXTA_TRY(active_isa());
  return Field(make_owned<FieldStore>(options, resource));
}

Result<void> FieldParts::join(Field& field, Ranks& ranks, std::vector<SlabsOfRank> owners) {
  FieldStore& store = *field.store_;
  const auto slabs = static_cast<std::int64_t>(store.slabs());
  store.over = std::make_unique<FieldRanks>(FieldRanks{ranks, std::move(owners)});
  JUXTA_TRY(fetch(store, even_slabs(slabs, ranks.rank(), ranks.size()), 0, store.options.components));
  store.over->owners.clear();
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    store.over->owners.push_back({even_slabs(slabs, r, ranks.size()), r});
  }
  return {};
}

Result<void> FieldParts::gather_into(const Field& field, Field& whole, std::uint32_t rank) {
  const FieldStore& store = *field.store_;
  const auto slabs = static_cast<std::int64_t>(store.slabs());
  const bool here = store.over->ranks.rank() == rank;
  JUXTA_TRY(fetch(store, here ? Slabs{0, slabs} : Slabs{}, 0, store.options.components));
  for (std::uint32_t c = 0; here && c < store.options.components; ++c) {
    std::copy(store.planes[c].begin(), store.planes[c].end(), whole.values(c).begin());
  }
  return {};
}

}  // namespace grid_detail

Result<void> Field::distribute(Ranks& ranks) {
  if (store_->over) {
    return fail(ErrorCode::kInvalidArgument, "This field is on several ranks already.");
  }
  JUXTA_TRY_LET(const auto shapes, core_detail::all_gather(ranks, grid_detail::shape_of(*store_)));
  if (std::adjacent_find(shapes.begin(), shapes.end(), std::not_equal_to<>()) != shapes.end()) {
    return fail(ErrorCode::kInvalidArgument,
                "The fields of the ranks have other cells, components or worlds. Give all the same options.");
  }
  return grid_detail::FieldParts::join(*this, ranks, {{{0, static_cast<std::int64_t>(store_->slabs())}, 0}});
}

Result<Field> Field::gather(std::uint32_t rank) const {
  if (!store_->over || rank >= store_->over->ranks.size()) {
    return fail(ErrorCode::kInvalidArgument, "This field is not on several ranks, or there is no such rank.");
  }
  JUXTA_TRY_LET(Field whole, build(store_->options, store_->memory));
  JUXTA_TRY(grid_detail::FieldParts::gather_into(*this, whole, rank));
  return whole;
}

Ranks* Field::ranks() const noexcept {
  return store_->over ? &store_->over->ranks : nullptr;
}

}  // namespace juxta
