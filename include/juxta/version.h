// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <juxta/core/export.h>

/// The version of these headers. Until 1.0, a minor version may change the API and results (CHANGELOG.md).
#define JUXTA_VERSION_MAJOR 0
#define JUXTA_VERSION_MINOR 3
#define JUXTA_VERSION_PATCH 0
#define JUXTA_VERSION_STRING "0.3.0"

namespace juxta {

/// Returns the version of the headers your file was compiled with: 10000 * major + 100 * minor + patch.
constexpr int header_version() noexcept {
  return 10000 * JUXTA_VERSION_MAJOR + 100 * JUXTA_VERSION_MINOR + JUXTA_VERSION_PATCH;
}

/// Returns the version of the library your program runs with, as header_version() does. The two differ if a
/// shared library was replaced, or if the linker found another copy than the compiler: compare them once at
/// start if your program is installed apart from Juxta. Cost: returns a constant. Any thread.
JUXTA_API int library_version() noexcept;

}  // namespace juxta
