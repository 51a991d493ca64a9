// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/halo.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "agents/distribution.h"
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
  std::uint64_t seer_count, seen_count;
};

/// Around the boxes of rows [first, last), which are some.
Bounds around(const PopulationStore& store, std::size_t first, std::size_t last) noexcept {
  Bounds box;
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    const float* const x = store.position(a);
    const float* const half =
        store.extents != Column<float>::kNone ? store.columns[store.extents + a].as<float>() : nullptr;
    float lo = std::numeric_limits<float>::infinity(), hi = -lo;
    for (std::size_t i = first; i < last; ++i) {
      const float extent = half != nullptr ? half[i] : 0;
      lo = std::min(lo, x[i] - extent);
      hi = std::max(hi, x[i] + extent);
    }
    box.lo[a] = lo;
    box.hi[a] = hi;
  }
  return box;
}

std::vector<Bounds> boxes_of(const PopulationStore& store, std::size_t rows_of_box) {
  std::vector<Bounds> boxes;
  for (std::size_t first = 0; first < store.size(); first += rows_of_box) {
    boxes.push_back(around(store, first, std::min(first + rows_of_box, store.size())));
  }
  return boxes;
}

/// Two boxes, or their images, are at most `reach` apart on every axis.
bool near(const Bounds& a, const Bounds& b, const World& world, double reach) noexcept {
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    const double above = double{b.lo[axis]} - double{a.hi[axis]},
                 below = double{a.lo[axis]} - double{b.hi[axis]};
    double gap = std::max(above, below);
    if (world.edges[axis] == Edge::kPeriodic) {
      const double period = double{world.hi[axis]} - double{world.lo[axis]};
      gap =
          std::min({gap, std::max(above + period, below - period), std::max(above - period, below + period)});
    }
    if (gap > reach) {
      return false;
    }
  }
  return true;
}

}  // namespace

Halo::Halo(const PopulationStore& seers, const PopulationStore& seen)
    : seers_(seers), seen_(seen), directory_(seen.memory), scratch_(seen.memory) {}

bool Halo::is_good_for(float reach) const noexcept {
  return reach <= reach_ && sorts_ == seen_.distribution->sorts &&
         (&seers_ == &seen_ || seers_changed_ == seers_.changed);
}

Result<void> Halo::find_neighbours(float reach) {
  Ranks& ranks = seen_.distribution->ranks;
  const World& world = seen_.world;
  Whereabouts here{{}, {}, seers_.size(), seen_.size()};
  if (here.seer_count != 0) {
    here.seers = around(seers_, 0, seers_.size());
  }
  if (here.seen_count != 0) {
    here.seen = around(seen_, 0, seen_.size());
  }
  JUXTA_TRY_LET(const std::vector<Whereabouts> all, all_gather(ranks, here));
  const std::vector<Bounds> seers = boxes_of(seers_, kSeersOfBox), blocks = boxes_of(seen_, kRowsOfBlock);
  std::vector<std::vector<Bounds>> asking(ranks.size());
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (r != ranks.rank() && all[r].seen_count != 0) {
      std::copy_if(seers.begin(), seers.end(), std::back_inserter(asking[r]),
                   [&](const Bounds& box) { return near(box, all[r].seen, world, reach); });
    }
  }
  JUXTA_TRY_LET(const auto asked, trade(ranks, asking));
  neighbours_.clear();
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    Neighbour neighbour;
    neighbour.rank = r;
    for (std::size_t b = 0; b < blocks.size() && !asked[r].empty(); ++b) {
      if (near(blocks[b], all[r].seers, world, reach) &&
          std::any_of(asked[r].begin(), asked[r].end(),
                      [&](const Bounds& box) { return near(blocks[b], box, world, reach); })) {
        const std::size_t end = std::min((b + 1) * kRowsOfBlock, seen_.size());
        for (std::size_t row = b * kRowsOfBlock; row < end; ++row) {
          neighbour.rows.push_back(static_cast<std::uint32_t>(row));
        }
      }
    }
    neighbours_.push_back(std::move(neighbour));
  }
  return {};
}

