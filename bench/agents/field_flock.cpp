// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/agents/field_flock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace juxta::bench {
namespace {

using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));
using Int8 = std::int32_t __attribute__((vector_size(32)));
using Float16 = float __attribute__((vector_size(64)));

constexpr std::size_t kLanes = 16;
/// Boids move less than a tenth of a radius in a step: what was near in memory stays so for a while.
constexpr std::size_t kStepsToSort = 32;
/// Less than half a neighbour is none: the rules ask for n > 0, and fields know no whole numbers.
constexpr float kLeastCount = 0.5F;

template <class Vector>
[[gnu::always_inline]] inline Vector load(const float* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

float sum_of_lanes(Float8 v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

}  // namespace

FieldBoids::FieldBoids(float half_size, const FlockRules& rules, const FieldOptions& options)
    : half_size_(half_size), rules_(rules), options_(options) {
  const float radius = std::sqrt(rules.see_radius2);
  const auto per_radius = static_cast<float>(std::max(options.nodes_per_radius, 2U));
  spacing_ = radius / per_radius;
  nodes_per_unit_ = 1 / spacing_;
  sight_ = make_field_disc(per_radius, options.same_spread);
  near_ = make_field_disc(std::sqrt(rules.avoid_radius2) * nodes_per_unit_, options.same_spread);
  margin_ = static_cast<std::size_t>(std::max(sight_.reach, near_.reach)) + 1;
  // One node beyond the last square: a boid at the very wall may be rounded into the next one.
  nodes_ = static_cast<std::size_t>(std::ceil(2 * half_size * nodes_per_unit_)) + 2;
  width_ = (nodes_ + 2 * margin_ + 2 * kLanes - 1) / kLanes * kLanes;
  height_ = nodes_ + 2 * margin_;
  origin_ = -half_size - static_cast<float>(margin_) * spacing_;
  dealt_.resize(width_ * height_);
  for (auto& plane : planes_) {
    plane.assign(width_ * height_ + kLanes, 0);
  }
  sums_.resize(width_ * height_ + kLanes);

  // Cells a little wider than the radius to avoid: rounding never puts a pair two cells apart.
  const float edge = std::max(std::sqrt(rules.avoid_radius2) * 1.001F, half_size / 4096);
  cells_per_unit_ = 1 / edge;
  cells_ = static_cast<std::size_t>(std::ceil(2 * half_size * cells_per_unit_)) + 3;
}

void FieldBoids::set(std::span<const classics::Boid> boids) {
  size_ = boids.size();
  for (Columns* columns : {&now_, &sorted_}) {
    for (auto* column : {&columns->x, &columns->y, &columns->vx, &columns->vy}) {
      column->assign(size_ + kLanes, 0);
    }
    columns->number.resize(size_);
  }
  cell_of_boid_.resize(size_);
  away_x_.assign(size_ + kLanes, 0);
  away_y_.assign(size_ + kLanes, 0);
  for (std::size_t i = 0; i < size_; ++i) {
    now_.x[i] = boids[i].x;
    now_.y[i] = boids[i].y;
    now_.vx[i] = boids[i].vx;
    now_.vy[i] = boids[i].vy;
    now_.number[i] = static_cast<std::uint32_t>(i);
  }
  steps_to_sort_ = 0;
}

void FieldBoids::get(std::span<classics::Boid> boids) const {
  for (std::size_t row = 0; row < size_; ++row) {
    boids[now_.number[row]] = {now_.x[row], now_.y[row], now_.vx[row], now_.vy[row]};
  }
}

std::size_t FieldBoids::memory_bytes() const noexcept {
  return dealt_.size() * sizeof dealt_[0] + planes_.size() * planes_[0].size() * sizeof(float) +
         sums_.size() * sizeof(Node) + starts_.size() * sizeof starts_[0] + size_ * (10 * sizeof(float) + 12);
}

// A counting sort into now_.
void FieldBoids::sort() {
  starts_.assign(cells_ * cells_ + 1, 0);
  const auto cell = [this](float coordinate) {
    return static_cast<std::uint32_t>((coordinate + half_size_) * cells_per_unit_) + 1;
  };
  for (std::size_t i = 0; i < size_; ++i) {
    cell_of_boid_[i] = cell(now_.y[i]) * static_cast<std::uint32_t>(cells_) + cell(now_.x[i]);
    ++starts_[cell_of_boid_[i]];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& start : starts_) {
    sum += start;
    start = sum;
  }
  for (std::size_t i = size_; i-- > 0;) {
    const std::uint32_t row = --starts_[cell_of_boid_[i]];
    sorted_.x[row] = now_.x[i];
    sorted_.y[row] = now_.y[i];
    sorted_.vx[row] = now_.vx[i];
    sorted_.vy[row] = now_.vy[i];
    sorted_.number[row] = now_.number[i];
  }
  std::swap(now_, sorted_);
}

[[gnu::always_inline]] inline FieldBoids::Place FieldBoids::place_of(std::size_t row) const noexcept {
  const float x = (now_.x[row] - origin_) * nodes_per_unit_, y = (now_.y[row] - origin_) * nodes_per_unit_;
  const auto column = static_cast<std::int32_t>(x), line = static_cast<std::int32_t>(y);
  return {static_cast<std::size_t>(line) * width_ + static_cast<std::size_t>(column),
          x - static_cast<float>(column), y - static_cast<float>(line)};
}

void FieldBoids::deal_out() {
  std::fill(dealt_.begin(), dealt_.end(), std::array<float, 4>{});
  const auto add = [this](std::size_t node, Float4 share) {
    float* to = dealt_[node].data();
    const Float4 sum = load<Float4>(to) + share;
    std::memcpy(to, &sum, sizeof sum);
  };
  for (std::size_t row = 0; row < size_; ++row) {
    const Place place = place_of(row);
    const Float4 boid{1, now_.vx[row], now_.vy[row], 0};
    const Float4 low = boid * (1 - place.fy), high = boid * place.fy;
    add(place.node, low * (1 - place.fx));
    add(place.node + 1, low * place.fx);
    add(place.node + width_, high * (1 - place.fx));
    add(place.node + width_ + 1, high * place.fx);
  }
  for (std::size_t node = 0; node < dealt_.size(); ++node) {
    planes_[0][node] = dealt_[node][0];
    planes_[1][node] = dealt_[node][1];
    planes_[2][node] = dealt_[node][2];
  }
}

void FieldBoids::sum_up() {
  for (std::size_t row = margin_; row < margin_ + nodes_; ++row) {
    sum_up_row(row);
  }
}

// Sixteen nodes side by side, all sums in registers. For a node of the disc: 3 loads, 4 products, 4 sums.
void FieldBoids::sum_up_row(std::size_t row) {
  const auto width = static_cast<std::ptrdiff_t>(width_);
  for (std::size_t column = margin_; column < margin_ + nodes_; column += kLanes) {
    const std::size_t at = row * width_ + column;
    const float *n = planes_[0].data() + at, *vx = planes_[1].data() + at, *vy = planes_[2].data() + at;
    Float16 found[8] = {};
    for (const auto [dy, reach] : sight_.lines) {
      Float16 count{}, moment{};
      for (int dx = -reach; dx <= reach; ++dx) {
        const float weight = sight_.at(dx, dy);
        const std::ptrdiff_t node = dy * width + dx;
        const Float16 share = load<Float16>(n + node) * weight;
        count += share;
        moment += share * static_cast<float>(dx);
        found[1] += load<Float16>(vx + node) * weight;
        found[2] += load<Float16>(vy + node) * weight;
      }
      found[0] += count;
      found[3] += moment;
      found[4] += count * static_cast<float>(dy);
    }
    for (const auto [dy, reach] : near_.lines) {
      Float16 count{}, moment{};
      for (int dx = -reach; dx <= reach; ++dx) {
        const Float16 share = load<Float16>(n + dy * width + dx) * near_.at(dx, dy);
        count += share;
        moment += share * static_cast<float>(dx);
      }
      found[5] += count;
      found[6] += moment;
      found[7] += count * static_cast<float>(dy);
    }
    for (std::size_t k = 0; k < kLanes; ++k) {
      sums_[at + k] = {found[0][k], found[1][k], found[2][k], found[3][k],
                       found[4][k], found[5][k], found[6][k], found[7][k]};
    }
  }
}

// The nine cells around, three of a row in one run; eight of a run at a time. The boid meets itself at
// distance 0, which adds nothing.
void FieldBoids::find_near_pairs() {
  constexpr Int8 kLane{0, 1, 2, 3, 4, 5, 6, 7};
  for (std::size_t row = 0; row < size_; ++row) {
    const float x = now_.x[row], y = now_.y[row];
    const auto cell = [this](float coordinate) {
      return static_cast<std::size_t>((coordinate + half_size_) * cells_per_unit_) + 1;
    };
    const std::size_t middle = cell(y) * cells_ + cell(x);
    Float8 away_x{}, away_y{};
    for (const std::size_t line : {middle - cells_, middle, middle + cells_}) {
      const std::uint32_t end = starts_[line + 2];
      for (std::uint32_t at = starts_[line - 1]; at < end; at += 8) {
        const Float8 dx = load<Float8>(&now_.x[at]) - x, dy = load<Float8>(&now_.y[at]) - y;
        const Int8 near =
            (dx * dx + dy * dy < rules_.avoid_radius2) & (kLane < static_cast<std::int32_t>(end - at));
        away_x -= near ? dx : Float8{};
        away_y -= near ? dy : Float8{};
      }
    }
    away_x_[row] = sum_of_lanes(away_x);
    away_y_[row] = sum_of_lanes(away_y);
  }
}

struct alignas(64) FieldBoids::Batch {
  float fx[kLanes], fy[kLanes];
  float read[kLanes][8];  ///< As in Node, but moments about the boid, its own share among them.
  float count[kLanes], sum_vx[kLanes], sum_vy[kLanes], sum_dx[kLanes], sum_dy[kLanes];
  float away_x[kLanes], away_y[kLanes];
};

// A boid finds itself too: at the four nodes it was dealt out to, through all pairs of them. With the share
// q = f (1 - f) along an axis, the pairs of the same node make 1 - 2q of it and those of two nodes 2q; of
// their distances from the boid, q (2f - 1) and as much less.
void FieldBoids::read_back(std::size_t first, Batch& batch) const noexcept {
  const std::size_t last = std::min(first + kLanes, size_);
  for (std::size_t row = first, k = 0; row < last; ++row, ++k) {
    const Place place = place_of(row);
    const float fx = place.fx, fy = place.fy;
    const auto node = [this](std::size_t i) { return load<Float8>(&sums_[i].n); };
    const Float8 low_left = node(place.node) * ((1 - fx) * (1 - fy));
    const Float8 low_right = node(place.node + 1) * (fx * (1 - fy));
    const Float8 high_left = node(place.node + width_) * ((1 - fx) * fy);
    const Float8 high_right = node(place.node + width_ + 1) * (fx * fy);
    const Float8 left = low_left + high_left, right = low_right + high_right;
    const Float8 low = low_left + low_right, high = high_left + high_right;
    // Moments are about each node: the counts move them to the boid.
    const Float8 along_x = right * (1 - fx) - left * fx, along_y = high * (1 - fy) - low * fy;
    constexpr Float8 kMoments{0, 0, 0, 1, 1, 0, 1, 1};
    const Float8 read =
        left + right + kMoments * __builtin_shufflevector(along_x, along_y, 0, 0, 0, 0, 8, 0, 5, 13);
    std::memcpy(batch.read[k], &read, sizeof read);
    batch.fx[k] = fx;
    batch.fy[k] = fy;
  }
  const float s0 = sight_.same, s1 = sight_.beside, s2 = sight_.across;
  const float n0 = near_.same, n1 = near_.beside, n2 = near_.across;
  const float spacing = spacing_;
  const float *vx = now_.vx.data() + first, *vy = now_.vy.data() + first;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const float fx = batch.fx[k], fy = batch.fy[k];
    const float qx = fx * (1 - fx), qy = fy * (1 - fy), same_x = 1 - 2 * qx, same_y = 1 - 2 * qy;
    const float own = s0 * same_x * same_y + s1 * (2 * qx * same_y + 2 * qy * same_x) + s2 * (4 * qx * qy);
    const float bend_x = qx * (2 * fx - 1), bend_y = qy * (2 * fy - 1);
    const float* read = batch.read[k];
    batch.count[k] = read[0] - own;
    batch.sum_vx[k] = read[1] - own * vx[k];
    batch.sum_vy[k] = read[2] - own * vy[k];
    batch.sum_dx[k] = (read[3] - bend_x * (same_y * (s0 - s1) + 2 * qy * (s1 - s2))) * spacing;
    batch.sum_dy[k] = (read[4] - bend_y * (same_x * (s0 - s1) + 2 * qx * (s1 - s2))) * spacing;
    batch.away_x[k] = (bend_x * (same_y * (n0 - n1) + 2 * qy * (n1 - n2)) - read[6]) * spacing;
    batch.away_y[k] = (bend_y * (same_x * (n0 - n1) + 2 * qx * (n1 - n2)) - read[7]) * spacing;
  }
  if (options_.avoid == FieldAvoid::kPairs) {
    std::copy_n(away_x_.begin() + static_cast<std::ptrdiff_t>(first), kLanes, batch.away_x);
    std::copy_n(away_y_.begin() + static_cast<std::ptrdiff_t>(first), kLanes, batch.away_y);
  }
}

