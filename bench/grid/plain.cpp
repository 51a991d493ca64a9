// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The plainest competent programs. Compiled with -O3 -march=native (bench/grid/CMakeLists.txt), where GCC
// vectorises the inner loops and fuses multiplications and additions.
#include "bench/grid/plain.h"

#include <algorithm>
#include <cmath>

namespace juxta::bench {

void copy_loop(const float* __restrict from, float* __restrict to, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
  }
}

void plain_diffuse(const float* __restrict from, float* __restrict to, std::size_t nx, std::size_t ny,
                   float amount, float keep) noexcept {
  for (std::size_t y = 0; y < ny; ++y) {
    const float* row = from + y * nx;
    const float* below = from + (y == 0 ? 0 : y - 1) * nx;
    const float* above = from + std::min(y + 1, ny - 1) * nx;
    float* out = to + y * nx;
    const auto cell = [&](std::size_t x, float left, float right) {
      const float c = row[x];
      return (c + amount * ((left - c) + (right - c) + (below[x] - c) + (above[x] - c))) * keep;
    };
    out[0] = cell(0, row[0], row[1]);
    for (std::size_t x = 1; x + 1 < nx; ++x) {
      out[x] = cell(x, row[x - 1], row[x + 1]);
    }
    out[nx - 1] = cell(nx - 1, row[nx - 2], row[nx - 1]);
  }
}

void plain_diffuse(const float* __restrict from, float* __restrict to, std::size_t nx, std::size_t ny,
                   std::size_t nz, float amount, float keep) noexcept {
  for (std::size_t z = 0; z < nz; ++z) {
    for (std::size_t y = 0; y < ny; ++y) {
      const float* row = from + (z * ny + y) * nx;
      const float* below = from + (z * ny + (y == 0 ? 0 : y - 1)) * nx;
      const float* above = from + (z * ny + std::min(y + 1, ny - 1)) * nx;
      const float* back = from + ((z == 0 ? 0 : z - 1) * ny + y) * nx;
      const float* front = from + (std::min(z + 1, nz - 1) * ny + y) * nx;
      float* out = to + (z * ny + y) * nx;
      const auto cell = [&](std::size_t x, float left, float right) {
        const float c = row[x];
        return (c + amount * ((left - c) + (right - c) + (below[x] - c) + (above[x] - c) + (back[x] - c) +
                              (front[x] - c))) *
               keep;
      };
      out[0] = cell(0, row[0], row[1]);
      for (std::size_t x = 1; x + 1 < nx; ++x) {
        out[x] = cell(x, row[x - 1], row[x + 1]);
      }
      out[nx - 1] = cell(nx - 1, row[nx - 2], row[nx - 1]);
    }
  }
}

void plain_sample(const float* values, std::size_t nx, std::size_t ny, const float* x, const float* y,
                  float* out, std::size_t points) noexcept {
  for (std::size_t i = 0; i < points; ++i) {
    const float cx = x[i] - 0.5F, cy = y[i] - 0.5F;
    const int ix = static_cast<int>(std::floor(cx)), iy = static_cast<int>(std::floor(cy));
    const float wx = cx - static_cast<float>(ix), wy = cy - static_cast<float>(iy);
    const int last_x = static_cast<int>(nx) - 1, last_y = static_cast<int>(ny) - 1;
    const int x0 = std::max(ix, 0), x1 = std::min(ix + 1, last_x);
    const auto row0 = static_cast<std::ptrdiff_t>(nx) * std::max(iy, 0);
    const auto row1 = static_cast<std::ptrdiff_t>(nx) * std::min(iy + 1, last_y);
    const float a = (1 - wx) * values[row0 + x0] + wx * values[row0 + x1];
    const float b = (1 - wx) * values[row1 + x0] + wx * values[row1 + x1];
    out[i] = (1 - wy) * a + wy * b;
  }
}

}  // namespace juxta::bench
