// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "juxta/files/point_table.h"
#include "juxta/files/skipped_rows.h"

namespace juxta::tool {

/// Tells on the error output which rows of a file were left out (--skip-bad), and why. `left` of `what`
/// ("points", "boxes") were read.
void tell_left_out(const SkippedRows& skipped, const std::string& file, std::size_t left,
                   std::string_view what);
/// The same for points, and how many features have no place.
void tell_left_out(const PointTable& table, const std::string& file);

}  // namespace juxta::tool
