// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Median cut (P. Heckbert, "Color Image Quantization for Frame Buffer Display", SIGGRAPH 1982): the box of
// colours that is worst served by one colour is cut across its longest axis, where half of its pixels are on
// either side, until there are as many boxes as colours. Whole numbers alone: the same on every machine.
#include "files/median_cut.h"

#include <algorithm>
#include <array>

namespace juxta::files_detail {
namespace {

/// One of the pixels' different colours.
struct Entry {
  std::array<std::uint8_t, 3> channel;
  std::uint32_t count;  // pixels
  std::uint32_t place;  // among all of them, ascending
};

std::uint32_t number_of(Rgb colour) noexcept {
  return std::uint32_t{colour.r} << 16 | std::uint32_t{colour.g} << 8 | colour.b;
}

/// A range of entries.
struct Box {
  std::size_t first, last;
  std::size_t axis = 0;     // its longest
  std::uint64_t error = 0;  // what one colour for all of it costs: pixels times the square of its length
};

Box box_of(std::span<const Entry> entries, std::size_t first, std::size_t last) noexcept {
  Box box{first, last};
  std::uint64_t pixels = 0;
  std::array<std::uint8_t, 3> lo{255, 255, 255}, hi{};
  for (const Entry& entry : entries.subspan(first, last - first)) {
    pixels += entry.count;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lo[axis] = std::min(lo[axis], entry.channel[axis]);
      hi[axis] = std::max(hi[axis], entry.channel[axis]);
    }
  }
  const auto length = [&](std::size_t axis) { return static_cast<std::uint64_t>(hi[axis] - lo[axis]); };
  for (std::size_t axis = 1; axis < 3; ++axis) {
    box.axis = length(axis) > length(box.axis) ? axis : box.axis;
  }
  box.error = pixels * length(box.axis) * length(box.axis);
  return box;
}

/// Where the second half begins; both have an entry.
std::size_t median(std::span<const Entry> entries, const Box& box) noexcept {
  std::uint64_t all = 0, before = 0;
  for (std::size_t i = box.first; i < box.last; ++i) {
    all += entries[i].count;
  }
  std::size_t at = box.first;
  while (at + 1 < box.last && 2 * before < all) {
    before += entries[at++].count;
  }
  return std::max(at, box.first + 1);
}

std::vector<Box> boxes_of(std::vector<Entry>& entries, std::size_t most) {
  std::vector<Box> boxes;
  if (!entries.empty()) {
    boxes.push_back(box_of(entries, 0, entries.size()));
  }
  while (boxes.size() < most) {
    const auto worst = std::ranges::max_element(boxes, {}, &Box::error);
    if (worst == boxes.end() || worst->error == 0) {
      break;
    }
    const Box box = *worst;
    const auto of = [&](std::size_t i) { return entries.begin() + static_cast<std::ptrdiff_t>(i); };
    std::sort(of(box.first), of(box.last), [&](const Entry& a, const Entry& b) {
      return a.channel[box.axis] != b.channel[box.axis] ? a.channel[box.axis] < b.channel[box.axis]
                                                        : a.place < b.place;
    });
    const std::size_t middle = median(entries, box);
    *worst = box_of(entries, box.first, middle);
    boxes.push_back(box_of(entries, middle, box.last));
  }
  return boxes;
}

/// The mean of its pixels.
Rgb mean_of(std::span<const Entry> entries) noexcept {
  std::array<std::uint64_t, 3> sum{};
  std::uint64_t pixels = 0;
  for (const Entry& entry : entries) {
    pixels += entry.count;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sum[axis] += std::uint64_t{entry.channel[axis]} * entry.count;
    }
  }
  const auto mean = [&](std::size_t axis) {
    return static_cast<std::uint8_t>((sum[axis] + pixels / 2) / pixels);
  };
  return {mean(0), mean(1), mean(2)};
}

}  // namespace

Palette::Palette(std::span<const Rgb> pixels, std::size_t most) {
  std::vector<std::uint32_t> all(pixels.size());
  std::ranges::transform(pixels, all.begin(), number_of);
  std::ranges::sort(all);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i] != all[i - 1]) {
      const auto byte = [&](std::uint32_t shift) { return static_cast<std::uint8_t>(all[i] >> shift); };
      entries.push_back({{byte(16), byte(8), byte(0)}, 0, static_cast<std::uint32_t>(known_.size())});
      known_.push_back(all[i]);
    }
    ++entries.back().count;
  }
  index_.resize(known_.size());
  for (const Box& box : boxes_of(entries, most)) {
    const auto own = std::span<const Entry>(entries).subspan(box.first, box.last - box.first);
    for (const Entry& entry : own) {
      index_[entry.place] = static_cast<std::uint8_t>(colours_.size());
    }
    colours_.push_back(mean_of(own));
  }
}

std::uint8_t Palette::index_of(Rgb pixel) const noexcept {
  const auto at = std::ranges::lower_bound(known_, number_of(pixel));
  return at == known_.end() ? 0 : index_[static_cast<std::size_t>(at - known_.begin())];
}

}  // namespace juxta::files_detail
