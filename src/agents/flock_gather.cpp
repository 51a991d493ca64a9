// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The boids of all ranks on one of them, in the order of one machine: by their keys (FlockOrigins), each of
// which is on one rank only.
#include <algorithm>
#include <cstring>
#include <numeric>
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

/// How many boids each key has, of all ranks, on rank `to`.
Result<std::vector<std::vector<KeyCount>>> keys_of_all(const FlockRanks& over, std::uint32_t to) {
  const FlockOrigins& origins = over.origins;
  Ranks& ranks = over.ranks;
  const std::uint32_t own = ranks.rank();
  std::vector<std::vector<KeyCount>> all(ranks.size());
  for (std::size_t i = 0; i < origins.keys.size(); ++i) {
    if (origins.begins[i + 1] != origins.begins[i]) {
      all[own].push_back({origins.keys[i], origins.begins[i + 1] - origins.begins[i]});
    }
  }
  JUXTA_TRY_LET(const auto counts, core_detail::all_gather(ranks, std::uint64_t{all[own].size()}));
  std::vector<RankReceive> receives;
  std::vector<RankSend> sends;
  for (std::uint32_t r = 0; r < ranks.size() && own == to; ++r) {
    if (r != own && counts[r] != 0) {
      all[r].resize(counts[r]);
      receives.push_back({r, std::as_writable_bytes(std::span(all[r]))});
    }
  }
  if (own != to && counts[own] != 0) {
    sends.push_back({to, std::as_bytes(std::span(all[own]))});
  }
  JUXTA_TRY(ranks.start(sends, receives));
  return ranks.finish().map([&] { return std::move(all); });
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
Result<void> carry_column(Ranks& ranks, std::uint32_t to, const std::vector<std::uint64_t>& counts,
                          const std::vector<Stretch>& stretches, const void* mine, void* into) {
  const std::uint32_t own = ranks.rank();
  std::vector<std::vector<std::byte>> received(ranks.size());
  std::vector<RankReceive> receives;
  std::vector<RankSend> sends;
  for (std::uint32_t r = 0; r < ranks.size() && own == to; ++r) {
    if (r != own && counts[r] != 0) {
      received[r].resize(static_cast<std::size_t>(counts[r]) * kBoidValueBytes);
      receives.push_back({r, received[r]});
    }
  }
  if (own != to && counts[own] != 0) {
    sends.push_back({to, {static_cast<const std::byte*>(mine), counts[own] * kBoidValueBytes}});
  }
  JUXTA_TRY(ranks.start(sends, receives));
  JUXTA_TRY(ranks.finish());
  for (std::size_t i = 0; i < stretches.size() && own == to; ++i) {
    const Stretch& s = stretches[i];
    const std::byte* const from =
        s.rank == own ? static_cast<const std::byte*>(mine) : received[s.rank].data();
    if (s.count != 0) {
      std::memcpy(static_cast<std::byte*>(into) + s.to * kBoidValueBytes, from + s.from * kBoidValueBytes,
                  s.count * kBoidValueBytes);
    }
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
  const bool here = ranks.rank() == rank;
  JUXTA_TRY_LET(const auto counts, core_detail::all_gather(ranks, std::uint64_t{store.count}));
  JUXTA_TRY_LET(const auto keys, keys_of_all(*store.ranks, rank));
  const std::vector<Stretch> stretches = here ? stretches_of(keys) : std::vector<Stretch>();
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  JUXTA_TRY_LET(Flock whole, build(store.options, store.memory));
  FlockStore& to = *whole.store_;
  to.resize(here ? all : 0);
  const auto carry = [&](const void* from, void* into) {
    return carry_column(ranks, rank, counts, stretches, from, into);
  };
  for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
    JUXTA_TRY(carry(position(a).data(), to.now.position[a].data()));
    JUXTA_TRY(carry(velocity(a).data(), to.now.velocity[a].data()));
  }
  JUXTA_TRY(carry(numbers().data(), to.now.number.data()));
  plan_cells(to, all);
  to.steps = store.steps;
  return whole;
}

}  // namespace juxta
