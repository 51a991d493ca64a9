// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Forged files of hierarchies: their checksum is made to fit, so that load() looks at the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "transform/hierarchy_file.h"

namespace juxta::test {

inline void seal(std::vector<char>& file) {
  const std::uint64_t sum = transform_detail::kHierarchyFormat.checksum_of(std::as_bytes(std::span(file)));
  std::memcpy(file.data() + offsetof(transform_detail::HierarchyFileHeader, checksum), &sum, sizeof sum);
}

}  // namespace juxta::test
