// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The contest's C interface over RankedPoints: records sorted by rank once, so that a record's place
// is its index.

#include "ranked/contest.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "juxta/core/array.h"
#include "juxta/core/workspace.h"
#include "juxta/order/ordered_key.h"
#include "juxta/order/radix_sort.h"
#include "juxta/ranked/ranked_points.h"

struct SearchContext {
  juxta::Array<Point> records;  // in rank order; the index borrows its coordinates from here
  juxta::RankedPoints points;
  std::size_t size = 0;
};

namespace {

/// Copies the records in stable rank order.
void sort_records(const Point* begin, std::size_t size, juxta::Array<Point>& records) {
  juxta::Workspace workspace;
  const auto keys = workspace.take<std::uint32_t>(size), order = workspace.take<std::uint32_t>(size);
  for (std::size_t i = 0; i < size; ++i) {
    keys[i] = juxta::ordered_key(std::int32_t{begin[i].rank});
    order[i] = static_cast<std::uint32_t>(i);
  }
  (void)juxta::sort_pairs(keys, order,
                          {.workspace = &workspace});  // more than 2^32 - 2 points are refused by build()
  records.resize_discard(size);
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < size; ++i) {
    __builtin_prefetch(begin + order[std::min(i + kAhead, size - 1)]);
    records[i] = begin[order[i]];
  }
}

}  // namespace

SearchContext* create(const Point* begin, const Point* end) {
  try {
    auto context = std::make_unique<SearchContext>();
    context->size = static_cast<std::size_t>(end - begin);
    if (context->size != 0) {
      sort_records(begin, context->size, context->records);
      const auto* first = reinterpret_cast<const std::byte*>(context->records.data());
      const auto column = [&]<class T>(T, std::size_t offset) {
        return juxta::StridedColumn<T>{first + offset, sizeof(Point)};
      };
      juxta::RankedPointsOptions options;
      options.borrow_coordinates = true;
      auto built =
          juxta::RankedPoints::build({column(float{}, offsetof(Point, x)), context->size},
                                     {column(float{}, offsetof(Point, y)), context->size},
                                     {column(std::int32_t{}, offsetof(Point, rank)), context->size}, options);
      if (!built) {
        return nullptr;
      }
      context->points = std::move(*built);
    }
    return context.release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

std::int32_t search(SearchContext* context, const Rect rect, std::int32_t count, Point* out) {
  constexpr std::size_t kOnStack = 1024;
  if (context == nullptr || count <= 0 || context->size == 0) {
    return 0;
  }
  std::array<std::uint32_t, kOnStack> few;
  std::vector<std::uint32_t> many;
  std::span<std::uint32_t> indices = few;
  const std::size_t wanted = std::min(static_cast<std::size_t>(count), context->size);
  if (wanted > kOnStack) {
    many.resize(wanted);
    indices = many;
  }
  const auto found = context->points.top({rect.lx, rect.ly, rect.hx, rect.hy}, wanted, indices).written;
  const Point* records = context->records.data();
  for (std::size_t i = 0; i < found; ++i) {
    __builtin_prefetch(records + indices[i]);
  }
  for (std::size_t i = 0; i < found; ++i) {
    std::memcpy(out + i, records + indices[i], sizeof(Point));
  }
  return static_cast<std::int32_t>(found);
}

SearchContext* destroy(SearchContext* context) {
  delete context;
  return nullptr;
}
