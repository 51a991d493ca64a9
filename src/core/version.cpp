// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <juxta/version.h>

namespace juxta {

int library_version() noexcept {
  return header_version();
}

}  // namespace juxta