// The rules as classics/agents/boids_rules-inl.h has them, without a branch.
void FieldBoids::steer(std::size_t first, const Batch& batch) noexcept {
  const FlockRules rules = rules_;
  const float near_low = rules.wall_distance - half_size_, near_high = half_size_ - rules.wall_distance;
  const float edge = half_size_ - 0.01F;
  float *x = now_.x.data() + first, *y = now_.y.data() + first;
  float *vx = now_.vx.data() + first, *vy = now_.vy.data() + first;
  const auto moved = [&](float position, float velocity) {
    const float there = position + velocity * rules.time_step;
    const float above = there < -edge ? -edge : there;
    return above > edge ? edge : above;
  };
  const auto push = [&](float position) {
    return (position < near_low ? rules.wall : 0.0F) - (position > near_high ? rules.wall : 0.0F);
  };
  for (std::size_t k = 0; k < kLanes; ++k) {
    const bool any = batch.count[k] >= kLeastCount;
    const float share = 1 / (any ? batch.count[k] : 1.0F);
    const float cohere = any ? rules.cohere : 0, align = any ? rules.align : 0;
    float to_x = vx[k] + cohere * (batch.sum_dx[k] * share) + rules.avoid * batch.away_x[k];
    float to_y = vy[k] + cohere * (batch.sum_dy[k] * share) + rules.avoid * batch.away_y[k];
    to_x += align * (batch.sum_vx[k] * share - to_x);
    to_y += align * (batch.sum_vy[k] * share - to_y);
    const float speed2 = to_x * to_x + to_y * to_y, speed = std::sqrt(speed2);
    const float least = speed < rules.min_speed ? rules.min_speed : speed;
    const float clamped = least > rules.max_speed ? rules.max_speed : least;
    const float scale = clamped / (speed2 > 0 ? speed : clamped);
    vx[k] = to_x * scale + push(x[k]);
    vy[k] = to_y * scale + push(y[k]);
    x[k] = moved(x[k], vx[k]);
    y[k] = moved(y[k], vy[k]);
  }
}

void FieldBoids::prepare() {
  if (options_.avoid == FieldAvoid::kPairs || steps_to_sort_ == 0) {
    sort();
    steps_to_sort_ = kStepsToSort;
  }
  --steps_to_sort_;
  deal_out();
  sum_up();
  if (options_.avoid == FieldAvoid::kPairs) {
    find_near_pairs();
  }
}

// Behind the last boid the columns have room for a whole batch.
void FieldBoids::step() {
  prepare();
  Batch batch{};
  for (std::size_t first = 0; first < size_; first += kLanes) {
    read_back(first, batch);
    steer(first, batch);
  }
}

void FieldBoids::look(std::span<Sums> sums) {
  prepare();
  Batch batch{};
  for (std::size_t first = 0; first < size_; first += kLanes) {
    read_back(first, batch);
    for (std::size_t k = 0; k < std::min(kLanes, size_ - first); ++k) {
      sums[now_.number[first + k]] = {batch.count[k],  batch.sum_vx[k], batch.sum_vy[k], batch.sum_dx[k],
                                      batch.sum_dy[k], batch.away_x[k], batch.away_y[k]};
    }
  }
}

}  // namespace juxta::bench
