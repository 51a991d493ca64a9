// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the dots that points make on a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "files/svg_frame.h"
#include "juxta/files/svg_map.h"

namespace juxta::files_detail {

/// The world's rectangle that holds the middle 99 % of the points on each axis, grown a little. Never empty.
RectD middle_of(std::size_t count, PointAt point);

/// Dots of a frame as SVG paths, one per shade; at most `max_dots` of them.
std::string draw_dots(const SvgFrame& frame, std::size_t count, PointAt point, std::size_t max_dots);

}  // namespace juxta::files_detail
