// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/record.h"

#include <algorithm>

namespace juxta::transform_detail {
namespace {

/// What a node without a past was: what it is.
void begin_history(Tile& tile, std::uint32_t word, std::uint64_t marks) noexcept {
  for_each_bit(marks & ~tile.changes[word].mask, word * 64, [&](std::uint32_t row) {
    if (tile.row_version(row) == 0) {
      tile.history->steps[0][row] = tile.history->steps[1][row] = tile.world_of(row);
    }
  });
}

}  // namespace

void record(Tile& tile, const RowMask& marks, std::uint32_t version, MaskWords words) noexcept {
  for (std::uint32_t w = words.first; w < words.last; ++w) {
    if (marks.words[w] == 0) {
      continue;
    }
    if (tile.history != nullptr) {
      begin_history(tile, w, marks.words[w]);
    }
    Change& change = tile.changes[w];
    if (change.version != version) {
      for_each_bit(change.mask & ~marks.words[w], w * 64,
                   [&](std::uint32_t row) { tile.row_version(row) = change.version; });
      change = {0, version, std::max(change.before, change.version)};
    }
    change.mask |= marks.words[w];
    tile.written.words[w] &= ~marks.words[w];
  }
  tile.version = version;
  tile.steps_due = 2;
}

}  // namespace juxta::transform_detail
