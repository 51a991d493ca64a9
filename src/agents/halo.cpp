// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/halo.h"

#include <algorithm>
#include <cstring>

#include "agents/arrange.h"
#include "agents/distribution.h"
#include "agents/halo_boxes.h"
#include "agents/store.h"
#include "agents/trade.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

/// Seers around which a box is drawn, and agents that are sent together. Small blocks send less that nobody
/// sees; large ones are found sooner.
constexpr std::size_t kSeersOfBox = 256, kRowsOfBlock = 64;

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
         (&seers_ == &seen_ || seers_changed_ == seers_.changed);
}

Result<void> Halo::find_neighbours(float reach) {
  Ranks& ranks = seen_.distribution->ranks;
  const World& world = seen_.world;
  const std::vector<Bounds> blocks = boxes_of(seen_, kRowsOfBlock),
                            seers = &seers_ == &seen_ ? joined(blocks, kSeersOfBox / kRowsOfBlock)
                                                      : boxes_of(seers_, kSeersOfBox);
  const Whereabouts here{around(seers), around(blocks), seen_.size()};
  JUXTA_TRY_LET(const std::vector<Whereabouts> all, all_gather(ranks, here));
  std::vector<std::vector<Bounds>> asking(ranks.size());
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (r != ranks.rank() && all[r].seen_count != 0) {
      std::copy_if(seers.begin(), seers.end(), std::back_inserter(asking[r]),
                   [&](const Bounds& box) { return are_near(box, all[r].seen, world, reach); });
    }
  }
  JUXTA_TRY_LET(const auto asked, trade(ranks, asking));
  neighbours_.resize(ranks.size());
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
  Copy* const slots = &slots_;
  JUXTA_TRY(carry({&slots, 1}));
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
  JUXTA_TRY(find_neighbours(reach));
  return carry_keys(executor);
}

/// Own values and those of ghosts into the copies. One message from each neighbour: column after column.
Result<void> Halo::carry(std::span<Copy* const> copies) {
  Ranks& ranks = seen_.distribution->ranks;
  std::size_t bytes = 0;
  for (const Copy* copy : copies) {
    bytes += copy->bytes;
  }
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    Neighbour& neighbour = neighbours_[r];
    neighbour.sent.resize(neighbour.rows.size() * bytes);
    neighbour.received.resize(neighbour.ghosts * bytes);
    std::byte* out = neighbour.sent.data();
    for (const Copy* copy : copies) {
      const auto* const from = static_cast<const std::byte*>(copy->of);
      for (const std::uint32_t row : neighbour.rows) {
        std::memcpy(out, from + row * copy->bytes, copy->bytes);
        out += copy->bytes;
      }
    }
    if (!neighbour.sent.empty()) {
      sends.push_back({r, neighbour.sent});
    }
    if (!neighbour.received.empty()) {
      receives.push_back({r, neighbour.received});
    }
  }
  JUXTA_TRY(ranks.start(sends, receives));
  for (Copy* copy : copies) {  // while messages are under way
    copy->data.resize_discard((size() + kArrayPadding) * copy->bytes);
    if (own_ != 0) {
      std::memcpy(copy->data.data() + before_ * copy->bytes, copy->of, own_ * copy->bytes);
    }
    std::memset(copy->data.data() + size() * copy->bytes, 0, kArrayPadding * copy->bytes);
  }
  JUXTA_TRY(ranks.finish());
  std::size_t below = 0, above = before_ + own_;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    const Neighbour& neighbour = neighbours_[r];
    std::size_t& row = r < ranks.rank() ? below : above;
    const std::byte* in = neighbour.received.data();
    for (Copy* copy : copies) {
      if (neighbour.ghosts != 0) {
        std::memcpy(copy->data.data() + row * copy->bytes, in, neighbour.ghosts * copy->bytes);
      }
      in += neighbour.ghosts * copy->bytes;
    }
    row += neighbour.ghosts;
  }
  return {};
}

Result<void> Halo::fill(SweepTask& task, const std::uint8_t* marks, const Executor& executor) {
  const Directory& from = seen_.directory;
  directory_.radius = from.radius;
  directory_.largest = from.largest;
  directory_.magnitude = from.magnitude;
  directory_.moved = from.moved;
  std::vector<Copy*> needed;
  std::size_t used = 0;
  const std::size_t most = std::size_t{2} * task.dimensions + task.seen_column_count + 1;
  while (copies_.size() < most) {
    copies_.emplace_back(seen_.memory);
  }
  const auto need = [&](const void* column, std::size_t bytes) {
    for (Copy* copy : needed) {
      if (copy->of == column) {
        return;
      }
    }
    copies_[used].of = column;
    copies_[used].bytes = bytes;
    needed.push_back(&copies_[used++]);
  };
  const auto for_each_column = [&](auto&& visit) {
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      visit(task.seen_position[a]);
      visit(task.seen_extents[a]);
    }
    for (std::size_t i = 0; i < task.seen_column_count; ++i) {
      visit(task.seen_columns[i]);
    }
  };
  for_each_column([&](const float* column) {
    if (column != nullptr) {
      need(column, sizeof(float));
    }
  });
  if (marks != nullptr) {
    need(marks, 1);
  }
  JUXTA_TRY(carry(needed));
  const auto copied = [&](const void* column) -> const void* {
    for (const Copy* copy : needed) {
      if (copy->of == column) {
        return copy->data.data();
      }
    }
    return nullptr;
  };
  for_each_column([&](const float*& column) { column = static_cast<const float*>(copied(column)); });
  fill_boxes(directory_, {{task.seen_position[0], task.seen_position[1], task.seen_position[2]}, {}, size()},
             executor);
  marks_ = static_cast<const std::uint8_t*>(copied(marks));
  if (task.seen_generations != nullptr) {  // a total is an Id; own slots are null where nobody is
    task.seen_slots = reinterpret_cast<const std::uint32_t*>(slots_.data.data());
  }
  return {};
}

std::size_t Halo::memory_bytes() const noexcept {
  std::size_t bytes =
      keys_.memory_bytes() + slots_.data.memory_bytes() + directory_.memory_bytes() + scratch_.memory_bytes();
  for (const Copy& copy : copies_) {
    bytes += copy.data.memory_bytes();
  }
  for (const Neighbour& neighbour : neighbours_) {
    bytes += neighbour.rows.capacity() * sizeof(std::uint32_t) +
             neighbour.keys.capacity() * sizeof(std::uint64_t) + neighbour.sent.capacity() +
             neighbour.received.capacity();
  }
  return bytes;
}

Result<const Halo*> halo_for(const PopulationStore& seers, const PopulationStore& seen, SweepTask& task,
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
  JUXTA_TRY(halo.fill(task, marks, executor));
  return &halo;
}

}  // namespace juxta::agents_detail
