// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/grid/grid_space.h"

#include <algorithm>
#include <utility>

#include "grid/space_store.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"

namespace juxta {
namespace grid_detail {

SpaceStore::SpaceStore(const GridSpaceOptions& wanted, std::pmr::memory_resource* resource)
    : options(wanted),
      many(wanted.holds == CellHolds::kMany),
      cells(static_cast<std::uint32_t>(wanted.grid.size())),
      free(cells),
      first(cells, resource),
      taken(many ? 0 : cells / 64 + 1, resource),
      cell(resource),
      next(resource),
      at(resource),
      kind(resource),
      who(resource),
      turns(resource) {
  make_room(0);
  clear();
}

void SpaceStore::make_room(std::uint32_t wanted) {
  const bool counted = options.kinds > 0;
  const std::uint32_t from = rows;
  rows = std::max(rows, wanted);
  cell.resize(rows);
  next.resize(many ? rows : 0);
  kind.resize(counted ? rows : 0);
  at.resize(counted ? std::size_t{rows} + 1 : 0);
  std::fill_n(cell.data() + from, rows - from, kNone);
  if (counted) {
    std::fill_n(kind.data() + from, rows - from, std::uint8_t{0});
    std::fill_n(at.data() + from, rows - from + 1, 0);
  }
  if (turns.list.on) {
    turns.make_room(rows);
  }
}

void SpaceStore::clear() noexcept {
  std::fill_n(first.data(), first.size(), kNone);
  std::fill_n(taken.data(), taken.size(), 0);
  std::fill_n(cell.data(), rows, kNone);
  if (options.kinds > 0 && agents > 0) {
    std::fill_n(at.data(), rows, 0);
    counts.clear();
    std::fill_n(who.data(), who.size(), std::uint8_t{0});
  }
  agents = 0;
  free = cells;
}

void SpaceStore::enter(std::uint32_t row, std::uint32_t to) noexcept {
  free -= first[to] == kNone ? 1 : 0;
  if (many) {
    next[row] = first[to];
  } else {
    taken[to / 64] |= std::uint64_t{1} << to % 64;
  }
  first[to] = row;
  cell[row] = to;
  if (options.kinds > 0) {
    at[row] = counts.at(to, kind[row]);
    counts.change(at[row], to, 1);
    if (quick) {
      who[at[row] - kind[row] * counts.table()] = static_cast<std::uint8_t>(kind[row] + 1);
    }
    if (turns.list.on && counts.read(at[row]) <= turns.list.enough) {
      turns.list.add(row);
    }
  }
}

void SpaceStore::leave(std::uint32_t row) noexcept {
  const std::uint32_t from = cell[row];
  if (many) {
    std::uint32_t* link = &first[from];
    while (*link != row) {
      link = &next[*link];
    }
    *link = next[row];
  } else {
    first[from] = kNone;
    taken[from / 64] &= ~(std::uint64_t{1} << from % 64);
  }
  free += first[from] == kNone ? 1 : 0;
  cell[row] = kNone;
  if (options.kinds > 0) {
    counts.change(at[row], from, -1);
    if (quick) {
      who[at[row] - kind[row] * counts.table()] = 0;
    }
    at[row] = 0;
    if (turns.list.on) {
      add_turns_near(from, kind[row]);
    }
  }
}

std::string name_of_cell_in(const SpaceStore& store, std::uint32_t cell) {
  const auto [x, y, z] = store.options.grid.place_of(cell);
  return "cell " + std::to_string(cell) + " (" + std::to_string(x) + ", " + std::to_string(y) + ", " +
         std::to_string(z) + ")";
}

Result<void> SpaceStore::check_cell(const char* what, std::uint32_t row, std::uint32_t to) const {
  if (to >= cells) {
    return fail(ErrorCode::kInvalidArgument,
                std::string("cannot ") + what + " row " + std::to_string(row) + ": there are " +
                    std::to_string(cells) + " cells, and " + std::to_string(to) + " is none of them",
                row);
  }
  if (!many && first[to] != kNone && first[to] != row) {
    return fail(ErrorCode::kInvalidArgument,
                std::string("cannot ") + what + " row " + std::to_string(row) + ": row " +
                    std::to_string(first[to]) + " is in " + name_of_cell_in(*this, to) + ", which holds one",
                row);
  }
  return {};
}

Result<void> SpaceStore::check_row(const char* what, std::uint32_t row) const {
  if (row >= rows || cell[row] == kNone) {
    return fail(ErrorCode::kInvalidArgument,
                std::string("cannot ") + what + " row " + std::to_string(row) + ", which is in no cell", row);
  }
  return {};
}

SpaceView SpaceStore::view() noexcept {
  task = move_task();
  const bool counted = options.kinds > 0;
  return {.cell = cell.data(),
          .next = many ? next.data() : nullptr,
          .at = counted ? at.data() : nullptr,
          .first = first.data(),
          .bytes = counted ? counts.bytes() : nullptr,
          .words = counted ? counts.words() : nullptr,
          .rows = rows,
          .cells = cells,
          .counted = counted ? rows : 0};
}

MoveTask SpaceStore::move_task() noexcept {
  return {.cells = cells,
          .width = options.grid.cells[0],
          .free = free,
          .first = first.data(),
          .cell = cell.data(),
          .at = at.data(),
          .kind = kind.data(),
          .taken = taken.data(),
          .counts = counts.bytes_to_write(),
          .runs = counts.runs().data(),
          .run_count = counts.runs().size(),
          .widest = counts.widest(),
          .corner = corner.data(),
          .border = 2 * counts.border(),
          .who = who.data(),
          .table = static_cast<std::uint32_t>(counts.table()),
          .turns = &turns.list};
}

}  // namespace grid_detail

using grid_detail::kNone;
using grid_detail::SpaceStore;

GridSpace::GridSpace(Owned<SpaceStore> store) noexcept
    : store_(std::move(store)), view_(store_->view()), grid_(store_->options.grid) {}

Result<GridSpace> GridSpace::build(const GridSpaceOptions& options, std::pmr::memory_resource* resource) {
  JUXTA_TRY(active_isa());
  std::uint64_t cells = 1;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if (options.grid.cells[axis] == 0) {
      return fail(ErrorCode::kInvalidArgument, "each axis needs a cell at least (z too: 1 in 2D)", axis);
    }
    cells *= cells > kMostCells ? 1 : options.grid.cells[axis];
  }
  if (cells > kMostCells) {
    return fail(ErrorCode::kTooLarge, "more than 2^31 - 1 cells: take fewer along an axis");
  }
  if (options.kinds > kMostKinds) {
    return fail(ErrorCode::kInvalidArgument, "more than 64 kinds of agents");
  }
  grid_detail::NearCounts counts;  // first: they may be too large
  if (options.kinds > 0) {
    JUXTA_TRY(counts.build(options, resource));
  }
  auto store = make_owned<SpaceStore>(options, resource);
  store->counts = std::move(counts);
  if (options.kinds > 0) {
    for (std::uint32_t kind = 0; kind < options.kinds; ++kind) {
      store->corner[kind] = store->counts.at(0, kind);
    }
    store->quick = !store->many && store->counts.plain() && options.grid.cells[2] == 1;
    if (store->quick) {
      store->who = Array<std::uint8_t>(store->counts.size_of_one(), resource);
      std::fill_n(store->who.data(), store->who.size(), std::uint8_t{0});
    }
  }
  return GridSpace(std::move(store));
}

