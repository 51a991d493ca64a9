// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/halo.h"

#include <algorithm>

#include "agents/arrange.h"
#include "agents/distribution.h"
#include "agents/halo_boxes.h"
#include "agents/store.h"
#include "agents/trade.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

/// Agents that are sent together. Small blocks send less that nobody sees; large ones are found sooner.
constexpr std::size_t kRowsOfBlock = 64;

/// What a rank tells of itself.
struct Whereabouts {
  Bounds seers, seen;
  std::uint64_t seen_count;
};

}  // namespace

Halo::Halo(const PopulationStore& seers, const PopulationStore& seen)
    : seers_(seers),
      seen_(seen),
      keys_(seen.memory),
      slots_(seen.memory),
      directory_(seen.memory),
      scratch_(seen.memory) {}

bool Halo::is_good_for(float reach) const noexcept {
  return reach <= reach_ && sorts_ == seen_.distribution->sorts &&
         (&seers_ == &seen_ ||
          (seers_changed_ == seers_.changed && seers_sorts_ == seers_.distribution->sorts));
}

Result<void> Halo::find_neighbours(float reach) {
  Ranks& ranks = seen_.distribution->ranks;
  const World& world = seen_.world;
  const std::vector<Bounds> blocks = boxes_of(seen_, kRowsOfBlock),
                            seers = &seers_ == &seen_ ? joined(blocks, kSeersOfBlock / kRowsOfBlock)
                                                      : boxes_of(seers_, kSeersOfBlock);
  const Whereabouts here{around(seers), around(blocks), seen_.size()};
  JUXTA_TRY_LET(const std::vector<Whereabouts> all, all_gather(ranks, here));
  std::vector<std::vector<Bounds>> asking(ranks.size());
  neighbours_.resize(ranks.size());
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    neighbours_[r].near.clear();
    for (std::uint32_t b = 0; b < seers.size() && r != ranks.rank() && all[r].seen_count != 0; ++b) {
      if (are_near(seers[b], all[r].seen, world, reach)) {
        neighbours_[r].near.push_back(b);
        asking[r].push_back(seers[b]);
      }
    }
  }
  JUXTA_TRY_LET(const auto asked, trade(ranks, asking));
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    Neighbour& neighbour = neighbours_[r];
    neighbour.rows.clear();
    for (std::size_t b = 0; b < blocks.size() && !asked[r].empty(); ++b) {
      if (are_near(blocks[b], all[r].seers, world, reach) &&
          std::any_of(asked[r].begin(), asked[r].end(),
                      [&](const Bounds& box) { return are_near(blocks[b], box, world, reach); })) {
        const std::size_t end = std::min((b + 1) * kRowsOfBlock, seen_.size());
        for (std::size_t row = b * kRowsOfBlock; row < end; ++row) {
          neighbour.rows.push_back(static_cast<std::uint32_t>(row));
        }
      }
    }
  }
  return {};
}

Result<void> Halo::carry_keys(const Executor& executor) {
  const Distribution& distribution = *seen_.distribution;
  Ranks& ranks = distribution.ranks;
  std::vector<std::uint64_t> counts(ranks.size()), coming(ranks.size());
  std::transform(neighbours_.begin(), neighbours_.end(), counts.begin(),
                 [](const Neighbour& neighbour) { return neighbour.rows.size(); });
  JUXTA_TRY(ranks.swap(counts, coming));
  before_ = after_ = 0;
  own_ = seen_.size();
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    neighbours_[r].ghosts = coming[r];
    (r < ranks.rank() ? before_ : after_) += static_cast<std::uint32_t>(coming[r]);
  }
  slots_.of = seen_.ids.slots().data();
  slots_.bytes = sizeof(std::uint32_t);
  find_border();
  Copy* const slots = &slots_;
  JUXTA_TRY(start_carrying({&slots, 1}));
  JUXTA_TRY(finish_carrying({&slots, 1}));
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    Neighbour& neighbour = neighbours_[r];
    neighbour.keys.resize(neighbour.rows.size());
    if (!distribution.run.empty()) {
      distribution.run.find(neighbour.rows, neighbour.keys.data());
    } else {
      std::transform(neighbour.rows.begin(), neighbour.rows.end(), neighbour.keys.begin(),
                     [&](std::uint32_t row) { return distribution.keys[row]; });
    }
    if (!neighbour.keys.empty()) {
      sends.push_back({r, std::as_bytes(std::span(neighbour.keys))});
    }
  }
  keys_.resize_discard(size());
  std::size_t below = 0, above = before_ + own_;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    std::size_t& row = r < ranks.rank() ? below : above;
    if (neighbours_[r].ghosts != 0) {
      receives.push_back({r, std::as_writable_bytes(keys_.span().subspan(row, neighbours_[r].ghosts))});
    }
    row += neighbours_[r].ghosts;
  }
  JUXTA_TRY(ranks.start(sends, receives));
  JUXTA_TRY(ranks.finish());
  fill_begins(executor);
  return {};
}

