// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/files/point_table.h"

namespace juxta {

/// A PointTable as flat little-endian bytes (docs/formats/point_table.md), which are read at the speed of
/// memory. `juxta index` attaches them to the saved index (RankedPoints::save()), so that its answers have
/// names and coordinates. Errors: kInvalidArgument (a title or category
/// longer than 1 MiB).
[[nodiscard]] Result<std::string> point_table_bytes(const PointTable& table);

/// The columns of what point_table_bytes() made, at a multiple of 8 bytes and where they are: for a table of
/// which few rows are needed. Checks that the sizes add up, and nothing else: a few ns, whatever the size.
/// RankedPoints::load(), or check_read(), finds damage in what it has attached. Errors: kCorruptFile (with
/// the byte), kInvalidArgument (another place).
[[nodiscard]] Result<PointTableView> view_point_table(std::string_view bytes);

/// Whether all numbers are finite and the names ascend, which parse_point_table() promises. Reads all of it.
/// Errors: kCorruptFile.
[[nodiscard]] Result<void> check_point_table(const PointTableView& table);

/// Copies what point_table_bytes() made. Any bytes are read or refused: sizes, offsets, values and the
/// checksum are checked. Errors: kCorruptFile (with the byte).
[[nodiscard]] Result<PointTable> parse_point_table(std::string_view bytes);

}  // namespace juxta
