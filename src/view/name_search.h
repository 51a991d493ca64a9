// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "juxta/files/point_table.h"

namespace juxta::view_detail {

/// The k points whose names begin with a text, or else hold it, in order of importance; letters a to z in any
/// case. Reads every name: about 0.14 s for 10M.
[[nodiscard]] std::vector<std::uint32_t> find_names(const PointTableView& table, std::string_view text,
                                                    std::size_t k);

}  // namespace juxta::view_detail
