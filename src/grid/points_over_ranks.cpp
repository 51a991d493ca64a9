// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "grid/points_over_ranks.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "juxta/core/try.h"

namespace juxta::grid_detail {
namespace {

constexpr std::int64_t kReach = 2;  // slabs on both sides of a point's own that its slope depends on

Result<void> add_portions(FieldStore& store, std::span<const Portion> portions, std::uint32_t component) {
  float* const values = store.planes[component].data();
  for (const Portion& portion : portions) {
    const float sum = values[portion.cell] + portion.amount;
    if (!finite(sum)) [[unlikely]] {
      return fail(ErrorCode::kNotFinite, "The sum in " + name_of_cell(store, component, portion.cell) +
                                             " is beyond float. Use smaller amounts.");
    }
    values[portion.cell] = sum;
  }
  return {};
}

}  // namespace

Result<void> fetch_around(const FieldStore& store, std::span<const float> positions,
                          std::uint32_t component) {
  const Axis& axis = store.slab_axis();
  const Slabs own = store.own();
  const std::int64_t slabs = axis.cells, middle = own.first + (own.last - own.first) / 2;
  const std::int64_t half = axis.edge == Edge::kPeriodic ? slabs / 2 : slabs + kReach;
  Slabs wanted{middle, middle};
  for (const float position : positions) {
    if (!finite(position)) {
      continue;  // refused later
    }
    // By the shorter way from the middle, so that what is across a periodic edge is near.
    auto slab = static_cast<std::int64_t>(std::floor(in_cells(axis, position)));
    slab += slab - middle > half ? -slabs : slab - middle < -half ? slabs : 0;
    wanted.first = std::min(wanted.first, slab);
    wanted.last = std::max(wanted.last, slab + 1);
  }
  return fetch(store, positions.empty() ? Slabs{} : with_margin(store, wanted, kReach), component,
               component + 1);
}

Result<void> hand_out(FieldStore& store, std::span<const Portion> portions, std::uint32_t component) {
  Ranks& ranks = store.over->ranks;
  const auto& owners = store.over->owners;
  std::vector<std::vector<Portion>> out(ranks.size()), in(ranks.size());
  for (const Portion& portion : portions) {
    const auto slab = static_cast<std::int64_t>(portion.cell / store.cell_of_slab(1));
    const auto owner =
        std::upper_bound(owners.begin(), owners.end(), slab,
                         [](std::int64_t s, const SlabsOfRank& of) { return s < of.slabs.last; });
    out[owner->rank].push_back(portion);
  }
  in[ranks.rank()] = std::move(out[ranks.rank()]);
  out[ranks.rank()].clear();
  std::vector<std::uint64_t> to(ranks.size()), from(ranks.size());
  std::transform(out.begin(), out.end(), to.begin(), [](const auto& one) { return one.size(); });
  JUXTA_TRY(ranks.swap(to, from));
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (to[r] != 0) {
      sends.push_back({r, std::as_bytes(std::span(out[r]))});
    }
    if (from[r] != 0) {
      in[r].resize(from[r]);
      receives.push_back({r, std::as_writable_bytes(std::span(in[r]))});
    }
  }
  JUXTA_TRY(ranks.start(sends, receives));
  JUXTA_TRY(ranks.finish());
  Result<void> done;
  for (std::uint32_t r = 0; done && r < ranks.size(); ++r) {
    done = add_portions(store, in[r], component);
  }
  return agree(ranks, done);
}

}  // namespace juxta::grid_detail
