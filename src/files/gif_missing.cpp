// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Stands in for gif.cpp where giflib is not there.
#include "juxta/files/gif.h"

namespace juxta {

struct GifWriter::Impl {};

GifWriter::GifWriter(Owned<Impl> impl) noexcept : impl_(std::move(impl)) {}
GifWriter::GifWriter(GifWriter&&) noexcept = default;
GifWriter::~GifWriter() = default;

bool has_gif() noexcept {
  return false;
}

Result<GifWriter> GifWriter::open(std::string_view /*path*/, std::uint32_t /*width*/,
                                  std::uint32_t /*height*/) {
  return fail(ErrorCode::kInvalidArgument,
              "this build of Juxta cannot write GIF files: install giflib (Debian: libgif-dev) and build "
              "Juxta again, or write PNG files");
}
Result<void> GifWriter::write(const Raster& /*frame*/, double /*seconds*/) {
  return {};
}
Result<void> GifWriter::commit() {
  return {};
}

}  // namespace juxta
