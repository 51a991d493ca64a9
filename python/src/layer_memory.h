// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Memory of layers, kept between one layer and the next.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace juxta::python {

/// Where layers take their memory. Python programs make a new layer for each data set or frame, and drop the
/// old one: pages that the system gives for the first time cost more than sorting what is written to them (a
/// layer of 100k boxes: 2 to 7 ms against 2). Blocks of 64 KiB to 4 MiB that were freed are therefore kept
/// for the next one of their size, up to kMostKeptOfLayers; the oldest go first. Others come from
/// huge_page_resource(). Safe from many threads.
[[nodiscard]] std::pmr::memory_resource* layer_memory() noexcept;

inline constexpr std::size_t kMostKeptOfLayers = std::size_t{1} << 25;

}  // namespace juxta::python
