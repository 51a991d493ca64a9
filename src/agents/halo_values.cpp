// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The values of columns that a pass reads, of own agents and of ghosts.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "agents/arrange.h"
#include "agents/distribution.h"
#include "agents/halo.h"
#include "agents/store.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

/// Calls visit(column) for all columns of the seen that a task reads; some are null.
template <class Visit>
void for_each_seen_column(SweepTask& task, Visit&& visit) {
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    visit(task.seen_position[a]);
    visit(task.seen_extents[a]);
  }
  for (std::size_t i = 0; i < task.seen_column_count; ++i) {
    visit(task.seen_columns[i]);
  }
}

}  // namespace

Ranks& Halo::ranks() const noexcept {
  return seen_.distribution->ranks;
}

/// One message to each neighbour, column after column. Own values are copied while they are under way.
Result<void> Halo::start_carrying(std::span<Copy* const> copies) {
  std::size_t bytes = 0;
  for (const Copy* copy : copies) {
    bytes += copy->bytes;
  }
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  for (std::uint32_t r = 0; r < ranks().size(); ++r) {
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
  JUXTA_TRY(ranks().start(sends, receives));
  for (Copy* copy : copies) {
    copy->data.resize_discard((size() + kArrayPadding) * copy->bytes);
    if (own_ != 0) {
      std::memcpy(copy->data.data() + before_ * copy->bytes, copy->of, own_ * copy->bytes);
    }
    std::memset(copy->data.data() + size() * copy->bytes, 0, kArrayPadding * copy->bytes);
  }
  return {};
}

Result<void> Halo::finish_carrying(std::span<Copy* const> copies) {
  JUXTA_TRY(ranks().finish());
  std::size_t below = 0, above = before_ + own_;
  for (std::uint32_t r = 0; r < ranks().size(); ++r) {
    const Neighbour& neighbour = neighbours_[r];
    std::size_t& row = r < ranks().rank() ? below : above;
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

/// There are copies enough.
void Halo::need(const void* column, std::size_t bytes) {
  if (column != nullptr && copy_of(column) == nullptr) {
    Copy& copy = copies_[needed_.size()];
    copy.of = column;
    copy.bytes = bytes;
    needed_.push_back(&copy);
  }
}

const void* Halo::copy_of(const void* column) const noexcept {
  const auto found =
      std::find_if(needed_.begin(), needed_.end(), [&](const Copy* copy) { return copy->of == column; });
  return found != needed_.end() ? (*found)->data.data() : nullptr;
}

/// A search compares its distance from a position with its reach: no number is within any. The task is one
/// of copies.
void Halo::hide_ghosts(const SweepTask& task) {
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    const auto copy = std::find_if(needed_.begin(), needed_.end(), [&](const Copy* one) {
      return one->data.data() == reinterpret_cast<const std::byte*>(task.seen_position[a]);
    });
    auto* const x = reinterpret_cast<float*>((*copy)->data.data());
    std::fill_n(x, before_, std::numeric_limits<float>::quiet_NaN());
    std::fill(x + before_ + own_, x + size(), std::numeric_limits<float>::quiet_NaN());
  }
}

Result<void> Halo::start(SweepTask& task, const std::uint8_t* marks, const Executor& executor) {
  JUXTA_TRY(finish());  // of a pass that ended by an exception
  const Directory& from = seen_.directory;
  directory_.radius = from.radius;
  directory_.largest = from.largest;
  directory_.magnitude = from.magnitude;
  directory_.moved = from.moved;
  needed_.clear();
  const std::size_t most = std::size_t{2} * task.dimensions + task.seen_column_count + 1;
  while (copies_.size() < most) {
    copies_.emplace_back(seen_.memory);
  }
  for_each_seen_column(task, [&](const float* column) { need(column, sizeof(float)); });
  need(marks, 1);
  JUXTA_TRY(start_carrying(needed_));
  under_way_ = needed_;
  for_each_seen_column(task,
                       [&](const float*& column) { column = static_cast<const float*>(copy_of(column)); });
  marks_ = static_cast<const std::uint8_t*>(copy_of(marks));
  if (task.seen_generations != nullptr) {  // a total is an Id; own slots are null where nobody is
    task.seen_slots = reinterpret_cast<const std::uint32_t*>(slots_.data.data());
  }
  if (marks != nullptr || directory_.crowded) {  // marked rows and boxes are made of all values
    JUXTA_TRY(finish());
  } else {
    hide_ghosts(task);
  }
  fill_boxes(directory_, {{task.seen_position[0], task.seen_position[1], task.seen_position[2]}, {}, size()},
             executor);
  return {};
}

Result<void> Halo::finish() {
  return is_under_way() ? finish_carrying(std::exchange(under_way_, {})) : Result<void>();
}

}  // namespace juxta::agents_detail
