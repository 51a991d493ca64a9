// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace juxta::program_detail {

/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);

/// A line of a report: what it is about, and the text, in columns.
[[nodiscard]] std::string report_line(std::string_view what, const std::string& text);

/// "2 threads", or over ranks (some) "4 ranks of 1 thread".
[[nodiscard]] std::string workers(unsigned ranks, unsigned threads);

}  // namespace juxta::program_detail
