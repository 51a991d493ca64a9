// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/files/point_table.h"

namespace juxta {

/// A PointTable as flat little-endian bytes (docs/formats/point_table.md), which are read at the speed of
/// memory. `juxta index` attaches them to the saved index (RankedPoints::save()), so that its answers have
/// names and coordinates. Errors: kInvalidArgument (a title longer than 1 MiB).
[[nodiscard]] Result<std::string> point_table_bytes(const PointTable& table);

/// Reads what point_table_bytes() made. Any bytes are read or refused: sizes, offsets, values and the
/// checksum are checked. Errors: kCorruptFile (with the byte).
[[nodiscard]] Result<PointTable> parse_point_table(std::string_view bytes);

}  // namespace juxta
