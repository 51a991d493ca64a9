// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace juxta::test {

/// FNV-1a (Fowler, Noll, Vo) over the bytes of a column, low byte first on every machine we support: one
/// number to compare a whole result with.
template <class T>
[[nodiscard]] std::uint64_t fnv(std::span<const T> values, std::uint64_t hash = 0xcbf29ce484222325U) {
  for (const std::byte byte : std::as_bytes(values)) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace juxta::test
