// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "juxta/core/export.h"

/// The plug-in interface of the Churchill Navigation challenge (2015), served by libjuxta_contest.so. For
/// programs that load contestants; in your own program use RankedPoints.
extern "C" {

#pragma pack(push, 1)
/// 13 bytes.
struct Point {
  std::int8_t id;
  std::int32_t rank;  ///< Lower is more important.
  float x, y;
};
#pragma pack(pop)

struct Rect {
  float lx, ly, hx, hy;  ///< Inclusive.
};

struct SearchContext;

/// Copies the points [begin, end) and builds the index; null when there is a NaN or no memory. Both may be
/// null.
JUXTA_API SearchContext* create(const Point* begin, const Point* end);

/// Writes up to `count` points inside `rect` in ascending rank (ties: input order) and returns how many. Any
/// thread.
JUXTA_API std::int32_t search(SearchContext* context, const Rect rect, std::int32_t count, Point* out);

/// Frees the context; always returns null.
JUXTA_API SearchContext* destroy(SearchContext* context);

}  // extern "C"
