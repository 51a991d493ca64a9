// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/files/svg_map.h"
#include "juxta/math/rect.h"
#include "tool/area.h"
#include "tool/points_input.h"

namespace juxta::tool {

enum class Format { kTable, kCsv, kJson };

/// The points `indices` of the input, most important first, as a text.
[[nodiscard]] std::string format_answer(const Points& points, std::span<const std::uint32_t> indices,
                                        Format format);

/// All points, the rectangle, and the answer's names.
[[nodiscard]] std::string draw_answer(const PointTableView& table, std::span<const std::uint32_t> indices,
                                      const Area& area, const SvgMapOptions& options);

/// A cell of a CSV file, quoted where it must be.
[[nodiscard]] std::string csv_cell(const std::string& text);

/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);

/// A line of a report: what it is about, and the text, in columns.
[[nodiscard]] std::string report_line(std::string_view what, const std::string& text);

/// The value below which this part of the values lies; 0 when there are none.
[[nodiscard]] double quantile(std::vector<double> values, double part);

/// "2 threads", or over ranks (some) "4 ranks of 1 thread".
[[nodiscard]] std::string workers(unsigned ranks, unsigned threads);

}  // namespace juxta::tool