const GridSpaceOptions& GridSpace::options() const noexcept {
  return store_->options;
}
std::size_t GridSpace::size() const noexcept {
  return store_->agents;
}
std::size_t GridSpace::free_count() const noexcept {
  return store_->free;
}
std::size_t GridSpace::memory_bytes() const noexcept {
  const SpaceStore& s = *store_;
  return s.first.memory_bytes() + s.taken.memory_bytes() + s.cell.memory_bytes() + s.next.memory_bytes() +
         s.at.memory_bytes() + s.kind.memory_bytes() + s.counts.memory_bytes() + s.who.memory_bytes() +
         s.turns.memory_bytes();
}

Result<void> GridSpace::insert(std::uint32_t row, std::uint32_t cell, std::uint8_t kind) {
  SpaceStore& store = *store_;
  if (row == kNoRow || cell_of(row) != kNoCell) {
    return fail(ErrorCode::kInvalidArgument,
                "cannot insert row " + std::to_string(row) +
                    (row == kNoRow ? ", which stands for no row" : ", which is in a cell already: move it"),
                row);
  }
  if (kind >= std::max(store.options.kinds, 1U)) {
    return fail(ErrorCode::kInvalidArgument,
                "cannot insert row " + std::to_string(row) + ": there is no kind " + std::to_string(kind),
                row);
  }
  JUXTA_TRY(store.check_cell("insert", row, cell));
  if (row >= store.rows) {
    store.make_room(row + 1);
    view_ = store.view();
  }
  if (store.options.kinds > 0) {
    store.kind[row] = kind;
  }
  store.enter(row, cell);
  ++store.agents;
  return {};
}

Result<void> GridSpace::remove(std::uint32_t row) {
  JUXTA_TRY(store_->check_row("remove", row));
  store_->leave(row);
  --store_->agents;
  return {};
}

Result<void> GridSpace::move(std::uint32_t row, std::uint32_t cell) {
  SpaceStore& store = *store_;
  JUXTA_TRY(store.check_row("move", row));
  JUXTA_TRY(store.check_cell("move", row, cell));
  if (store.quick && store.first[cell] == kNone) {
    grid_detail::move_to(store.task, row, cell);
    return {};
  }
  store.leave(row);
  store.enter(row, cell);
  return {};
}

std::uint8_t GridSpace::kind_of(std::uint32_t row) const noexcept {
  return cell_of(row) != kNoCell && store_->options.kinds > 0 ? store_->kind[row] : 0;
}

std::uint32_t GridSpace::count_near(std::uint32_t cell, std::uint8_t kind) const noexcept {
  const SpaceStore& store = *store_;
  return cell < store.cells && kind < store.options.kinds ? store.counts.read(store.counts.at(cell, kind))
                                                          : 0;
}

std::uint32_t GridSpace::unlike(std::uint32_t row) const noexcept {
  if (view_.at == nullptr || cell_of(row) == kNoCell) {
    return 0;
  }
  const SpaceStore& store = *store_;
  const auto table = static_cast<std::uint32_t>(store.counts.table());
  std::uint32_t at = store.at[row] - store.kind[row] * table, count = 0;
  for (std::uint32_t kind = 0; kind < store.options.kinds; ++kind, at += table) {
    count += kind != store.kind[row] ? store.counts.read(at) : 0;
  }
  return count;
}

}  // namespace juxta
