// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/live_generation.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "juxta/order/ordered_key.h"
#include "ranked/cursor.h"
#include "ranked/input.h"
#include "ranked/quantise_kernel.h"
#include "ranked/value_range.h"

namespace juxta::ranked_detail {
namespace {

template <class T>
std::array<std::uint16_t, 2> quantise(const AxisView& axis, double a, double b) noexcept {
  const T least = axis.level<T>(axis.levels - 1)[0];
  const auto narrow = [least](double value) {  // whichever way it rounds, no point is on the wrong side
    constexpr double kMost = static_cast<double>(std::numeric_limits<T>::max());
    return std::max(static_cast<T>(std::clamp(value, -kMost, kMost)), least);
  };
  const T values[2] = {narrow(a), narrow(b)};
  std::array<std::uint16_t, 2> quanta{};
  quantise_column(axis, StridedColumn<T>{reinterpret_cast<const std::byte*>(values)}, nullptr, 0, 2,
                  quanta.data());
  return quanta;
}

double coordinate(const RankedView& view, const std::byte* column, std::size_t stride,
                  std::uint32_t index) noexcept {
  return view.is_double ? StridedColumn<double>{column, stride}[index]
                        : static_cast<double>(StridedColumn<float>{column, stride}[index]);
}

}  // namespace

std::uint64_t LiveTypes::key_of(const RankValue& value) const noexcept {
  return integer_ranks() ? ordered_key(value.integer()) : ordered_key(value.real());
}

RankValue LiveTypes::value_of(std::uint64_t key) const noexcept {
  constexpr std::uint64_t kSign = 0x8000'0000'0000'0000U;
  if (integer_ranks()) {
    return std::bit_cast<std::int64_t>(key ^ kSign);
  }
  return std::bit_cast<double>((key & kSign) != 0 ? key ^ kSign : ~key);
}

RankValue LiveTypes::number_of(std::size_t c, std::uint64_t key) const noexcept {
  const bool integers = values[c] == ScalarType::kInt32 || values[c] == ScalarType::kInt64;
  if (c >= value_columns || (!integers && key == kNoNumber)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return LiveTypes{.rank = values[c]}.value_of(key);
}

LiveGeneration::LiveGeneration(const LiveTypes& types, RankedPoints frozen, Array<FrozenPoint> points,
                               Array<std::uint64_t> categories, std::pmr::memory_resource* resource)
    : types_(types),
      frozen_(std::move(frozen)),
      points_(std::move(points)),
      categories_(std::move(categories)),
      gone_bits_(resource),
      where_(resource),
      live_(types.value_columns, resource),
      removed_(types.value_columns, resource) {
  const std::size_t size = points_.size();
  const std::size_t slots = size == 0 ? 0 : points_[size - 1].slot + std::size_t{1};
  where_.reserve(slots + slots / 8);  // new slots shall not have all of them copied
  where_.resize(slots);
  std::ranges::fill(where_, kNowhere);
  for (std::size_t i = 0; i < size; ++i) {
    where_[points_[i].slot] = static_cast<std::uint32_t>(i);
    numbered_ = numbered_ && points_[i].slot == i && points_[i].generation == 1;
  }
  gone_bits_.resize_discard(size / 64 + 1);
  std::ranges::fill(gone_bits_, std::uint64_t{0});
}

std::array<std::uint16_t, 2> LiveGeneration::quanta_of(const AxisView& axis, double a,
                                                       double b) const noexcept {
  if (axis.knots == nullptr) {
    return {0, 0};
  }
  return view().is_double ? quantise<double>(axis, a, b) : quantise<float>(axis, a, b);
}

/// The last quantum of the frozen index whose first key is not above this one; else the first.
std::uint16_t LiveGeneration::value_quantum(std::size_t c, std::uint64_t key) const noexcept {
  const ValuesView& values = view().values;
  if (c >= values.count) {  // no points yet
    return 0;
  }
  const std::uint64_t* const knots = values.column[c].knots;
  const auto above = std::upper_bound(knots, knots + values.quanta, key) - knots;
  return static_cast<std::uint16_t>(std::max<std::ptrdiff_t>(above, 1) - 1);
}

LivePoint LiveGeneration::point_of(const LiveRecord& record) const noexcept {
  LivePoint at = {
      quanta_of(view().x_axis, record.x, record.x)[0], quanta_of(view().y_axis, record.y, record.y)[0], {}};
  for (std::size_t c = 0; c < types_.value_columns; ++c) {
    at.values[c] = value_quantum(c, record.values[c]);
  }
  return at;
}

std::uint64_t LiveGeneration::frozen_key(std::uint32_t index) const noexcept {
  const RankedView& frozen = view();
  return with_type(frozen.rank_type,
                   [&]<class T>(T) { return types_.key_of(StridedColumn<T>{frozen.ranks}[index]); });
}

void LiveGeneration::prefetch_key(std::uint32_t index) const noexcept {
  const RankedView& frozen = view();
  core_detail::prefetch_line(frozen.ranks + index * bytes_of(frozen.rank_type));
}

LiveRecord LiveGeneration::frozen_record(std::uint32_t index) const noexcept {
  const RankedView& frozen = view();
  LiveRecord record = {.x = coordinate(frozen, frozen.xs, frozen.x_stride, index),
                       .y = coordinate(frozen, frozen.ys, frozen.y_stride, index),
                       .key = frozen_key(index),
                       .categories = categories_.empty() ? 0 : categories_[index],
                       .slot = points_[index].slot,
                       .generation = points_[index].generation};
  for (std::size_t c = 0; c < types_.value_columns; ++c) {
    record.values[c] = frozen.values.column[c].key(index);
  }
  return record;
}

std::uint32_t LiveGeneration::frozen_up_to(std::uint32_t slot) const noexcept {
  const auto end = std::ranges::upper_bound(points_, slot, {}, &FrozenPoint::slot);
  return static_cast<std::uint32_t>(end - points_.begin());
}

/// False: no point can pass.
bool LiveGeneration::ranges_of(const RankedFilter& filter, LiveQuestion& question) const noexcept {
  for (std::size_t c = 0; c < kMostValues; ++c) {
    LiveRange& range = question.ranges[c];
    if (is_open(filter.ranges[c])) {
      continue;
    }
    if (c >= types_.value_columns || !keys_of(types_.values[c], filter.ranges[c], range.least, range.most)) {
      return false;
    }
    range.asked = question.asks_ranges = true;
    range.first = value_quantum(c, range.least);
    range.last = value_quantum(c, range.most);
  }
  return true;
}

bool LiveGeneration::question_of(const RankedRegion& region, const RankedFilter& filter,
                                 LiveQuestion& question) const noexcept {
  const RectD around = region.bounds();
  if (!(around.lx <= around.hx && around.ly <= around.hy) || !ranges_of(filter, question)) {
    return false;
  }
  question.region = &region;
  question.filter = filter;
  const auto x = quanta_of(view().x_axis, around.lx, around.hx);
  const auto y = quanta_of(view().y_axis, around.ly, around.hy);
  question.outer = {x[0], y[0], x[1], y[1]};
  // Quanta never fall while values rise: what lies strictly between those of the edges is inside.
  question.inner_empty = region.kind() != RankedRegion::Kind::kRect || x[1] - x[0] < 2 || y[1] - y[0] < 2;
  if (!question.inner_empty) {
    const auto next = [](int quantum, int step) { return static_cast<std::uint16_t>(quantum + step); };
    question.inner = {next(x[0], 1), next(y[0], 1), next(x[1], -1), next(y[1], -1)};
  }
  return true;
}

void LiveGeneration::begin(std::uint64_t version) noexcept {
  live_.begin(version);
  removed_.begin(version);
  sequence_.store(sequence() + 1, std::memory_order_relaxed);
}

void LiveGeneration::put(const LiveRecord& record) {
  if (record.slot >= where_.size()) {
    const std::size_t before = where_.size();
    where_.resize(record.slot + std::size_t{1});
    std::fill(where_.begin() + before, where_.end(), kNowhere);
  } else if (where_[record.slot] != kNowhere) {
    erase(record.slot);
  }
  where_[record.slot] = live_.insert(record, point_of(record)) | kLive;
}

void LiveGeneration::erase(std::uint32_t slot) {
  const std::uint32_t where = std::exchange(where_[slot], kNowhere);
  const LiveRecord record = (where & kLive) != 0 ? live_.records()[where & ~kLive] : frozen_record(where);
  const LivePoint at = point_of(record);
  if ((where & kLive) != 0) {
    live_.remove(where & ~kLive, at);
    return;
  }
  std::atomic_ref(points_[where].removed_at).store(sequence(), std::memory_order_relaxed);
  bits_of(where).fetch_or(std::uint64_t{1} << where % 64, std::memory_order_release);
  (void)removed_.insert(record, at);
}

void LiveGeneration::reclaim(std::uint64_t version) {
  live_.reclaim(version);
  removed_.reclaim(version);
}

LiveRecord LiveGeneration::record_of(std::uint32_t slot) const noexcept {
  const std::uint32_t where = where_[slot];
  return (where & kLive) != 0 ? live_.records()[where & ~kLive] : frozen_record(where);
}

std::size_t LiveGeneration::memory_bytes() const noexcept {
  return sizeof(LiveGeneration) + frozen_.memory_bytes() + points_.memory_bytes() +
         categories_.memory_bytes() + gone_bits_.memory_bytes() + where_.memory_bytes() +
         live_.memory_bytes() + removed_.memory_bytes();
}

}  // namespace juxta::ranked_detail
