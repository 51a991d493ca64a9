// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/files/raster.h"

namespace juxta::files_detail {

/// A few colours that stand for many.
class Palette {
 public:
  /// For these pixels, in any order; at most `most` colours, from 1 to 256. Exactly the pixels' colours where
  /// those are no more.
  Palette(std::span<const Rgb> pixels, std::size_t most);

  [[nodiscard]] std::span<const Rgb> colours() const noexcept { return colours_; }
  /// The palette's colour for one of the pixels.
  [[nodiscard]] std::uint8_t index_of(Rgb pixel) const noexcept;

 private:
  std::vector<std::uint32_t> known_;  // the pixels' different colours, ascending
  std::vector<std::uint8_t> index_;   // of each of them
  std::vector<Rgb> colours_;
};

}  // namespace juxta::files_detail
