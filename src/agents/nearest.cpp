// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/nearest.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "agents/store.h"
#include "agents/wrap.h"
#include "juxta/core/executor.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

constexpr std::size_t kAsking = 256;  // seers
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kFar = 0x1p-66F;  // of any lengths times this, no square is beyond float

/// The places of one population, at hand.
struct Columns {
  explicit Columns(const PopulationStore& store) noexcept : dimensions(store.world.dimensions) {
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      position[a] = store.position(a);
      if (store.extents != Column<float>::kNone) {
        extents[a] = store.columns[store.extents + a].as<float>();
      }
    }
  }
  [[nodiscard]] float extent(std::uint32_t a, std::uint32_t row) const noexcept {
    return extents[a] != nullptr ? extents[a][row] : 0;
  }

  std::uint32_t dimensions;
  std::array<const float*, 3> position{}, extents{};
};

/// Finds the nearest of one seer after the other.
class NearestSearch {
 public:
  NearestSearch(const PopulationStore& seers, const PopulationStore& seen, std::uint32_t k,
                float radius) noexcept
      : store_(seen),
        seers_(seers),
        seen_(seen),
        same_(&seers == &seen),
        others_(seen.size() - (same_ ? 1 : 0)),
        k_(k),
        radius_(radius) {
    for (std::uint32_t a = 0; a < seen_.dimensions; ++a) {
      // No difference is above an infinite half: no other image.
      const bool periodic = seen.world.edges[a] == Edge::kPeriodic;
      period_[a] = periodic ? seen.world.hi[a] - seen.world.lo[a] : kInfinity;
    }
  }

  /// Writes k rows and distances; how many of them are somebody.
  std::uint32_t find(std::uint32_t seer, std::uint32_t* rows, float* distance2) noexcept {
    seer_ = seer;
    rows_ = rows;
    distance2_ = distance2;
    Bounds box;
    for (std::uint32_t a = 0; a < seen_.dimensions; ++a) {
      const float at = seers_.position[a][seer], half = seers_.extent(a, seer);
      box.lo[a] = at - half;
      box.hi[a] = at + half;
    }
    for (float ball = std::min(store_.directory.radius, radius_);; ball = next(ball)) {
      begin(std::min(ball * ball, radius_ * radius_));
      if (ball < kInfinity) {
        const Reach reach(store_.directory, ball, true);
        for_each_run(store_.directory, box, reach, [&](Run run) { look_at(run); });
      } else {
        look_at({0, static_cast<std::uint32_t>(store_.size())});
      }
      if (count_ == k_ || count_ == others_ || ball >= radius_) {
        break;
      }
    }
    if (count_ > 0 && distance2[count_ - 1] == kInfinity) {
      find_far();
    }
    std::fill(rows + count_, rows + k_, Population::kNoRow);
    std::fill(distance2 + count_, distance2 + k_, kInfinity);
    return count_;
  }
  [[nodiscard]] std::size_t tested() const noexcept { return tested_; }

 private:
  void begin(float limit) noexcept {
    limit_ = limit;
    count_ = 0;
    in_ball_ = 0;
  }
  /// Those whose squared distance is beyond float once more, with all lengths scaled by a power of two.
  void find_far() noexcept {
    std::uint32_t* const rows = rows_;
    float* const distance2 = distance2_;
    const std::uint32_t k = k_;
    const auto near =
        static_cast<std::uint32_t>(std::find(distance2, distance2 + count_, kInfinity) - distance2);
    rows_ += near;
    distance2_ += near;
    k_ -= near;
    begin((radius_ * kFar) * (radius_ * kFar));
    for (std::uint32_t row = 0; row < store_.size(); ++row) {
      if ((same_ && row == seer_) || distance2_to(row, 1) < kInfinity) {
        continue;
      }
      const float far2 = distance2_to(row, kFar);
      if (far2 <= limit_ && (count_ < k_ || far2 <= distance2_[k_ - 1])) {
        keep(row, far2);
      }
    }
    std::fill(distance2_, distance2_ + count_, kInfinity);
    count_ += near;
    rows_ = rows;
    distance2_ = distance2;
    k_ = k;
  }
  /// Once a good part of all was looked at, the next ball is the last.
  [[nodiscard]] float next(float ball) const noexcept {
    return in_ball_ > store_.size() / 4 ? radius_ : std::min(2 * ball, radius_);
  }

