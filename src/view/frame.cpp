// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/frame.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace juxta::view_detail {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are little-endian");

constexpr std::size_t kHead = 24, kGroupHead = 64;
constexpr std::uint32_t kHasZ = 1, kHasColour = 2, kHasHeading = 4, kHasSize = 8;
/// What is a little outside of the view may reach into it.
constexpr float kMargin = 1.1F;

template <class T>
void put(char* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

/// Room for `count` values at the end, at a multiple of 4.
template <class T>
T* grow(std::string& out, std::size_t count) {
  const std::size_t at = (out.size() + 3) / 4 * 4;
  out.resize(at + count * sizeof(T));
  return reinterpret_cast<T*>(out.data() + at);
}

/// The rows in view, ascending.
void find_seen(const SnapshotGroup& of, const Watch& watch, std::vector<std::uint32_t>& seen) {
  const std::size_t count = of.x.size();
  seen.resize(count);
  std::size_t n = 0;
  if (!watch.matrix) {
    for (std::size_t i = 0; i < count; ++i) {
      seen[i] = static_cast<std::uint32_t>(i);
    }
    return;
  }
  const std::array<float, 16>& m = *watch.matrix;
  const bool flat = of.z.empty();
  for (std::size_t i = 0; i < count; ++i) {
    const float x = of.x[i], y = of.y[i], z = flat ? 0.0F : of.z[i];
    const float u = m[0] * x + m[4] * y + m[8] * z + m[12];
    const float v = m[1] * x + m[5] * y + m[9] * z + m[13];
    const float w = (m[3] * x + m[7] * y + m[11] * z + m[15]) * kMargin;
    seen[n] = static_cast<std::uint32_t>(i);
    n += static_cast<std::size_t>(std::fabs(u) <= w) & static_cast<std::size_t>(std::fabs(v) <= w);
  }
  seen.resize(n);
}

/// Every second row, or every third, so that no more than `most` are left.
void thin(std::vector<std::uint32_t>& rows, std::size_t most) {
  if (rows.size() <= most) {
    return;
  }
  const std::size_t every = (rows.size() + most - 1) / std::max<std::size_t>(most, 1);
  std::size_t n = 0;
  for (std::size_t i = 0; i < rows.size() && n < most; i += every) {
    rows[n++] = rows[i];
  }
  rows.resize(n);
}

/// From the least to the most.
struct Extent {
  float lo = std::numeric_limits<float>::max(), hi = std::numeric_limits<float>::lowest();
  void add(float value) {
    lo = value < lo ? value : lo;
    hi = value > hi ? value : hi;
  }
  [[nodiscard]] float length() const { return hi > lo ? hi - lo : 0.0F; }
};

Extent extent_of(const std::vector<float>& values, std::span<const std::uint32_t> rows) {
  Extent extent;
  for (const std::uint32_t row : rows) {
    extent.add(values[row]);
  }
  return extent;
}

void write_axis(const std::vector<float>& values, std::span<const std::uint32_t> rows, float origin,
                float per_step, std::string& out) {
  auto* const to = grow<std::uint16_t>(out, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float step = (values[rows[i]] - origin) * per_step + 0.5F;
    to[i] = static_cast<std::uint16_t>(static_cast<std::int32_t>(step < 65'535 ? step : 65'535.0F));
  }
}

void write_headings(const std::vector<std::uint32_t>& of, std::span<const std::uint32_t> rows,
                    std::string& out) {
  auto* const to = grow<std::uint32_t>(out, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    to[i] = of[rows[i]];
  }
}

/// The length of 255.
float write_sizes(const std::vector<float>& of, std::span<const std::uint32_t> rows, std::string& out) {
  float largest = 0;
  for (const std::uint32_t row : rows) {
    largest = std::isfinite(of[row]) ? std::max(largest, of[row]) : largest;
  }
  const float scale = largest > 0 ? 255 / largest : 0.0F;
  auto* const to = grow<std::uint8_t>(out, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float part = of[rows[i]] * scale + 0.5F;
    to[i] = part > 0 ? static_cast<std::uint8_t>(std::min(part, 255.0F)) : std::uint8_t{0};  // NaN too
  }
  return largest;
}

}  // namespace

