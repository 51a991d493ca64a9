// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The boids of all ranks on one of them, in the order of one machine: by their keys (FlockOrigins), each of
// which is on one rank only.
#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "agents/flock_ranks.h"
#include "core/rank_gather.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

struct KeyCount {
  std::uint32_t key, boids;
};

/// Boids that stand together on a rank, and in the order of one machine.
struct Stretch {
  std::uint32_t key, rank;
  std::size_t from, to, count;
};

/// How many boids each key has.
std::vector<KeyCount> counts_of(const FlockOrigins& origins) {
  std::vector<KeyCount> counts;
  for (std::size_t i = 0; i < origins.keys.size(); ++i) {
    if (origins.begins[i + 1] != origins.begins[i]) {
      counts.push_back({origins.keys[i], origins.begins[i + 1] - origins.begins[i]});
    }
  }
  return counts;
}

/// In the order of one machine.
std::vector<Stretch> stretches_of(const std::vector<std::vector<KeyCount>>& keys) {
  std::vector<Stretch> all;
  for (std::uint32_t rank = 0; rank < keys.size(); ++rank) {
    std::size_t from = 0;
    for (const KeyCount& each : keys[rank]) {
      all.push_back({each.key, rank, from, 0, each.boids});
      from += each.boids;
    }
  }
  std::sort(all.begin(), all.end(), [](const Stretch& a, const Stretch& b) { return a.key < b.key; });
  std::size_t to = 0;
  for (Stretch& stretch : all) {
    stretch.to = to;
    to += stretch.count;
  }
  return all;
}

/// One column from all ranks to `into` on rank `to`.
Result<void> carry_column(Ranks& ranks, std::uint32_t to, const std::vector<Stretch>& stretches,
                          std::span<const std::byte> mine, void* into) {
  JUXTA_TRY_LET(const auto columns, core_detail::lists_on(ranks, to, mine));
  for (const Stretch& s : stretches) {
    std::memcpy(static_cast<std::byte*>(into) + s.to * kBoidValueBytes,
                columns[s.rank].data() + s.from * kBoidValueBytes, s.count * kBoidValueBytes);
  }
  return {};
}

}  // namespace
}  // namespace agents_detail

using namespace agents_detail;

Result<Flock> Flock::gather(std::uint32_t rank) const {
  const FlockStore& store = *store_;
  if (!store.ranks || rank >= store.ranks->ranks.size()) {
    return fail(ErrorCode::kInvalidArgument, "flock: it is not on several ranks, or there is no such rank");
  }
  Ranks& ranks = store.ranks->ranks;
  const std::vector<KeyCount> mine = counts_of(store.ranks->origins);
  JUXTA_TRY_LET(const auto keys, core_detail::lists_on<KeyCount>(ranks, rank, mine));
  const std::vector<Stretch> stretches = stretches_of(keys);  // none elsewhere
  const std::size_t all = stretches.empty() ? 0 : stretches.back().to + stretches.back().count;
  JUXTA_TRY_LET(Flock whole, build(store.options, store.memory));
  FlockStore& to = *whole.store_;
  to.resize(all);
  const auto carry = [&](const auto& from, auto& into) {
    return carry_column(ranks, rank, stretches, std::as_bytes(from), into.data());
  };
  for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
    JUXTA_TRY(carry(position(a), to.now.position[a]));
    JUXTA_TRY(carry(velocity(a), to.now.velocity[a]));
  }
  JUXTA_TRY(carry(numbers(), to.now.number));
  plan_cells(to, all);
  to.steps = store.steps;
  return whole;
}

}  // namespace juxta
