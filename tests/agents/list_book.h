// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Neighbours of agents as lists of plain vectors, from each call of neighbour_lists.h.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "agents/list_oracle.h"
#include "juxta/agents/neighbour_lists.h"

namespace juxta::test {

/// neighbour_lists() with all outputs, after a call that only counts.
inline ListBook list_all(const Population& seers, const Population& seen, float radius,
                         const NeighbourListOptions& options, const Context& context = {}) {
  ListBook book;
  book.offsets.assign(seers.size() + 1, 77);
  const auto counted = neighbour_lists(seers, seen, radius, book.offsets, {}, options, context);
  EXPECT_TRUE(counted) << counted.error().message;
  EXPECT_EQ(counted->found, book.offsets.back());
  EXPECT_EQ(counted->written, 0U);
  const std::size_t found = counted->found;
  book.offsets.assign(seers.size() + 1, 77);
  book.rows.resize(found);
  book.pairs.resize(found);
  book.distance2.resize(found);
  book.distance.resize(found);
  book.displacement.resize(found * seers.world().dimensions);
  const auto result = neighbour_lists(
      seers, seen, radius, book.offsets,
      {book.rows, book.pairs, book.distance2, book.distance, book.displacement}, options, context);
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->found, found);
  EXPECT_EQ(result->written, found);
  EXPECT_EQ(result->tested, counted->tested);
  return book;
}

/// Rows alone, and pairs of neighbour_pairs() beside them.
inline ListBook list_rows(const Population& seers, const Population& seen, float radius,
                          const NeighbourListOptions& options, const Context& context = {}) {
  ListBook book;
  book.offsets.assign(seers.size() + 1, 77);
  const std::size_t found =
      neighbour_lists(seers, seen, radius, book.offsets, {}, options, context).value().found;
  book.rows.resize(found);
  book.pairs.resize(found);
  EXPECT_EQ(
      neighbour_lists(seers, seen, radius, book.offsets, {.rows = book.rows}, options, context)->written,
      found);
  EXPECT_EQ(neighbour_pairs(seers, seen, radius, {.pairs = book.pairs}, options, context)->written, found);
  return book;
}

/// What the visitor gets, range after range. Has no offsets.
inline ListBook visit_all(const Population& seers, const Population& seen, float radius,
                          NeighbourListOptions options, const Context& context = {}) {
  std::vector<ListBook> ranges(seers.size() / kNeighbourRange + 1);
  options.measured = true;
  const auto note = [&](const NeighbourBlock& block) {
    ListBook& range = ranges[block.range];  // of one thread, as promised
    for (const RowPair& pair : block.pairs) {
      range.rows.push_back(pair.b);
    }
    range.pairs.insert(range.pairs.end(), block.pairs.begin(), block.pairs.end());
    range.distance2.insert(range.distance2.end(), block.distance2.begin(), block.distance2.end());
    range.displacement.insert(range.displacement.end(), block.displacement.begin(), block.displacement.end());
  };
  const auto result = visit_neighbour_pairs(seers, seen, radius, note, options, context);
  EXPECT_TRUE(result) << result.error().message;
  ListBook book;
  book.offsets.clear();
  for (const ListBook& range : ranges) {
    book.rows.insert(book.rows.end(), range.rows.begin(), range.rows.end());
    book.pairs.insert(book.pairs.end(), range.pairs.begin(), range.pairs.end());
    book.distance2.insert(book.distance2.end(), range.distance2.begin(), range.distance2.end());
    book.displacement.insert(book.displacement.end(), range.displacement.begin(), range.displacement.end());
  }
  EXPECT_EQ(result->found, book.rows.size());
  EXPECT_EQ(result->written, book.rows.size());
  return book;
}

}  // namespace juxta::test
