// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the usual titles of columns, and numbers in cells. Shared by the readers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/files/point_table.h"

namespace juxta::files_detail {

inline constexpr std::size_t kMaxPoints = 0xFFFFFFFEu;

enum class Role : std::uint8_t { kX, kY, kRank, kName };

/// Place of `title` among the usual titles of a role (0 is the best), or nothing.
std::optional<std::size_t> usual_title(Role role, std::string_view title);

/// True when a larger rank of this title is more important.
bool larger_is_better(std::string_view rank_title, RankDirection direction);

/// Equal in any case of ASCII letters.
bool same_title(std::string_view a, std::string_view b) noexcept;

/// The cell without spaces around it.
std::string_view trimmed(std::string_view cell) noexcept;

/// A finite number filling the whole cell (spaces around it allowed, a leading + too), or nothing.
std::optional<double> parse_number(std::string_view cell) noexcept;

/// A cell shown in an error message: shortened, without control characters.
std::string quoted(std::string_view cell);

/// An error with a line.
tl::unexpected<Error> fail_at_line(ErrorCode code, std::uint64_t line, std::string message);

}  // namespace juxta::files_detail