Result<void> Halo::carry_keys(const Executor& executor) {
  const Distribution& distribution = *seen_.distribution;
  Ranks& ranks = distribution.ranks;
  std::vector<std::uint64_t> counts(ranks.size()), coming(ranks.size());
  for (const Neighbour& neighbour : neighbours_) {
    counts[neighbour.rank] = neighbour.rows.size();
  }
  JUXTA_TRY(ranks.swap(counts, coming));
  before_ = after_ = 0;
  own_ = seen_.size();
  for (Neighbour& neighbour : neighbours_) {
    neighbour.ghosts = coming[neighbour.rank];
    (neighbour.rank < ranks.rank() ? before_ : after_) += static_cast<std::uint32_t>(neighbour.ghosts);
  }
  std::erase_if(neighbours_, [](const Neighbour& n) { return n.rows.empty() && n.ghosts == 0; });
  Copy keys, slots;
  keys.of = distribution.keys.data();
  keys.bytes = sizeof(std::uint64_t);
  slots.of = seen_.ids.slots().data();
  slots.bytes = sizeof(std::uint32_t);
  keys.data = Array<std::byte>(seen_.memory);
  slots.data = Array<std::byte>(seen_.memory);
  const std::array<Copy*, 2> both{&keys, &slots};
  JUXTA_TRY(carry(both));
  slots_ = std::move(slots.data);
  fill_begins({reinterpret_cast<const std::uint64_t*>(keys.data.data()), size()}, executor);
  return {};
}

void Halo::fill_begins(std::span<const std::uint64_t> keys, const Executor& executor) {
  const Directory& from = seen_.directory;
  directory_.arrangement = from.arrangement;
  directory_.grid = from.grid;
  directory_.winding = from.winding;
  directory_.height = from.height;
  if (from.arrangement == Arrangement::kHashed) {
    directory_.hashed.axis = from.hashed.axis;
    directory_.hashed.bits = from.hashed.bits;
    directory_.hashed.fill(keys, directory_.begins, scratch_, executor);
    return;
  }
  if (from.arrangement != Arrangement::kRows) {
    directory_.curve.fill(from.arrangement, from.curve.bits, from.grid.dimensions);
  }
  const auto& axis = from.grid.axis;
  const std::size_t cells = std::size_t{axis[0].cells} * axis[1].cells * axis[2].cells;
  directory_.begins.resize_discard(cells + 1);
  std::size_t cell = 0;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    for (; cell <= keys[row]; ++cell) {
      directory_.begins[cell] = static_cast<std::uint32_t>(row);
    }
  }
  std::fill(directory_.begins.begin() + cell, directory_.begins.end(),
            static_cast<std::uint32_t>(keys.size()));
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
  for (Neighbour& neighbour : neighbours_) {
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
      sends.push_back({neighbour.rank, neighbour.sent});
    }
    if (!neighbour.received.empty()) {
      receives.push_back({neighbour.rank, neighbour.received});
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
  for (const Neighbour& neighbour : neighbours_) {
    std::size_t& row = neighbour.rank < ranks.rank() ? below : above;
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

Result<void> Halo::fill(SweepTask& task, const std::uint8_t* marks) {
  const Directory& from = seen_.directory;
  directory_.radius = from.radius;
  directory_.largest = from.largest;
  directory_.magnitude = from.magnitude;
  directory_.moved = from.moved;
  std::vector<Copy*> needed;
  std::size_t used = 0;
  const std::size_t most = std::size_t{2} * task.dimensions + task.seen_column_count + 1;
  while (copies_.size() < most) {
    copies_.push_back({nullptr, 0, Array<std::byte>(seen_.memory)});
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
  marks_ = static_cast<const std::uint8_t*>(copied(marks));
  if (task.seen_generations != nullptr) {  // a total is an Id; own slots are null where nobody is
    task.seen_slots = reinterpret_cast<const std::uint32_t*>(slots_.data());
  }
  return {};
}

std::size_t Halo::memory_bytes() const noexcept {
  std::size_t bytes = slots_.memory_bytes() + directory_.memory_bytes() + scratch_.memory_bytes();
  for (const Copy& copy : copies_) {
    bytes += copy.data.memory_bytes();
  }
  for (const Neighbour& neighbour : neighbours_) {
    bytes += neighbour.rows.capacity() * sizeof(std::uint32_t) + neighbour.sent.capacity() +
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
  const bool good = halo.is_good_for(furthest(asked));
  // Seers of another population may have moved on some ranks and not on others.
  JUXTA_TRY_LET(const std::vector<std::uint8_t> all_good,
                all_gather(distribution.ranks, static_cast<std::uint8_t>(good ? 1 : 0)));
  if (std::find(all_good.begin(), all_good.end(), 0) != all_good.end()) {
    // Whom the coming passes reach too, and where agents may be until the order is made anew.
    const float radius = std::max(task.radius, seen.directory.radius) + 2 * distribution.skin;
    JUXTA_TRY(
        halo.build(furthest(Reach(seen.directory, radius, false)), executor_or_serial(context.executor)));
  }
  JUXTA_TRY(halo.fill(task, marks));
  return &halo;
}

}  // namespace juxta::agents_detail
