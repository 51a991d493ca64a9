// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/study/model.h"
#include "juxta/study/sweep.h"

namespace juxta::study_detail {

inline constexpr std::size_t kMostSweepBytes = std::size_t{1} << 20;

/// read_sweep() of a file that holds this text. Errors: kParse with the line.
[[nodiscard]] Result<Sweep> parse_sweep(std::string_view text, std::span<const ModelInfo> models);

}  // namespace juxta::study_detail
