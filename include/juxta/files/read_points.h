// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/core/monitor.h"
#include "juxta/files/point_table.h"

namespace juxta {

/// Reads a CSV or TSV text (docs/formats/points_csv.md): RFC 4180 quotes, LF, CRLF or CR line ends, an
/// optional byte order mark, empty lines skipped. The delimiter is the first of tab, comma, semicolon that
/// the first line holds outside quotes. The first line is a header unless its x and y cells are numbers;
/// without a header and without given columns the order is x, y, rank, name. Cost: one pass, over 100 MB/s.
/// Memory: 24 bytes per point and its name. Errors, with the line: kParse (a row of another length, an open
/// quote, a cell that is no finite number), kNotFound (no such column), kTooLarge (more than 2^32 - 2
/// points), kCancelled. An empty text is refused.
[[nodiscard]] Result<PointTable> parse_points_csv(std::string_view text, const PointColumns& columns = {},
                                                  Monitor* monitor = nullptr);

/// Reads a GeoJSON FeatureCollection of Points (RFC 7946): x and y from the first two coordinates, rank and
/// name from the properties. Properties are chosen at the first feature that has one of the usual titles.
/// Errors, with the line where the syntax breaks or the index of the feature: kParse, kNotFound, kTooLarge.
[[nodiscard]] Result<PointTable> parse_points_geojson(std::string_view text, const PointColumns& columns = {},
                                                      Monitor* monitor = nullptr);

/// Either of the two: a text whose first visible character is { is GeoJSON.
[[nodiscard]] Result<PointTable> parse_points(std::string_view text, const PointColumns& columns = {},
                                              Monitor* monitor = nullptr);

/// The bytes of a file, or of the standard input when `path` is "-". At most `limit` of them.
/// Errors: kIo (the message names the path), kCancelled.
[[nodiscard]] Result<std::string> read_bytes(const std::filesystem::path& path, Monitor* monitor = nullptr,
                                             std::size_t limit = ~std::size_t{0});

/// read_bytes() and parse_points().
[[nodiscard]] Result<PointTable> read_points(const std::filesystem::path& path,
                                             const PointColumns& columns = {}, Monitor* monitor = nullptr);

}  // namespace juxta
