// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "juxta/core/export.h"
#include "juxta/core/memory.h"

namespace juxta {

/// What kept_memory_resource() keeps at most, in bytes: of blocks from 4 MiB on, and of smaller ones.
inline constexpr std::size_t kMostKeptMemory = std::size_t{1} << 29;
inline constexpr std::size_t kMostKeptSmall = std::size_t{1} << 25;

/// huge_page_resource() for programs that free large blocks and soon want such blocks again, as the Python
/// module does with its answers and layers. Freed blocks of 64 KiB and more are kept for the next one of
/// about the same size, up to the limits above; the oldest go first. Pages that the system has to find cost
/// more than what is written to them: on the virtual machine of the measurements up to 1.5 ms for each MiB.
/// The system may take the pages of kept blocks from 4 MiB on back when memory is short (MADV_FREE); until
/// then they count as this process's. Where the system cannot be told so, these are not kept. Blocks are not
/// zeroed. Safe from many threads.
[[nodiscard]] JUXTA_API std::pmr::memory_resource* kept_memory_resource() noexcept;

}  // namespace juxta
