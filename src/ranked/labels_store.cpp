// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The shown labels by zoom, row and x: what RankedLabels::top() searches.
#include "ranked/labels_store.h"

#include <algorithm>

#include "juxta/order/ordered_key.h"
#include "juxta/order/radix_sort.h"

namespace juxta::ranked_detail {
namespace {

/// Places in rank order of all shown labels, by their number; and the byte of each point by input index.
void number_labels(LabelsStore& store, std::span<const std::uint8_t> due,
                   std::span<const std::uint32_t> index_of, std::span<std::uint32_t> places) {
  std::size_t number = 0;
  for (std::size_t place = 0; place < due.size(); ++place) {
    const std::uint32_t index = index_of.empty() ? static_cast<std::uint32_t>(place) : index_of[place];
    store.appears[index] = due[place];
    if (due[place] != RankedLabels::kNever) {
      store.index_of[number] = index;
      places[number++] = static_cast<std::uint32_t>(place);
    }
  }
}

/// Sorts the numbers of one zoom by row and x.
void sort_zoom(std::span<std::uint32_t> numbers, std::span<const std::uint32_t> places,
               std::span<const Label> labels, double rows_per_unit, const BuildContext& context) {
  const Workspace::Scope scope(context.workspace);
  const auto keys = context.workspace.take<std::uint64_t>(numbers.size());
  const Context sorting = {.executor = &context.executor, .workspace = &context.workspace};
  const auto sort_by = [&](auto key_of) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      keys[i] = ordered_key(key_of(labels[places[numbers[i]]]));
    }
    (void)sort_pairs(keys, numbers, sorting);  // never more than there are points
  };
  sort_by([](const Label& label) { return label.x; });
  sort_by([&](const Label& label) { return cell_of(label.y, rows_per_unit); });
}

/// Writes the coordinates of one zoom, whose labels begin at `first`; returns how many rows there are.
std::size_t write_coordinates(LabelsStore& store, std::size_t first, std::size_t last, double rows_per_unit,
                              std::span<const std::uint32_t> places, std::span<const Label> labels) {
  std::size_t rows = 0;
  std::int64_t before = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Label& label = labels[places[store.numbers[i]]];
    store.xs[i] = label.x;
    store.ys[i] = label.y;
    const std::int64_t cell = cell_of(label.y, rows_per_unit);
    rows += i == first || cell != before;
    before = cell;
  }
  return rows;
}

/// Writes the rows of one zoom from `row` on.
void write_rows(LabelsStore& store, std::size_t first, std::size_t last, double rows_per_unit,
                std::size_t row) {
  for (std::size_t i = first; i < last; ++i) {
    const std::int64_t cell = cell_of(store.ys[i], rows_per_unit);
    if (i == first || cell != store.rows[row - 1].cell) {
      store.rows[row++] = {.cell = cell, .first = i};
    }
  }
}

}  // namespace

void store_labels(LabelsStore& store, std::span<const Label> labels, std::span<const std::uint8_t> due,
                  std::span<const std::uint32_t> index_of, const BuildContext& context) {
  std::array<std::size_t, kZooms + 1> end{};
  for (const std::uint8_t zoom : due) {
    ++end[std::min<std::size_t>(zoom, kZooms)];
  }
  const std::size_t shown = due.size() - end[kZooms];
  store.appears.resize_discard(due.size());
  store.index_of.resize_discard(shown);
  store.numbers.resize_discard(shown);
  store.xs.resize_discard(shown);
  store.ys.resize_discard(shown);
  const Workspace::Scope scope(context.workspace);
  const auto places = context.workspace.take<std::uint32_t>(shown);
  number_labels(store, due, index_of, places);

  std::array<std::size_t, kZooms + 1> begin{};
  for (std::size_t zoom = 0; zoom < kZooms; ++zoom) {
    begin[zoom + 1] = begin[zoom] + end[zoom];
  }
  std::array<std::size_t, kZooms + 1> next = begin;
  for (std::size_t number = 0; number < shown; ++number) {
    store.numbers[next[due[places[number]]]++] = static_cast<std::uint32_t>(number);
  }
  for (unsigned zoom = 0; zoom < kZooms; ++zoom) {
    const double rows_per_unit = store.zooms.rows_per_unit(zoom);
    const std::size_t first = begin[zoom], last = begin[zoom + 1];
    sort_zoom(store.numbers.span().subspan(first, last - first), places, labels, rows_per_unit, context);
    store.row_begin[zoom + 1] =
        store.row_begin[zoom] + write_coordinates(store, first, last, rows_per_unit, places, labels);
  }
  store.rows.resize_discard(store.row_begin[kZooms] + 1);
  for (unsigned zoom = 0; zoom < kZooms; ++zoom) {
    write_rows(store, begin[zoom], begin[zoom + 1], store.zooms.rows_per_unit(zoom), store.row_begin[zoom]);
  }
  store.rows[store.row_begin[kZooms]] = {.cell = 0, .first = shown};
}

}  // namespace juxta::ranked_detail