void FrameWriter::write_colours(const std::vector<float>& values, bool classes, Range& range, char* header,
                                std::string& out) const {
  if (classes) {
    range.lo = 0;
    range.hi = 255;
  } else {
    for (const std::uint32_t row : seen_) {
      const float value = values[row];
      if (std::isfinite(value)) {
        range.lo = std::min(range.lo, value);
        range.hi = std::max(range.hi, value);
      }
    }
  }
  put(header + 36, range.lo);
  put(header + 40, range.hi);
  const float scale = range.hi > range.lo ? 255 / (range.hi - range.lo) : 0.0F;
  auto* const to = grow<std::uint8_t>(out, seen_.size());
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const float part = (values[seen_[i]] - range.lo) * scale + 0.5F;
    to[i] = part > 0 ? static_cast<std::uint8_t>(std::min(part, 255.0F)) : std::uint8_t{0};  // NaN too
  }
}

bool FrameWriter::write_column(const SnapshotGroup& of, const ViewGroup& group, std::size_t index,
                               const Watch& watch, char* header, std::string& out) {
  const int asked = index < watch.colour.size() ? watch.colour[index] : -1;
  const auto column = static_cast<std::size_t>(asked);
  if (asked < 0 || column >= of.columns.size() || of.columns[column].size() != of.x.size()) {
    return false;
  }
  Range& range = ranges_[index];
  if (range.column != asked) {
    range = {asked, std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
  }
  const bool classes = !group.classes.empty() && group.columns[column] == group.colour;
  write_colours(of.columns[column], classes, range, header, out);
  return true;
}

void FrameWriter::write_group(const SnapshotGroup& of, const ViewGroup& group, std::size_t index,
                              const Watch& watch, std::size_t most, std::string& out) {
  find_seen(of, watch, seen_);
  const std::size_t in_view = seen_.size();
  thin(seen_, most);
  const bool some = !seen_.empty(), solid = !of.z.empty();
  const Extent x = some ? extent_of(of.x, seen_) : Extent{0, 0},
               y = some ? extent_of(of.y, seen_) : Extent{0, 0},
               z = some && solid ? extent_of(of.z, seen_) : Extent{0, 0};
  const float length = std::max({x.length(), y.length(), z.length()});
  const float step = length / 65'535, per_step = length > 0 ? 65'535 / length : 0.0F;

  std::array<char, kGroupHead> head{};
  put(head.data(), static_cast<std::uint32_t>(index));
  put(head.data() + 4, static_cast<std::uint32_t>(of.x.size()));
  put(head.data() + 8, static_cast<std::uint32_t>(seen_.size()));
  put(head.data() + 16, x.lo);
  put(head.data() + 20, y.lo);
  put(head.data() + 24, z.lo);
  put(head.data() + 28, step);
  put(head.data() + 32, step);
  put(head.data() + 44, static_cast<std::uint32_t>((out.size() + 3) / 4 * 4));
  put(head.data() + 48, static_cast<std::uint32_t>(in_view));

  std::uint32_t flags = solid ? kHasZ : 0;
  write_axis(of.x, seen_, x.lo, per_step, out);
  write_axis(of.y, seen_, y.lo, per_step, out);
  if (solid) {
    write_axis(of.z, seen_, z.lo, per_step, out);
  }
  if (some && write_column(of, group, index, watch, head.data(), out)) {
    flags |= kHasColour;
  }
  if (some && of.heading.size() == of.x.size()) {
    flags |= kHasHeading;
    write_headings(of.heading, seen_, out);
  }
  if (some && of.sizes.size() == of.x.size()) {
    flags |= kHasSize;
    put(head.data() + 52, write_sizes(of.sizes, seen_, out));
  }
  put(head.data() + 12, flags);
  std::memcpy(out.data() + kHead + kGroupHead * index, head.data(), kGroupHead);
}

void FrameWriter::write(const Snapshot& state, const ViewInfo& info, const Watch& watch, std::uint32_t number,
                        std::uint32_t skipped, std::string& out) {
  const std::size_t groups = std::min(state.groups.size(), info.groups.size());
  ranges_.resize(groups);
  out.assign(kHead + kGroupHead * groups, '\0');
  std::memcpy(out.data(), "JXF1", 4);
  put(out.data() + 4, number);
  put(out.data() + 8, state.step);
  put(out.data() + 16, static_cast<std::uint32_t>(groups));
  put(out.data() + 20, skipped);
  std::size_t left = watch.most;
  for (std::size_t g = 0; g < groups; ++g) {
    write_group(state.groups[g], info.groups[g], g, watch, left, out);
    left -= std::min(left, seen_.size());
  }
}

}  // namespace juxta::view_detail
