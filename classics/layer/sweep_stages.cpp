// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/layer/sweep_stages.h"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "classics/layer/sweep-inl.h"

namespace juxta::classics {
namespace {

__m128 load(const YzBounds& yz) {
  return _mm_loadu_ps(&yz.ymin);
}

// Of the box that looks: bounds with flipped signs, turned round and negated.
__m128 looking(const YzBounds& flipped_yz) {
  const __m128 yz = load(flipped_yz);
  return _mm_xor_ps(_mm_shuffle_ps(yz, yz, _MM_SHUFFLE(1, 0, 3, 2)), _mm_set1_ps(-0.0F));
}

bool none_less(__m128 a, __m128 b) {
  return _mm_movemask_ps(_mm_cmplt_ps(a, b)) == 0;
}

// The highest open rank below `rank`, the lowest one from `rank` on; `none` when there is none.
std::uint32_t open_before(std::span<const std::uint64_t> open, std::uint32_t rank, std::uint32_t none) {
  std::uint32_t word = rank / 64;
  std::uint64_t bits = open[word] & ((std::uint64_t{1} << rank % 64) - 1);
  while (bits == 0 && word > 0) {
    bits = open[--word];
  }
  return bits == 0 ? none : word * 64 + 63 - static_cast<std::uint32_t>(std::countl_zero(bits));
}

std::uint32_t open_from(std::span<const std::uint64_t> open, std::uint32_t rank, std::uint32_t none) {
  std::size_t word = rank / 64;
  std::uint64_t bits = open[word] & (~std::uint64_t{0} << rank % 64);
  while (bits == 0 && ++word < open.size()) {
    bits = open[word];
  }
  return bits == 0
             ? none
             : static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
}

}  // namespace

// The list of pairs. Handed over by value, so that nothing that is written can alias it.
struct SweepStages::Out {
  std::span<Pair> pairs;
  std::size_t found = 0;
  void add(std::uint32_t a, std::uint32_t b) {
    if (found < pairs.size()) {
      pairs[found] = {a, b};
    }
    ++found;
  }
};

SweepStages::SweepStages(std::span<const Aabb3> boxes) {
  layer_.build(boxes, workspace_);
  rows_ = layer_.rows(0);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (std::uint32_t i = 0; i < rows_.size; ++i) {
    const Aabb3& box = boxes[rows_.source[i]];
    boxes_.push_back({box, rows_.source[i], 0});
    rearranged_.push_back(
        {box.lo[0], box.hi[0], {box.lo[1], box.lo[2], box.hi[1], box.hi[2]}, rows_.source[i], 0});
    xmins_.push_back(box.lo[0]);
    yz_.push_back({box.lo[1], box.lo[2], box.hi[1], box.hi[2]});
    if (i % 8 == 0) {
      batches_.push_back({kInfinity, kInfinity, kInfinity, kInfinity});
    }
    YzBounds& batch = batches_.back();
    batch = {std::min(batch.ymin, rows_.yz[i].ymin), std::min(batch.zmin, rows_.yz[i].zmin),
             std::min(batch.minus_ymax, rows_.yz[i].minus_ymax),
             std::min(batch.minus_zmax, rows_.yz[i].minus_zmax)};
  }
  xmins_.push_back(kInfinity);
  axes_ = make_dual_axes(rows_, workspace_);
  next_.resize(std::size_t{rows_.size} + 1);
}

std::size_t SweepStages::naive(Out out) const {
  const BoxEntity* boxes = boxes_.data();
  const std::size_t size = boxes_.size();
  for (std::size_t i = 0; i + 1 < size; ++i) {
    const Aabb3 current = boxes[i].box;
    for (std::size_t j = i + 1; j < size && boxes[j].box.lo[0] <= current.hi[0]; ++j) {
      const Aabb3& other = boxes[j].box;
      if (!(current.hi[1] < other.lo[1] || current.lo[1] > other.hi[1] || current.hi[2] < other.lo[2] ||
            current.lo[2] > other.hi[2])) {
        out.add(boxes[i].index, boxes[j].index);
      }
    }
  }
  return out.found;
}

std::size_t SweepStages::one_branch(Out out) const {
  const BoxEntity* boxes = boxes_.data();
  const std::size_t size = boxes_.size();
  for (std::size_t i = 0; i + 1 < size; ++i) {
    const Aabb3 current = boxes[i].box;
    for (std::size_t j = i + 1; j < size && boxes[j].box.lo[0] <= current.hi[0]; ++j) {
      const Aabb3& other = boxes[j].box;
      const int x = current.hi[1] < other.lo[1] ? 1 : 0, y = current.lo[1] > other.hi[1] ? 2 : 0;
      const int z = current.hi[2] < other.lo[2] ? 4 : 0, w = current.lo[2] > other.hi[2] ? 8 : 0;
      if ((x | y | z | w) == 0) {
        out.add(boxes[i].index, boxes[j].index);
      }
    }
  }
  return out.found;
}

std::size_t SweepStages::simd(Out out) const {
  const BoxEntity* boxes = boxes_.data();
  const std::size_t size = boxes_.size();
  for (std::size_t i = 0; i + 1 < size; ++i) {
    const Aabb3 current = boxes[i].box;
    for (std::size_t j = i + 1; j < size && boxes[j].box.lo[0] <= current.hi[0]; ++j) {
      const Aabb3& other = boxes[j].box;
      const __m128 less = _mm_setr_ps(current.hi[1], other.hi[1], current.hi[2], other.hi[2]);
      const __m128 more = _mm_setr_ps(other.lo[1], current.lo[1], other.lo[2], current.lo[2]);
      if (none_less(less, more)) {
        out.add(boxes[i].index, boxes[j].index);
      }
    }
  }
  return out.found;
}

std::size_t SweepStages::rearranged(Out out) const {
  const Rearranged* boxes = rearranged_.data();
  const std::size_t size = rearranged_.size();
  for (std::size_t i = 0; i + 1 < size; ++i) {
    const float xmax = boxes[i].xmax;
    const __m128 current = _mm_loadu_ps(boxes[i].yz);
    for (std::size_t j = i + 1; j < size && boxes[j].xmin <= xmax; ++j) {
      const __m128 other = _mm_loadu_ps(boxes[j].yz);
      if (none_less(_mm_unpackhi_ps(current, other), _mm_unpacklo_ps(other, current))) {
        out.add(boxes[i].index, boxes[j].index);
      }
    }
  }
  return out.found;
}

std::size_t SweepStages::columns(Out out) const {
  const LayerRows r = rows_;
  for (std::uint32_t i = 0; i + 1 < r.size; ++i) {
    const __m128 current = load(yz_[i]);
    for (std::uint32_t j = i + 1; j < r.size && r.xmin[j] <= r.xmax[i]; ++j) {
      const __m128 other = load(yz_[j]);
      if (HWY_UNLIKELY(none_less(_mm_movehl_ps(current, other), _mm_movelh_ps(current, other)))) {
        out.add(r.source[i], r.source[j]);
      }
    }
  }
  return out.found;
}

std::size_t SweepStages::flipped(Out out) const {
  const LayerRows r = rows_;
  for (std::uint32_t i = 0; i + 1 < r.size; ++i) {
    const __m128 current = looking(r.yz[i]);
    const float xmax = r.xmax[i];
    for (std::uint32_t j = i + 1; j < r.size && r.xmin[j] <= xmax; ++j) {
      if (HWY_UNLIKELY(none_less(current, load(r.yz[j])))) {
        out.add(r.source[i], r.source[j]);
      }
    }
  }
  return out.found;
}

template <StageForm kForm>
std::size_t SweepStages::sentinel(Out out) const {
  const LayerRows r = rows_;
  const float* xmins = xmins_.data();
  for (std::uint32_t i = 0; i + 1 < r.size; ++i) {
    const __m128 current =
        kForm == StageForm::kCorrected ? looking(r.yz[i]) : _mm_xor_ps(load(r.yz[i]), _mm_set1_ps(-0.0F));
    const float xmax = r.xmax[i];
    for (std::uint32_t j = i + 1; xmins[j] <= xmax; ++j) {
      if (HWY_UNLIKELY(none_less(current, load(r.yz[j])))) {
        out.add(r.source[i], r.source[j]);
      }
    }
  }
  return out.found;
}

std::size_t SweepStages::batches(Out out) const {
  const LayerRows r = rows_;
  for (std::uint32_t i = 0; i + 1 < r.size; ++i) {
    const __m128 current = looking(r.yz[i]);
    const float xmax = r.xmax[i];
    for (std::uint32_t j = i + 1; j < r.size && r.xmin[j] <= xmax;) {
      const std::uint32_t end = std::min(r.size, (j | 7) + 1);
      if (!none_less(current, load(batches_[j / 8]))) {
        j = end;
        continue;
      }
      for (; j < end && r.xmin[j] <= xmax; ++j) {
        if (HWY_UNLIKELY(none_less(current, load(r.yz[j])))) {
          out.add(r.source[i], r.source[j]);
        }
      }
    }
  }
  return out.found;
}

template <std::uint32_t kTurn, StageForm kForm>
std::size_t SweepStages::unrolled(Out out) const {
  constexpr std::size_t kRoom = 1024;
  constexpr bool kTouching = kForm == StageForm::kCorrected;
  const LayerRows r = rows_;
  std::array<std::uint64_t, kRoom> hits;  // row that looks << 32 | other row
  std::size_t count = 0;
  const auto drain = [&] {
    for (std::size_t k = 0; k < count; ++k) {
      out.add(r.source[hits[k] >> 32], r.source[hits[k] & 0xffffffffU]);
    }
    count = 0;
  };
  for (std::uint32_t i = 0; i + 1 < r.size; ++i) {
    const __m128 current = looking(r.yz[i]);
    const float xmax = r.xmax[i];
    const std::uint64_t first = std::uint64_t{i} << 32;
    const auto begins_behind = [&](std::uint64_t j) {
      return kTouching ? r.xmin[j] > xmax : r.xmin[j] >= xmax;
    };
    const auto test = [&](std::uint64_t j) {
      hits[count] = first | j;
      count += none_less(current, load(r.yz[j])) ? 1 : 0;
    };
    std::uint64_t j = i + 1;
    for (; j + kTurn <= r.size && !begins_behind(j + kTurn - 1); j += kTurn) {
      for (std::uint32_t k = 0; k < kTurn; ++k) {
        test(j + k);
      }
      if (HWY_UNLIKELY(count > kRoom - 2 * kTurn)) {
        drain();
      }
    }
    for (; j < r.size && !begins_behind(j); ++j) {  // fewer than kTurn
      test(j);
    }
    if (HWY_UNLIKELY(count > kRoom - 2 * kTurn)) {
      drain();
    }
  }
  drain();
  return out.found;
}

std::size_t SweepStages::two_axes(Out out) {
  const auto sink = [&](std::uint32_t a, std::uint32_t b) { out.add(a, b); };
  sweep_axes(rows_, axes_, sink);
  return out.found;
}

// Open boxes, by row, in the order of zmin; row `size` is the head and the end.
//
//   z ranks open      . 3 . . 7 8 . 12        next_: head -> row of 3 -> row of 7 -> row of 8 -> row of 12 ->
//   head
std::size_t SweepStages::linked(Out out) {
  const LayerRows r = rows_;
  const DualAxes& axes = axes_;
  const std::uint32_t head = r.size, none = r.size;
  std::uint32_t* next = next_.data();
  std::fill(axes.open.begin(), axes.open.end(), 0);
  next[head] = head;
  const auto row_of = [&](std::uint32_t rank) { return rank == none ? head : axes.by_rank[rank]; };
  std::uint32_t ended = 0;
  for (std::uint32_t i = 0; i < r.size; ++i) {
    for (; r.xmax[axes.by_xmax[ended]] < r.xmin[i]; ++ended) {
      const std::uint32_t gone = axes.by_xmax[ended], rank = axes.rank[gone];
      next[row_of(open_before(axes.open, rank, none))] = next[gone];
      axes.open[rank / 64] &= ~(std::uint64_t{1} << rank % 64);
    }
    const __m128 current = looking(r.yz[i]);
    const std::uint32_t stop = row_of(open_from(axes.open, axes.last[i], none));
    for (std::uint32_t row = row_of(open_from(axes.open, axes.first[i], none)); row != stop;
         row = next[row]) {
      if (HWY_UNLIKELY(none_less(current, load(r.yz[row])))) {
        out.add(r.source[i], r.source[row]);
      }
    }
    const std::uint32_t rank = axes.rank[i], before = row_of(open_before(axes.open, rank, none));
    next[i] = next[before];
    next[before] = i;
    axes.open[rank / 64] |= std::uint64_t{1} << rank % 64;
  }
  return out.found;
}

std::size_t SweepStages::avx(Out out) const {
  const auto sink = [&](std::uint32_t a, std::uint32_t b) { out.add(a, b); };
  sweep_rows<true>(rows_, sink);
  return out.found;
}

std::size_t SweepStages::find_pairs(SweepStage stage, std::span<Pair> out, StageForm form) {
  using enum StageForm;
  const bool corrected = form == kCorrected;
  const Out to{out};
  switch (stage) {
    case SweepStage::kNaive:
      return naive(to);
    case SweepStage::kOneBranch:
      return one_branch(to);
    case SweepStage::kSimd:
      return simd(to);
    case SweepStage::kRearranged:
      return rearranged(to);
    case SweepStage::kColumns:
      return columns(to);
    case SweepStage::kFlipped:
      return flipped(to);
    case SweepStage::kSentinel:
      return corrected ? sentinel<kCorrected>(to) : sentinel<kPublished>(to);
    case SweepStage::kBatches:
      return batches(to);
    case SweepStage::kUnrolled4:
      return corrected ? unrolled<4, kCorrected>(to) : unrolled<4, kPublished>(to);
    case SweepStage::kUnrolled16:
      return corrected ? unrolled<16, kCorrected>(to) : unrolled<16, kPublished>(to);
    case SweepStage::kTwoAxes:
      return two_axes(to);
    case SweepStage::kLinked:
      return linked(to);
    case SweepStage::kAvx:
      return avx(to);
  }
  return 0;
}

}  // namespace juxta::classics
