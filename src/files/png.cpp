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

bool has_png() noexcept {
  return true;
}

Result<std::string> encode_png(const Raster& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = image.width();
  png.height = image.height();
  png.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
  png_alloc_size_t size = bytes.size();
  const int done = png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels().data(), 0, nullptr);
  if (done == 0) {
    return fail(ErrorCode::kIo, std::string("cannot encode as PNG: ") + png.message);
  }
  bytes.resize(size);
  return bytes;
}

Result<void> write_png(std::string_view path, const Raster& image) {
  return encode_png(image)
      .map_error([&](Error error) {
        error.message = "cannot write \"" + std::string(path) + "\": " + error.message;
        return error;
      })
      .and_then([&](const std::string& bytes) { return write_file(path, bytes); });
}

}  // namespace juxta
