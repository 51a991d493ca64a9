// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The pages, as viewer/web/build.mjs makes them; none where there was no npm.
#pragma once

#include <span>
#include <string_view>

namespace juxta::view_detail {

struct Asset {
  std::string_view path, type;  ///< "/world.js", "text/javascript".
  std::span<const unsigned char> gzip;
};
[[nodiscard]] std::span<const Asset> assets() noexcept;

}  // namespace juxta::view_detail
