// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/files/box_table.h"

namespace juxta {

struct BoxReading {
  /// True: a row that cannot be read, or whose box is inverted, is left out, and BoxTable::skipped tells of
  /// it. False: it is an error. Where no row is left, the first error is returned.
  bool skip_bad = false;
};

/// Reads boxes from a CSV or TSV text (docs/formats/boxes_csv.md). Columns are found by title: two sides per
/// axis (minx .. maxz and the like), a low corner and a size (x, y, z, width, height, depth), or a ball (x,
/// y, z, radius); without any z the boxes are 2D. Without a header: 4 numbers are lx,ly,hx,hy, 6 are
/// lx,ly,lz,hx,hy,hz, and one more column is the name. Quotes, delimiters and line ends as
/// parse_points_csv(). Numbers are rounded to the nearest float. Cost: one pass, about 100 MB/s. Memory: 24
/// bytes per box and its name. Errors, with the line: kParse (a row of another length, an open quote, a cell
/// that is no finite float, an inverted box), kNotFound (columns that make no box), kTooLarge (more than 2^32
/// - 2), kCancelled. An empty text is refused.
[[nodiscard]] Result<BoxTable> parse_boxes_csv(std::string_view text, const BoxReading& reading = {},
                                               const Context& context = {});

/// read_bytes() and parse_boxes_csv(). Errors: kIo too.
[[nodiscard]] Result<BoxTable> read_boxes_csv(std::string_view path, const BoxReading& reading = {},
                                              const Context& context = {});

/// Reads queries, whose kind the titles tell: boxes (as above, by sides), rays (ox,oy,oz,dx,dy,dz and
/// optionally max), segments (ax,ay,az,bx,by,bz) or points (x,y,z); without z 2D. Errors as
/// parse_boxes_csv(), except that a box may have infinite sides or be inverted, and max may be infinite.
[[nodiscard]] Result<QueryTable> parse_queries_csv(std::string_view text, const Context& context = {});

}  // namespace juxta
