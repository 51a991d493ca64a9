// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tests/models/scalar/dam_break.h"

#include <algorithm>
#include <cmath>

namespace juxta::test {

template <std::size_t dimensions>
ScalarDamBreak<dimensions>::ScalarDamBreak(const ScalarWater& w) {
  const double pi = 3.14159265358979323846, h = w.h;
  const double wendland = dimensions == 2 ? 7 / (4 * pi * h * h) : 21 / (16 * pi * h * h * h);
  const double volume = dimensions == 2 ? w.spacing * w.spacing : w.spacing * w.spacing * w.spacing;
  reach_ = static_cast<float>(2 * h);
  viscosity_ = static_cast<float>(w.viscosity * h * w.sound);
  softening_ = static_cast<float>(0.01 * h * h);
  time_step_ = static_cast<float>(w.time_step);
  gravity_ = static_cast<float>(w.gravity);
  scale_ = static_cast<float>(volume * 5 / (h * h) * wendland / (8 * h * h * h));
  sound2_ = static_cast<float>(w.sound * w.sound);
  diffusion_ = static_cast<float>(2 * w.diffusion * h * w.sound);
  still_slope_ = static_cast<float>(w.gravity / (w.sound * w.sound));
  depth_ = static_cast<float>(w.depth);
}

template <std::size_t dimensions>
void ScalarDamBreak<dimensions>::add(const Seen& seen, const Own& own) {
  seen_.push_back(seen);
  own_.push_back(own);
}

template <std::size_t dimensions>
void ScalarDamBreak<dimensions>::step() {
  sort();
  for (std::uint32_t row = 0; row < seen_.size(); ++row) {
    if (!(seen_[row].water > 0)) {
      carry(row, look_around<Touched>(row));  // which changes no water, and walls look at water alone
    }
  }
  found_.resize(seen_.size());
  for (std::uint32_t row = 0; row < seen_.size(); ++row) {
    found_[row] = look_around<Found>(row);
  }
  for (std::uint32_t row = 0; row < seen_.size(); ++row) {
    move(row, found_[row]);
  }
}

/// Cells over everybody, as wide as the kernel reaches; along z a whole number of them in a period.
template <std::size_t dimensions>
void ScalarDamBreak<dimensions>::bound_cells() {
  for (std::size_t a = 0; a < dimensions; ++a) {
    if (a == 2) {
      cells_[a] = std::max(1, static_cast<std::int32_t>(depth_ / reach_));
      lo_[a] = 0;
      one_over_edge_[a] = static_cast<float>(cells_[a]) / depth_;
      continue;
    }
    const auto less = [a](const Seen& p, const Seen& q) { return p.x[a] < q.x[a]; };
    const auto [least, most] = std::minmax_element(seen_.begin(), seen_.end(), less);
    lo_[a] = least->x[a];
    one_over_edge_[a] = 0.9999F / reach_;  // never narrower than the reach
    cells_[a] = static_cast<std::int32_t>((most->x[a] - lo_[a]) * one_over_edge_[a]) + 1;
  }
}

template <std::size_t dimensions>
auto ScalarDamBreak<dimensions>::cell_of(const Seen& particle) const noexcept -> Cell {
  Cell cell;
  for (std::size_t a = 0; a < dimensions; ++a) {
    cell[a] = static_cast<std::int32_t>((particle.x[a] - lo_[a]) * one_over_edge_[a]);
    cell[a] = std::min(cell[a], cells_[a] - 1);
  }
  return cell;
}

template <std::size_t dimensions>
std::uint32_t ScalarDamBreak<dimensions>::number_of(const Cell& cell) const noexcept {
  std::int32_t number = 0;
  for (std::size_t a = dimensions; a-- > 0;) {
    number = number * cells_[a] + cell[a];
  }
  return static_cast<std::uint32_t>(number);
}

template <std::size_t dimensions>
void ScalarDamBreak<dimensions>::sort() {
  if constexpr (dimensions == 3) {
    for (Seen& p : seen_) {
      p.x[2] += p.x[2] < 0 ? depth_ : p.x[2] >= depth_ ? -depth_ : 0;
    }
  }
  bound_cells();
  std::size_t cells = 1;
  for (const std::int32_t count : cells_) {
    cells *= static_cast<std::size_t>(count);
  }
  begins_.assign(cells + 1, 0);
  cell_.resize(seen_.size());
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    cell_[i] = number_of(cell_of(seen_[i]));
    ++begins_[cell_[i] + 1];
  }
  for (std::size_t c = 0; c < cells; ++c) {
    begins_[c + 1] += begins_[c];
  }
  sorted_seen_.resize(seen_.size());
  sorted_own_.resize(own_.size());
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const std::uint32_t to = begins_[cell_[i]]++;
    sorted_seen_[to] = seen_[i];
    sorted_own_[to] = own_[i];
  }
  std::copy_backward(begins_.begin(), begins_.end() - 1, begins_.end());
  begins_[0] = 0;
  seen_.swap(sorted_seen_);
  own_.swap(sorted_own_);
}

