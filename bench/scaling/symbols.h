// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

namespace juxta::bench {

/// The functions around these return addresses of this program, the innermost first: "radix_sort < sort".
/// Asks addr2line (binutils); "?" without it.
[[nodiscard]] std::string names_of(std::span<const void* const> callers);

}  // namespace juxta::bench
