// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Stands in for png.cpp where libpng is not there (JUXTA_PNG).
#include <string>

#include "juxta/files/raster.h"

namespace juxta {

bool has_png() noexcept {
  return false;
}

Result<std::string> encode_png(const Raster& /*image*/) {
  return fail(ErrorCode::kInvalidArgument,
              "this build of Juxta has no PNG files: build it with libpng (JUXTA_PNG=ON)");
}

Result<void> write_png(std::string_view /*path*/, const Raster& image) {
  return encode_png(image).map([](const std::string&) {});
}

}  // namespace juxta