template <std::size_t dimensions>
template <class Sums>
Sums ScalarDamBreak<dimensions>::look_around(std::uint32_t row) const noexcept {
  const Cell own = cell_of(seen_[row]);
  Sums sums{};
  for (std::int32_t y = std::max(own[1] - 1, 0); y <= std::min(own[1] + 1, cells_[1] - 1); ++y) {
    if constexpr (dimensions == 2) {
      look_along<false>(row, {own[0], y}, sums);
    } else {
      // Around the edge of the world; each layer of cells once, were there only two.
      for (std::int32_t k = 0; k < std::min(3, cells_[2]); ++k) {
        const std::int32_t z = own[2] - 1 + k;
        const Cell at{own[0], y, (z + cells_[2]) % cells_[2]};
        cells_[2] < 3 || z < 0 || z >= cells_[2] ? look_along<true>(row, at, sums)
                                                 : look_along<false>(row, at, sums);
      }
    }
  }
  return sums;
}

/// The cell, the one before it and the one behind it, which stand side by side in memory.
template <std::size_t dimensions>
template <bool wrapped, class Sums>
void ScalarDamBreak<dimensions>::look_along(std::uint32_t row, const Cell& at, Sums& sums) const noexcept {
  const Seen me = seen_[row];
  const std::uint32_t cell = number_of(at);
  const std::uint32_t begin = begins_[at[0] > 0 ? cell - 1 : cell];
  const std::uint32_t end = begins_[at[0] + 1 < cells_[0] ? cell + 2 : cell + 1];
  const float reach2 = reach_ * reach_;
  Sums sum = sums;
  for (std::uint32_t j = begin; j < end; ++j) {
    const Seen& other = seen_[j];
    Vector d;
    float distance2 = 0;
    for (std::size_t a = 0; a < dimensions; ++a) {
      d[a] = other.x[a] - me.x[a];
      if (wrapped && a == 2) {
        d[a] += d[a] > depth_ / 2 ? -depth_ : d[a] < -depth_ / 2 ? depth_ : 0;
      }
      distance2 += d[a] * d[a];
    }
    if (distance2 > reach2 || j == row) {
      continue;
    }
    add_pair(me, other, d, distance2, sum);
  }
  sums = sum;
}

template <std::size_t dimensions>
void ScalarDamBreak<dimensions>::add_pair(const Seen& me, const Seen& other, const Vector& d, float distance2,
                                          Found& sum) const noexcept {
  float parting = 0;
  for (std::size_t a = 0; a < dimensions; ++a) {
    parting += (other.v[a] - me.v[a]) * d[a];
  }
  const float t = reach_ - std::sqrt(distance2);
  const float weight = t * t * t, wet = me.water * other.water;
  sum.rate += weight * (diffusion_ * wet * (other.head - me.head) - parting);
  // A minimum: half of all pairs approach each other, which no processor guesses.
  const float viscous = viscosity_ * std::min(parting, 0.0F) / (distance2 + softening_);
  const float pushes = me.push + other.push;
  const float pressure = std::max(pushes, wet * pushes) - wet * viscous;
  for (std::size_t a = 0; a < dimensions; ++a) {
    sum.force[a] += weight * pressure * d[a];
  }
}

template <std::size_t dimensions>
void ScalarDamBreak<dimensions>::add_pair(const Seen& /*me*/, const Seen& other, const Vector& /*d*/,
                                          float distance2, Touched& sum) const noexcept {
  const float t = reach_ - std::sqrt(distance2);
  const float weight = t * t * t * other.water;
  sum.weight += weight;
  sum.heads += weight * other.head;
}

/// The head of the water that touches a wall.
template <std::size_t dimensions>
void ScalarDamBreak<dimensions>::carry(std::uint32_t row, const Touched& touched) noexcept {
  Seen& seen = seen_[row];
  float& compression = own_[row].compression;
  compression =
      touched.weight > 0 ? std::max(touched.heads / touched.weight - still_slope_ * seen.x[1], 0.0F) : 0;
  seen.push = sound2_ * compression / ((1 + compression) * (1 + compression));
  seen.head = compression + still_slope_ * seen.x[1];
}

template <std::size_t dimensions>
void ScalarDamBreak<dimensions>::move(std::uint32_t row, const Found& found) noexcept {
  Seen& seen = seen_[row];
  Own& own = own_[row];
  if (!(seen.water > 0)) {
    return;
  }
  for (std::size_t a = 0; a < dimensions; ++a) {
    const float acceleration = -scale_ * found.force[a] - (a == 1 ? gravity_ : 0);
    own.u[a] += time_step_ * acceleration;
    seen.v[a] = own.u[a] + time_step_ / 2 * acceleration;
    seen.x[a] += time_step_ * own.u[a];
  }
  const float rate = scale_ * found.rate;
  own.compression += time_step_ * rate;
  const float now = own.compression + time_step_ / 2 * rate;
  seen.push = sound2_ * now / ((1 + now) * (1 + now));
  seen.head = now + still_slope_ * seen.x[1];
}

template class ScalarDamBreak<2>;
template class ScalarDamBreak<3>;

}  // namespace juxta::test
