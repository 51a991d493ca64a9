// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/systems.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/lanes_kernel.h"
#include "transform/propagation.h"
#include "transform/visit_lanes_kernel.h"
#include "transform/write_rows.h"

namespace juxta {
namespace transform_detail {

SystemRun::SystemRun(HierarchyStore& store, NodeFields fields, System system, bool read_next)
    : store_(store), fields_(fields), system_(system), read_next_(read_next) {
  for (std::size_t number = 0; number < store.tiles.size(); ++number) {
    const Tile* const tile = store.tiles[number];
    for (std::uint32_t w = 0; tile != nullptr && w < kTileWords; ++w) {
      const Row base = static_cast<Row>(number) * kTileRows + w * 64;
      for_each_bit(tile->special().words[w] & tile->live.words[w], base, [&](Row row) {
        special_.push_back({row, exact_local(store, row)});
      });
    }
  }
}

bool SystemRun::run(std::uint32_t number, const FrameOfTile& done) noexcept {
  Tile& tile = *store_.tiles[number];
  bool any = false;
  for (std::uint32_t w = 0; w < done.words; ++w) {
    mark(tile, w, tile.live.words[w]);
    any = any || tile.live.words[w] != 0;
  }
  for (std::uint32_t w = done.words; w < kTileWords; ++w) {
    const std::uint64_t written = w == done.words && done.begun ? done.written : run_word(number, w);
    if (written != 0) {
      mark(tile, w, written);
      any = true;
    }
  }
  return any;
}

std::uint64_t SystemRun::run_word(std::uint32_t number, std::uint32_t word) noexcept {
  Tile& tile = *store_.tiles[number];
  if (tile.live.words[word] == 0) {
    return 0;
  }
  if (read_next_ && cold_rows(tile, word) != 0) {
    ask_for_cold(tile, word * 64);
  }
  const Tile* const next = number + 1 < store_.tiles.size() ? store_.tiles[number + 1] : nullptr;
  return write_word(*this, tile, next, word, number * kTileRows + word * 64);
}

void SystemRun::load_others(const Tile& tile, Row first, LocalLanes& lanes) const noexcept {
  const std::uint32_t r = first % kTileRows;
  const NodeMask special = static_cast<NodeMask>(tile.special().words[r / 64] >> r % 64) & lanes.mask();
  for_each_bit(kAllNodes & ~lanes.mask(), 0,
               [&](std::uint32_t lane) { load_lane({}, NodeFields::kAll, lanes.local, lane); });
  for_each_bit(special, 0,
               [&](std::uint32_t lane) { load_lane(special_at(first + lane), fields_, lanes.local, lane); });
}

/// Lanes that are not all written, or not as they should be. Those that were.
NodeMask SystemRun::store_each(Tile& tile, Row first, const TransformLanes& lanes,
                               NodeMask written) noexcept {
  NodeMask stored = written;
  for_each_bit(written, 0, [&](std::uint32_t lane) {
    const std::uint32_t r = first % kTileRows + lane;
    LocalTransform local = transform_of(lanes, lane);
    if (!kept_as_it_is(local)) {
      const Result<LocalTransform> kept = checked(local, {});
      if (!kept) {
        refuse(first + lane, local);
        stored &= ~(NodeMask{1} << lane);
        return;
      }
      local = *kept;
    }
    if (tile.special().test(r)) {
      tile.put_local(r, special_at(first + lane));  // the rest of it may be out of date
    }
    store_fields(local, fields_, tile, r);
  });
  return stored;
}

/// Other systems may mark rows of the same tile at the same time.
void SystemRun::mark(Tile& tile, std::uint32_t word, std::uint64_t written) noexcept {
  std::atomic_ref(tile.pending.words[word]).fetch_or(written, std::memory_order_relaxed);
  for_each_bit(written & tile.special().words[word], word * 64, [&](std::uint32_t row) {
    if (!user_writes(tile, row)) {
      tile.written.set(row);
    }
  });
}

[[gnu::cold]] void SystemRun::refuse(Row row, const LocalTransform& local) noexcept {
  const core_detail::Lock lock(refusing_);
  if (!refused_ || row < refused_->row) {
    refused_ = {row, local};
  }
}

Result<void> SystemRun::error() const {
  return refused_ ? checked(refused_->local, store_.id_at(refused_->row)).map([](auto) {}) : Result<void>();
}

const LocalTransform& SystemRun::special_at(Row row) const noexcept {
  return std::ranges::lower_bound(special_, row, {}, &Special::row)->local;
}

const std::uint32_t* slots_of(const Tile& tile, std::uint32_t row, NodeMask mask,
                              std::array<std::uint32_t, kNodeLanes>& buffer) noexcept {
  if (mask == kAllNodes) {
    return &tile.slot[row];
  }
  buffer.fill(tile.slot[row + static_cast<std::uint32_t>(std::countr_zero(mask))]);
  for_each_bit(mask, 0, [&](std::uint32_t lane) { buffer[lane] = tile.slot[row + lane]; });
  return buffer.data();
}

Result<void> begin_system(HierarchyStore& store, NodeFields fields) {
  const core_detail::Lock lock(store.systems);
  const auto wanted = static_cast<std::uint8_t>(fields);
  if ((store.fields_in_use & wanted) != 0) {
    return fail(ErrorCode::kInvalidArgument, "a system is running that has the same fields");
  }
  store.fields_in_use |= wanted;
  store.known.forget();
  return {};
}

void end_system(HierarchyStore& store, NodeFields fields, std::span<const std::uint8_t> written) {
  const core_detail::Lock lock(store.systems);
  store.fields_in_use &= static_cast<std::uint8_t>(~static_cast<std::uint8_t>(fields));
  for (std::size_t number = 0; number < written.size(); ++number) {
    if (written[number] != 0) {
      store.mark_tile(static_cast<std::uint32_t>(number));
    }
  }
}

}  // namespace transform_detail

Result<void> Hierarchy::for_each_tile(NodeFields fields, FunctionRef<NodeMask(LocalLanes&)> system,
                                      const Context& context) {
  JUXTA_TRY(active_isa());
  JUXTA_TRY(transform_detail::begin_system(*store_, fields));
  transform_detail::SystemRun run(*store_, fields, system);
  std::vector<std::uint8_t> written(store_->tiles.size());
  executor_or_serial(context.executor)
      .parallel_for(written.size(), 2, [&](std::size_t first, std::size_t last) {
        for (std::size_t number = first; number < last; ++number) {
          written[number] = static_cast<std::uint8_t>(store_->tiles[number] != nullptr &&
                                                      run.run(static_cast<std::uint32_t>(number)));
        }
      });
  transform_detail::end_system(*store_, fields, written);
  return run.error();
}

}  // namespace juxta
