// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/id_table.h"

#include <algorithm>
#include <string>
#include <utility>

namespace juxta {
namespace {

constexpr std::size_t kMostSlots = IdTable::kNone - 1;
constexpr std::uint32_t kLastGeneration = 0xFFFF'FFFFU;  // odd: the last life of a slot
constexpr std::size_t kGrain = 1 << 14;

tl::unexpected<Error> dead(Id id) {
  return fail(ErrorCode::kNotFound, "no thing has the Id {slot " + std::to_string(id.slot) + ", generation " +
                                        std::to_string(id.generation) + "} any more: drop it");
}

tl::unexpected<Error> corrupt(const char* what, std::uint64_t slot) {
  return fail(ErrorCode::kCorruptFile, std::string("the saved Ids are damaged: ") + what, slot);
}

void push(Array<std::uint32_t>& column, std::uint32_t value) {
  column.resize(column.size() + 1);
  column[column.size() - 1] = value;
}

void assign(Array<std::uint32_t>& column, std::span<const std::uint32_t> values) {
  column.resize_discard(values.size());
  std::copy(values.begin(), values.end(), column.begin());
}

}  // namespace

IdTable::IdTable(std::pmr::memory_resource* resource)
    : generations_(resource), links_(resource), slots_(resource), scratch_(resource) {}

Result<Id> IdTable::take_slot(std::uint32_t row) {
  if (first_free_ != kNone) {
    const std::uint32_t slot = first_free_;
    first_free_ = links_[slot];
    links_[slot] = row;
    ++generations_[slot];
    return Id{slot, generations_[slot]};
  }
  if (generations_.size() >= kMostSlots) {
    return fail(ErrorCode::kTooLarge, "at most 2^32 - 2 Ids: split the owner");
  }
  const auto slot = static_cast<std::uint32_t>(generations_.size());
  // A failed growth must leave the columns equally long: all of them grow before any changes.
  const std::size_t needed = std::max<std::size_t>(32, std::size_t{slot} + 1);
  generations_.reserve(needed);
  links_.reserve(needed);
  push(generations_, 1);
  push(links_, row);
  return Id{slot, 1};
}

Result<Id> IdTable::insert() {
  const auto row = static_cast<std::uint32_t>(slots_.size());
  slots_.resize(slots_.size() + 1);  // may throw, so before anything else changes
  Result<Id> id = take_slot(row);
  if (id) {
    slots_[row] = id->slot;
  } else {
    slots_.resize(row);
  }
  return id;
}

Result<Id> IdTable::insert_elsewhere() {
  return take_slot(kNone);
}

void IdTable::settle(std::span<const std::uint32_t> slots) {
  scratch_.resize_discard(slots.size());
  std::copy(slots.begin(), slots.end(), scratch_.begin());
  for (const std::uint32_t slot : slots_) {
    links_[slot] = kNone;
  }
  for (std::size_t row = 0; row < scratch_.size(); ++row) {
    links_[scratch_[row]] = static_cast<std::uint32_t>(row);
  }
  std::swap(slots_, scratch_);
}

Result<IdTable::Removed> IdTable::remove(Id id) {
  if (!alive(id)) {
    return dead(id);
  }
  const std::uint32_t row = links_[id.slot];
  auto last = static_cast<std::uint32_t>(slots_.size());
  if (row != kNone) {
    --last;
    slots_[row] = slots_[last];
    links_[slots_[row]] = row;
    slots_.resize(last);
  }
  if (id.generation == kLastGeneration) {
    generations_[id.slot] = 0;  // even and not on the free list: retired
    links_[id.slot] = kNone;
  } else {
    ++generations_[id.slot];
    links_[id.slot] = first_free_;
    first_free_ = id.slot;
  }
  return Removed{row, last};
}

Result<std::uint32_t> IdTable::row_of(Id id) const {
  if (!alive(id)) {
    return dead(id);
  }
  if (links_[id.slot] == kNone) {
    return fail(ErrorCode::kNotFound,
                "the thing with the Id {slot " + std::to_string(id.slot) + "} is on another rank: ask there");
  }
  return links_[id.slot];
}

Result<void> IdTable::reorder(std::span<const std::uint32_t> order, const Context& context) {
  if (order.size() != size()) {
    return fail(ErrorCode::kInvalidArgument, "the order has " + std::to_string(order.size()) +
                                                 " entries, but there are " + std::to_string(size()) +
                                                 " rows");
  }
  // Marks the rows seen; a permutation marks each once. Serial: it is one pass over memory.
  scratch_.resize_discard(order.size());
  std::fill(scratch_.begin(), scratch_.end(), kNone);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] >= order.size() || scratch_[order[i]] != kNone) {
      return fail(ErrorCode::kInvalidArgument, "the order is not a permutation of the rows", i);
    }
    scratch_[order[i]] = 0;
  }
  return follow(order, context);
}

Result<void> IdTable::follow(std::span<const std::uint32_t> order, const Context& context) {
  scratch_.resize_discard(order.size());
  executor_or_serial(context.executor)
      .parallel_for(order.size(), kGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          scratch_[i] = slots_[order[i]];
          links_[scratch_[i]] = static_cast<std::uint32_t>(i);
        }
      });
  std::swap(slots_, scratch_);
  return {};
}

Result<IdTable> IdTable::restore(const State& state, std::pmr::memory_resource* resource) {
  const std::size_t count = state.generations.size();
  if (state.links.size() != count || count > kMostSlots) {
    return corrupt("the columns differ in length or are too long", count);
  }
  std::size_t living = 0;
  for (const std::uint32_t generation : state.generations) {
    living += generation & 1;
  }
  IdTable table(resource);
  assign(table.generations_, state.generations);
  assign(table.links_, state.links);
  table.slots_.resize_discard(living);
  std::fill(table.slots_.begin(), table.slots_.end(), kNone);
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    if ((state.generations[slot] & 1) != 0) {
      const std::uint32_t row = state.links[slot];
      if (row >= living || table.slots_[row] != kNone) {
        return corrupt("two Ids stand in one row, or one in none", slot);
      }
      table.slots_[row] = slot;
    }
  }
  // The chain of free slots: at most as long as there are free ones, or it runs in a circle.
  std::size_t left = count - living;
  for (std::uint32_t slot = state.first_free; slot != kNone; slot = state.links[slot]) {
    if (slot >= count || (state.generations[slot] & 1) != 0 || left == 0) {
      return corrupt("the chain of free slots leads nowhere", slot);
    }
    --left;
  }
  table.first_free_ = state.first_free;
  return table;
}

}  // namespace juxta
