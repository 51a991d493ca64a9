// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/core/owned.h"
#include "juxta/files/raster.h"

namespace juxta {

/// Whether this build can write GIF files: giflib was there when Juxta was built.
[[nodiscard]] bool has_gif() noexcept;

/// An animated GIF, frame by frame, that plays again and again. Each frame has a palette of its own: up to
/// 255 colours that serve what has changed since the frame before, exactly where it has no more. Memory: two
/// frames, whatever their number. The file appears whole with commit(), or not at all (output_file.h). The
/// same bytes for the same frames and one version of giflib. Move-only; one thread at a time.
class GifWriter {
 public:
  /// Every frame will have this size. Errors: kInvalidArgument (a size of 0, or above 65,535, which no GIF
  /// can have; a build without giflib), kIo.
  [[nodiscard]] static Result<GifWriter> open(std::string_view path, std::uint32_t width,
                                              std::uint32_t height);

  GifWriter(GifWriter&&) noexcept;
  GifWriter& operator=(GifWriter&&) = delete;
  ~GifWriter();

  /// A frame, shown for `seconds`, from 0 to 600. A GIF counts in hundredths of a second: what is rounded off
  /// one frame is added to the next. It cannot show more than 50 frames a second, so each takes 0.02 s at
  /// least. Errors: kInvalidArgument (another size, a time out of range), kIo (full disk). After kIo only the
  /// destructor may be called.
  [[nodiscard]] Result<void> write(const Raster& frame, double seconds);
  /// Nothing may be written after it. Errors: kInvalidArgument (there is no frame), kIo.
  [[nodiscard]] Result<void> commit();

 private:
  struct Impl;
  explicit GifWriter(Owned<Impl> impl) noexcept;
  Owned<Impl> impl_;
};

}  // namespace juxta