  void look_at(Run run) noexcept {
    for (std::uint32_t row = run.first; row < run.last; ++row) {
      if (same_ && row == seer_) {
        continue;
      }
      const float distance2 = distance2_to(row, 1);
      if (distance2 <= limit_ && (count_ < k_ || distance2 <= distance2_[k_ - 1])) {
        keep(row, distance2);
      }
    }
    in_ball_ += run.last - run.first;
    tested_ += run.last - run.first - (same_ && run.first <= seer_ && seer_ < run.last ? 1 : 0);
  }
  [[nodiscard]] float distance2_to(std::uint32_t row, float scale) const noexcept {
    float sum = 0;
    for (std::uint32_t a = 0; a < seen_.dimensions; ++a) {
      const float d = nearest_image(seen_.position[a][row] * scale - seers_.position[a][seer_] * scale,
                                    period_[a] * scale);
      const float gap =
          std::max(std::abs(d) - (seers_.extent(a, seer_) * scale + seen_.extent(a, row) * scale), 0.0F);
      sum = a == 0 ? gap * gap : sum + gap * gap;
    }
    return sum;
  }
  void keep(std::uint32_t row, float distance2) noexcept {
    const std::uint32_t slot = store_.ids.id_of(row).slot;
    std::uint32_t at = count_;
    while (at > 0 && (distance2 < distance2_[at - 1] ||
                      (distance2 == distance2_[at - 1] && slot < store_.ids.id_of(rows_[at - 1]).slot))) {
      --at;
    }
    if (at == k_) {
      return;
    }
    count_ = std::min(count_ + 1, k_);
    std::copy_backward(rows_ + at, rows_ + count_ - 1, rows_ + count_);
    std::copy_backward(distance2_ + at, distance2_ + count_ - 1, distance2_ + count_);
    rows_[at] = row;
    distance2_[at] = distance2;
  }

  const PopulationStore& store_;  // of the seen
  const Columns seers_, seen_;
  const bool same_;
  const std::size_t others_;
  std::uint32_t k_;
  const float radius_;
  Vec3 period_{};
  std::uint32_t seer_ = 0;
  std::uint32_t* rows_ = nullptr;
  float* distance2_ = nullptr;
  float limit_ = 0;  // nobody further away is known to be met in this ball
  std::uint32_t count_ = 0;
  std::size_t in_ball_ = 0, tested_ = 0;
};

tl::unexpected<Error> refuse(const std::string& what) {
  return fail(ErrorCode::kInvalidArgument, "nearest: " + what);
}

}  // namespace
}  // namespace agents_detail

Result<QueryResult> nearest(const Population& seers_of, const Population& seen_of, std::uint32_t k,
                            float radius, std::span<std::uint32_t> rows, std::span<float> distance2,
                            std::span<std::uint32_t> counts, const Context& context) {
  const agents_detail::PopulationStore& seers = agents_detail::PopulationStore::of(seers_of);
  const agents_detail::PopulationStore& seen = agents_detail::PopulationStore::of(seen_of);
  if (!(radius > 0)) {
    return agents_detail::refuse("radius must be above 0; it may be infinite");
  }
  if (rows.size() != seers.size() * k || distance2.size() != rows.size() || counts.size() != seers.size()) {
    return agents_detail::refuse("give k rows and k distances for each seer, and one count");
  }
  if (seers.family != seen.family) {
    return agents_detail::refuse("the two populations are of two simulations");
  }
  JUXTA_TRY(check_whole(seen, "nearest"));
  if (seen.sorted_at != seen.changed) {
    return agents_detail::refuse("'" + seen.name + "' changed since it was sorted; call its sort() first");
  }
  if (k == 0 || seen.size() == 0) {
    std::fill(rows.begin(), rows.end(), Population::kNoRow);
    std::fill(distance2.begin(), distance2.end(), std::numeric_limits<float>::infinity());
    std::fill(counts.begin(), counts.end(), 0U);
    return QueryResult{};
  }
  std::atomic<std::size_t> found = 0, tested = 0;
  executor_or_serial(context.executor)
      .parallel_for(seers.size(), agents_detail::kAsking, [&](std::size_t first, std::size_t last) {
        agents_detail::NearestSearch search(seers, seen, k, radius);
        std::size_t here = 0;
        for (std::size_t seer = first; seer < last; ++seer) {
          counts[seer] = search.find(static_cast<std::uint32_t>(seer), &rows[seer * k], &distance2[seer * k]);
          here += counts[seer];
        }
        found.fetch_add(here, std::memory_order_relaxed);
        tested.fetch_add(search.tested(), std::memory_order_relaxed);
      });
  const std::size_t all = found.load(std::memory_order_relaxed);
  return QueryResult{.found = all, .written = all, .tested = tested.load(std::memory_order_relaxed)};
}

}  // namespace juxta
