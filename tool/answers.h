// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/files/svg_map.h"
#include "juxta/math/rect.h"
#include "program/report.h"
#include "tool/area.h"
#include "tool/console.h"
#include "tool/points_input.h"

namespace juxta::tool {

enum class Format { kTable, kCsv, kJson };

/// Rows `indices` of the table, as far as there is one. RankedPoints::check_read() has to follow. Errors:
/// kIo, kCorruptFile.
[[nodiscard]] Result<PointTable> rows_of(const Points& points, std::span<const std::uint32_t> indices);

/// The points `indices` of the input, most important first, and their `rows`, as a text.
[[nodiscard]] std::string format_answer(const Points& points, const PointTable& rows,
                                        std::span<const std::uint32_t> indices, Format format);

/// All points, the rectangle, and the answer's names.
[[nodiscard]] std::string draw_answer(const PointTableView& table, std::span<const std::uint32_t> indices,
                                      const Area& area, const SvgMapOptions& options);

/// A cell of a CSV file, quoted where it must be.
[[nodiscard]] std::string csv_cell(const std::string& text);

/// The value below which this part of the values lies; 0 when there are none.
[[nodiscard]] double quantile(std::vector<double> values, double part);

}  // namespace juxta::tool
