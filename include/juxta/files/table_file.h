// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "juxta/core/error.h"
#include "juxta/files/point_table.h"

namespace juxta {

/// Writes a PointTable as one flat little-endian file (docs/formats/point_table.md), which is read at the
/// speed of memory: what stands beside a saved index, so that its answers have names and coordinates. Whole
/// or not at all, see OutputFile. Errors: kIo.
[[nodiscard]] Result<void> save_point_table(const PointTable& table, const std::filesystem::path& path);

/// Reads what save_point_table() wrote. Any file is read or refused: sizes, offsets, values and the checksum
/// are looked at. Errors: kIo, kCorruptFile (with the byte).
[[nodiscard]] Result<PointTable> load_point_table(const std::filesystem::path& path);

}  // namespace juxta
