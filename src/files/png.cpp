// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// libpng's own one-call form: it catches its long jumps inside, keeps its messages to itself and writes no
// time.
#include <png.h>

#include <cstddef>
#include <string>

#include "juxta/files/output_file.h"
#include "juxta/files/raster.h"

namespace juxta {

static_assert(sizeof(Rgb) == 3, "rows of pixels are handed to libpng as they are");

Result<void> write_png(const std::filesystem::path& path, const Raster& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = image.width();
  png.height = image.height();
  png.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
  png_alloc_size_t size = bytes.size();
  const int done = png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels().data(), 0, nullptr);
  if (done == 0) {
    return fail(ErrorCode::kIo, "cannot write \"" + path.string() + "\" as PNG: " + png.message);
  }
  bytes.resize(size);
  return write_file(path, bytes);
}

}  // namespace juxta
