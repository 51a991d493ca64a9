// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How large a flock's world is, and the hash of its state: what the command and the page without a server
// share.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tool/flock.h"

namespace juxta::tool {
namespace {

/// By Newton's method: std::cbrt may end in another digit on another system, and the whole flight follows.
double cube_root(double a) {
  double x = std::max(a, 1.0);
  for (int i = 0; i < 200; ++i) {  // from above it falls by a third at a time, then squares its error
    x = (2 * x + a / (x * x)) / 3;
  }
  return x;
}

}  // namespace

float default_half_size(std::size_t agents, bool solid) {
  const double share = static_cast<double>(agents) / 20'000;
  return static_cast<float>(std::max(solid ? 3.13 * cube_root(share) : 10.5 * std::sqrt(share), 1.0));
}

std::vector<std::uint32_t> rows_by_number(const Flock& flock) {
  std::vector<std::uint32_t> rows(flock.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    rows[flock.numbers()[row]] = row;
  }
  return rows;
}

std::uint64_t state_hash(const Flock& flock) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto take = [&](std::uint32_t bits) {
    for (int shift = 0; shift < 32; shift += 8) {
      hash = (hash ^ (bits >> shift & 0xFF)) * 0x100000001b3U;
    }
  };
  const std::uint32_t dimensions = flock.options().dimensions;
  for (const std::uint32_t row : rows_by_number(flock)) {
    take(flock.numbers()[row]);
    for (std::uint32_t i = 0; i < 2 * dimensions; ++i) {
      take(std::bit_cast<std::uint32_t>(i < dimensions ? flock.position(i)[row]
                                                       : flock.velocity(i - dimensions)[row]));
    }
  }
  return hash;
}

}  // namespace juxta::tool
