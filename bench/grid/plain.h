// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What fields are compared with: the plainest competent programs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace juxta::bench {

/// A copy by stores that stay in cache, as a program that computes what it writes has them.
void copy_loop(const float* from, float* to, std::size_t count) noexcept;

/// The obvious double loop over a closed world: one step, `to` from `from`.
void plain_diffuse(const float* from, float* to, std::size_t nx, std::size_t ny, float amount,
                   float keep) noexcept;
/// The same in space.
void plain_diffuse(const float* from, float* to, std::size_t nx, std::size_t ny, std::size_t nz, float amount,
                   float keep) noexcept;

/// Bilinear values at points inside a closed world of cells of size 1 from 0.
void plain_sample(const float* values, std::size_t nx, std::size_t ny, const float* x, const float* y,
                  float* out, std::size_t points) noexcept;

}  // namespace juxta::bench
