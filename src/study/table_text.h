// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: cells as text, for CSV and journals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "juxta/study/table.h"

namespace juxta::study_detail {

/// Without quotes. NaN: nothing.
[[nodiscard]] std::string cell_text(const Cell& cell);
/// The cell of that text, or nothing where it is not of the kind. Empty text is NaN, or "".
[[nodiscard]] std::optional<Cell> read_cell(CellKind kind, std::string_view text);

}  // namespace juxta::study_detail
