// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// In place of the pages, where there was no npm to build them.
#include "view/assets.h"

namespace juxta::view_detail {

std::span<const Asset> assets() noexcept {
  return {};
}

}  // namespace juxta::view_detail