void Halo::find_border() {
  std::vector<bool> waits((seers_.size() + kSeersOfBlock - 1) / kSeersOfBlock);
  for (const Neighbour& neighbour : neighbours_) {
    for (std::size_t i = 0; i < neighbour.near.size() && neighbour.ghosts != 0; ++i) {
      waits[neighbour.near[i]] = true;
    }
  }
  inner_.clear();
  border_.clear();
  for (std::uint32_t block = 0; block < waits.size(); ++block) {
    (waits[block] ? border_ : inner_).push_back(block);
  }
}

void Halo::fill_begins(const Executor& executor) {
  const Directory& from = seen_.directory;
  const CellRun& run = seen_.distribution->run;
  directory_.arrangement = from.arrangement;
  directory_.grid = from.grid;
  directory_.winding = from.winding;
  directory_.height = from.height;
  directory_.crowded = from.crowded;
  if (run.empty() && own_ != 0) {
    std::copy_n(seen_.distribution->keys.data(), own_, keys_.data() + before_);
  }
  if (from.arrangement == Arrangement::kHashed) {
    directory_.hashed.axis = from.hashed.axis;
    directory_.hashed.bits = from.hashed.bits;
    directory_.hashed.fill(keys_.span(), directory_.begins, scratch_, executor);
    return;
  }
  if (from.arrangement != Arrangement::kRows) {
    directory_.curve.fill(from.arrangement, from.curve.bits, from.grid.dimensions);
  }
  const auto& axis = from.grid.axis;
  const std::size_t cells = std::size_t{axis[0].cells} * axis[1].cells * axis[2].cells;
  directory_.begins.resize_discard(cells + 1);
  std::uint32_t* const begins = directory_.begins.data();
  std::size_t cell = 0;
  const auto fill = [&](std::size_t row, std::size_t last) {
    for (; row < last; ++row) {
      for (; cell <= keys_[row]; ++cell) {
        begins[cell] = static_cast<std::uint32_t>(row);
      }
    }
  };
  fill(0, before_);
  if (run.empty()) {
    fill(before_, before_ + own_);
  } else {
    std::fill(begins + cell, begins + run.first, before_);
    cell = run.first + run.begins.size() - 1;
    std::transform(run.begins.begin(), run.begins.end(), begins + run.first,
                   [this](std::uint32_t row) { return before_ + row; });
  }
  fill(before_ + own_, size());
  std::fill(begins + cell, begins + cells + 1, static_cast<std::uint32_t>(size()));
}

Result<void> Halo::build(float reach, const Executor& executor) {
  reach_ = reach;
  sorts_ = seen_.distribution->sorts;
  seers_changed_ = seers_.changed;
  seers_sorts_ = seers_.distribution->sorts;
  JUXTA_TRY(find_neighbours(reach));
  return carry_keys(executor);
}

std::size_t Halo::memory_bytes() const noexcept {
  std::size_t bytes =
      keys_.memory_bytes() + slots_.data.memory_bytes() + directory_.memory_bytes() + scratch_.memory_bytes();
  for (const Copy& copy : copies_) {
    bytes += copy.data.memory_bytes();
  }
  for (const Neighbour& neighbour : neighbours_) {
    bytes += neighbour.rows.capacity() * sizeof(std::uint32_t) +
             neighbour.keys.capacity() * sizeof(std::uint64_t) +
             neighbour.near.capacity() * sizeof(std::uint32_t) + neighbour.sent.capacity() +
             neighbour.received.capacity();
  }
  return bytes;
}

Result<Halo*> halo_for(const PopulationStore& seers, const PopulationStore& seen, SweepTask& task,
                       const SeeOptions& options, const Context& context) {
  if (!seen.distribution) {
    return nullptr;
  }
  const std::uint8_t* const marks = options.among.index != Column<std::uint8_t>::kNone
                                        ? seen.columns[options.among.index].as<std::uint8_t>()
                                        : nullptr;
  Distribution& distribution = *seen.distribution;
  auto& halos = distribution.halos;
  const auto known =
      std::find_if(halos.begin(), halos.end(), [&](const auto& halo) { return &halo->seers() == &seers; });
  Halo& halo = known != halos.end() ? **known : *halos.emplace_back(std::make_unique<Halo>(seers, seen));
  const Reach asked(seen.directory, task.radius, false);
  const auto furthest = [&](const Reach& reach) {
    return *std::max_element(reach.wide.begin(), reach.wide.begin() + task.dimensions);
  };
  const Executor& executor = executor_or_serial(context.executor);
  const bool good = halo.is_good_for(furthest(asked));
  // Seers of another population may have moved on some ranks and not on others.
  JUXTA_TRY_LET(const std::vector<std::uint8_t> all_good,
                all_gather(distribution.ranks, static_cast<std::uint8_t>(good ? 1 : 0)));
  if (std::find(all_good.begin(), all_good.end(), 0) != all_good.end()) {
    // Whom the coming passes reach too, and where agents may be until the order is made anew.
    const float radius = std::max(task.radius, seen.directory.radius) + 2 * distribution.skin;
    JUXTA_TRY(halo.build(furthest(Reach(seen.directory, radius, false)), executor));
  }
  JUXTA_TRY(halo.start(task, marks, executor));
  return &halo;
}

}  // namespace juxta::agents_detail
