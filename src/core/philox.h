// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: Random123's Philox, on WebAssembly too. Random123 stops at processors that its authors have not
// tried, so for WebAssembly this names one that they have. Philox4x32 is plain arithmetic on integers of 64
// bits there, and the golden hashes of core are those of every other machine.
#pragma once

#if defined(__wasm__)
// What it includes itself comes first, and does not see the name.
#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#define __riscv
#include <Random123/philox.h>
#undef __riscv
#else
#include <Random123/philox.h>
#endif
