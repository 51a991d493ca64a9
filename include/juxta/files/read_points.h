// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/files/point_table.h"

namespace juxta {

/// Reads a CSV or TSV text (docs/formats/points_csv.md): RFC 4180 quotes, LF, CRLF or CR line ends, an
/// optional byte order mark, empty lines skipped. The delimiter is the first of tab, comma, semicolon that
/// the first line holds outside quotes. The first line is a header unless its x and y cells are numbers;
/// without a header and without given columns the order is x, y, rank, name. Cost: one pass, over 100 MB/s.
/// Memory: 24 bytes per point and its name. Errors, with the line: kParse (a row of another length, an open
/// quote, a cell that is no finite number), kNotFound (no such column), kTooLarge (more than 2^32 - 2
/// points, more than 64 categories), kInvalidArgument (more than two columns of numbers), kCancelled. An
/// empty text is refused. With PointColumns::skip_bad, rows with kParse are left out (after an open quote,
/// reading goes on with the next line).
[[nodiscard]] Result<PointTable> parse_points_csv(std::string_view text, const PointColumns& columns = {},
                                                  const Context& context = {});

/// Reads GeoJSON (RFC 7946): a FeatureCollection, a Feature, or a geometry, of Points and MultiPoints; or
/// several of them one after the other, as JSON Lines or RFC 8142 have them. x and y are the first two
/// coordinates, rank and name come from the properties; each position of a MultiPoint becomes a point.
/// Properties are chosen at the first feature that has one of the usual titles. Features without a place
/// (null geometry, no coordinates) are counted and left out. Anything else is refused, with the line where
/// the syntax breaks or the index of the feature: kParse, kNotFound (no rank), kTooLarge, kCancelled. With
/// PointColumns::skip_bad, bad features are left out, and so are lines and records of a sequence whose syntax
/// breaks; inside a FeatureCollection broken syntax stays an error.
[[nodiscard]] Result<PointTable> parse_points_geojson(std::string_view text, const PointColumns& columns = {},
                                                      const Context& context = {});

/// Either of the two: a text whose first visible character is { is GeoJSON. Bytes that are no UTF-8 text
/// (UTF-16, compressed, binary) are refused by name, with kParse.
[[nodiscard]] Result<PointTable> parse_points(std::string_view text, const PointColumns& columns = {},
                                              const Context& context = {});

/// Refuses bytes that are no UTF-8 text, and names what they are: UTF-16 and UTF-32, compressed files, and
/// others with a zero among the first 1,024 bytes. Errors: kParse (with the byte).
[[nodiscard]] Result<void> check_text(std::string_view bytes);

/// The bytes of a file, or of the standard input when `path` is "-". At most `limit` of them.
/// Errors: kIo (the message names the path), kCancelled.
[[nodiscard]] Result<std::string> read_bytes(std::string_view path, std::size_t limit = ~std::size_t{0},
                                             const Context& context = {});

/// read_bytes() and parse_points().
[[nodiscard]] Result<PointTable> read_points(std::string_view path, const PointColumns& columns = {},
                                             const Context& context = {});

}  // namespace juxta
