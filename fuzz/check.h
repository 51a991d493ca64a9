// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>

/// Stops the fuzzer at a broken promise, with the sentence and the place. Not assert(): it must hold in any
/// build.
#define JUXTA_FUZZ_CHECK(condition)                                                        \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      std::fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                        \
    }                                                                                      \
  } while (false)
