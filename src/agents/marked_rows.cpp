// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Only the ill are seen: their columns, side by side, are a smaller population in the same order, and a run
// of rows of all is a run of rows of those.
//
//   marks    0 1 1 0 0 0 1 0 1 ...        run of rows [2, 8) of all
//   rows     1 2 6 8 ...                  marked before row 2: 1, before row 8: 3
//   copies   x1 x2 x6 x8 ...              run [1, 3) of the copies
//
// The cells of all find the runs, as in any pass; marked before a row is a count and a popcount.
//
// Per agent: a byte read, a row and a bit written. Per marked one: 4 bytes copied a column.
#include "agents/marked_rows.h"

#include <algorithm>

#include "juxta/core/array.h"

namespace juxta::agents_detail {
namespace {

/// With padding to be read by whole registers.
template <class T>
T* copy_marked(const T* column, std::span<const std::uint32_t> rows, Workspace& scratch) {
  if (column == nullptr) {
    return nullptr;
  }
  const std::span<T> copy = scratch.take<T>(rows.size() + kArrayPadding);
  std::fill(copy.begin() + static_cast<std::ptrdiff_t>(rows.size()), copy.end(), T{});
  std::transform(rows.begin(), rows.end(), copy.begin(), [column](std::uint32_t row) { return column[row]; });
  return copy.data();
}

}  // namespace

MarkedRows::MarkedRows(std::span<const std::uint8_t> marks, Workspace& scratch)
    : bits_(scratch.take<std::uint64_t>(marks.size() / 64 + 1)),
      before_(scratch.take<std::uint32_t>(marks.size() / 64 + 1)),
      rows_(scratch.take<std::uint32_t>(marks.size() + 1)) {
  std::uint32_t count = 0;
  for (std::size_t word = 0; word < bits_.size(); ++word) {
    const auto first = static_cast<std::uint32_t>(word * 64);
    const std::size_t size = std::min<std::size_t>(64, marks.size() - first);
    before_[word] = count;
    std::uint64_t bits = 0;
    for (std::uint32_t i = 0; i < size; ++i) {  // no branch: a row without a mark is overwritten
      const bool marked = marks[first + i] != 0;
      bits |= std::uint64_t{marked} << i;
      rows_[count] = first + i;
      count += marked ? 1 : 0;
    }
    bits_[word] = bits;
  }
  rows_ = rows_.first(count);
}

void MarkedRows::copy_seen(SweepTask& task, Workspace& scratch) const {
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    task.seen_position[a] = copy_marked(task.seen_position[a], rows_, scratch);
    task.seen_extents[a] = copy_marked(task.seen_extents[a], rows_, scratch);
  }
  for (std::size_t i = 0; i < task.seen_column_count; ++i) {
    task.seen_columns[i] = copy_marked(task.seen_columns[i], rows_, scratch);
  }
  task.seen_slots = copy_marked(task.seen_slots, rows_, scratch);
}

SeenRows::SeenRows(const PopulationStore& seen, Halo* halo, const SeeOptions& options, SweepTask& task,
                   Workspace& scratch)
    : seen_(seen), halo_(halo) {
  if (options.among.index != Column<std::uint8_t>::kNone) {
    const std::span marks(seen.columns[options.among.index].as<std::uint8_t>(), seen.size());
    marked_.emplace(halo != nullptr ? halo->marks() : marks, scratch);
    marked_->copy_seen(task, scratch);
  }
}

}  // namespace juxta::agents_detail
