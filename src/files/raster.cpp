// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Pixel (i, j) is the square [i, i + 1) x [j, j + 1), j downwards; its middle is (i + 0.5, j + 0.5). All is
// plain arithmetic in doubles, floor and comparisons: the same pixels on every machine.
#include "juxta/files/raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace juxta {
namespace {

constexpr std::uint32_t kLargest = 16384;

/// A half-open range of pixels along one axis.
struct Range {
  std::uint32_t first, last;
};

/// From double to pixel, held in [0, count]; the numbers may be infinite, but not NaN.
Range held(double first, double last, std::uint32_t count) {
  const double most = count;
  return {static_cast<std::uint32_t>(std::clamp(first, 0.0, most)),
          static_cast<std::uint32_t>(std::clamp(last, 0.0, most))};
}

/// Pixels whose middle is in [a, b); the one that a is in when there are none.
Range middles_from(double a, double b, std::uint32_t count) {
  const double first = std::ceil(a - 0.5), last = std::ceil(b - 0.5);
  return first < last ? held(first, last, count) : held(std::floor(a), std::floor(a) + 1, count);
}

/// The same for (a, b], where y of the world runs against the rows; the one below b when there are none.
Range middles_to(double a, double b, std::uint32_t count) {
  const double first = std::floor(a - 0.5) + 1, last = std::floor(b - 0.5) + 1;
  return first < last ? held(first, last, count) : held(std::ceil(b) - 1, std::ceil(b), count);
}

/// 16 colours of even steps in lightness.
constexpr std::array<Rgb, 16> kColours = {{{68, 1, 84},
                                           {72, 24, 106},
                                           {71, 45, 123},
                                           {66, 64, 134},
                                           {59, 82, 139},
                                           {51, 99, 141},
                                           {44, 114, 142},
                                           {38, 130, 142},
                                           {33, 145, 140},
                                           {31, 160, 136},
                                           {40, 174, 128},
                                           {63, 188, 115},
                                           {94, 201, 98},
                                           {132, 212, 75},
                                           {187, 223, 39},
                                           {253, 231, 37}}};

std::uint8_t between(std::uint8_t a, std::uint8_t b, double part) {
  return static_cast<std::uint8_t>(std::lround(a + (b - a) * part));
}

}  // namespace

Rgb colour_of(double value) noexcept {
  const double at = (value > 0 ? std::min(value, 1.0) : 0.0) * (kColours.size() - 1);  // NaN: the dark end
  const auto left = std::min(static_cast<std::size_t>(at), kColours.size() - 2);
  const double part = at - static_cast<double>(left);
  const Rgb a = kColours[left], b = kColours[left + 1];
  return {between(a.r, b.r, part), between(a.g, b.g, part), between(a.b, b.b, part)};
}

Raster::Raster(std::uint32_t width, std::uint32_t height)
    : width_(std::clamp(width, 1u, kLargest)), height_(std::clamp(height, 1u, kLargest)) {
  pixels_.assign(static_cast<std::size_t>(width_) * height_, Rgb{255, 255, 255});
  show({0, 0, static_cast<double>(width_), static_cast<double>(height_)});
}

void Raster::fill(Rgb colour) noexcept {
  std::fill(pixels_.begin(), pixels_.end(), colour);
}

void Raster::look(const Camera& camera) noexcept {
  camera_ = camera;
  show(shown_);
}

void Raster::show(const RectD& world) noexcept {
  const auto fits = [this](const RectD& r) {
    return std::min(width_ / (r.hx - r.lx), height_ / (r.hy - r.ly));  // a side of 0: infinite, so the other
  };
  const bool usable = !world.empty() && std::isfinite(fits(world)) && fits(world) > 0;
  const RectD shown = usable ? world : RectD{0, 0, 1, 1};
  shown_ = shown;
  const double zoomed = fits(shown) * camera_.zoom;
  scale_ = std::isfinite(zoomed) && zoomed > 0 ? zoomed : fits(shown);
  const double x = std::isfinite(camera_.x) ? camera_.x : (shown.lx + shown.hx) / 2;
  const double y = std::isfinite(camera_.y) ? camera_.y : (shown.ly + shown.hy) / 2;
  aspect_ = shown.hy > shown.ly ? (shown.hx - shown.lx) / (shown.hy - shown.ly) : 1;
  left_ = x - width_ / scale_ / 2;
  top_ = y + height_ / scale_ / 2;
}

void Raster::rect(double x0, double y0, double x1, double y1, Rgb colour) noexcept {
  if (!(x0 <= x1 && y0 <= y1)) {
    return;
  }
  const Range columns = middles_from((x0 - left_) * scale_, (x1 - left_) * scale_, width_);
  const Range rows = middles_to((top_ - y1) * scale_, (top_ - y0) * scale_, height_);
  for (std::size_t j = rows.first; j < rows.last; ++j) {
    const auto row = pixels_.begin() + static_cast<std::ptrdiff_t>(j * width_);
    std::fill(row + columns.first, row + std::max(columns.first, columns.last), colour);
  }
}

/// Calls paint(first, last) for runs of pixels, each pixel once.
template <class Paint>
void Raster::paint_disc(double x, double y, double radius, const Paint& paint) noexcept {
  const double cx = (x - left_) * scale_, cy = (top_ - y) * scale_;
  if (!std::isfinite(cx) || !std::isfinite(cy)) {
    return;
  }
  const double r = radius * scale_;
  std::size_t middle = pixels_.size();
  if (cx >= 0 && cx <= width_ && cy >= 0 && cy <= height_) {  // the edges of what is shown belong to it
    const auto i = std::min(static_cast<std::size_t>(cx), std::size_t{width_} - 1);
    const auto j = static_cast<std::size_t>(std::max(std::ceil(cy) - 1, 0.0));
    middle = j * width_ + i;
  }
  const auto paint_middle = [&] {
    if (middle != pixels_.size()) {
      paint(middle, middle + 1);
    }
  };
  if (!(r > 0)) {
    paint_middle();
    return;
  }
  const Range columns = held(std::floor(cx - r), std::floor(cx + r) + 1, width_);
  const Range rows = held(std::floor(cy - r), std::floor(cy + r) + 1, height_);
  bool painted = false;  // the middle
  for (std::uint32_t j = rows.first; j < rows.last;
       ++j) {  // from both ends inwards: a row's pixels are a run
    const double dy = j + 0.5 - cy;
    const auto outside = [&](std::uint32_t i) {
      const double dx = i + 0.5 - cx;
      return dx * dx + dy * dy > r * r;
    };
    std::uint32_t first = columns.first, last = columns.last;
    while (first < last && outside(first)) {
      ++first;
    }
    while (first < last && outside(last - 1)) {
      --last;
    }
    if (first < last) {
      const std::size_t row = std::size_t{j} * width_;
      painted = painted || (middle >= row + first && middle < row + last);
      paint(row + first, row + last);
    }
  }
  if (!painted) {
    paint_middle();
  }
}

void Raster::disc(double x, double y, double radius, Rgb colour) noexcept {
  paint_disc(x, y, radius, [&](std::size_t first, std::size_t last) {
    std::fill(pixels_.begin() + static_cast<std::ptrdiff_t>(first),
              pixels_.begin() + static_cast<std::ptrdiff_t>(last), colour);
  });
}

void Raster::disc(double x, double y, double radius, Rgb colour, double opacity) noexcept {
  if (!(opacity > 0)) {
    return;
  }
  // In 256ths, so that the bytes are the same on every machine.
  const auto part = static_cast<int>(std::lround(256 * std::min(opacity, 1.0)));
  const auto mixed = [part](int from, int to) {
    return static_cast<std::uint8_t>((from * (256 - part) + to * part + 128) >> 8);
  };
  paint_disc(x, y, radius, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Rgb& pixel = pixels_[i];
      pixel = {mixed(pixel.r, colour.r), mixed(pixel.g, colour.g), mixed(pixel.b, colour.b)};
    }
  });
}

void Raster::line(double x0, double y0, double x1, double y1, Rgb colour) noexcept {
  // u runs along the axis that it covers more of, so that each step of one pixel has one pixel of v.
  double u0 = (x0 - left_) * scale_, v0 = (top_ - y0) * scale_;
  double u1 = (x1 - left_) * scale_, v1 = (top_ - y1) * scale_;
  const bool steep = std::abs(v1 - v0) > std::abs(u1 - u0);
  if (steep) {
    std::swap(u0, v0);
    std::swap(u1, v1);
  }
  const double du = u1 - u0, dv = v1 - v0;
  if (!std::isfinite(du) || !std::isfinite(dv)) {
    return;
  }
  const double across = steep ? width_ : height_;
  const Range steps =
      held(std::floor(std::min(u0, u1)), std::floor(std::max(u0, u1)) + 1, steep ? height_ : width_);
  for (std::uint32_t i = steps.first; i < steps.last; ++i) {
    const double part = du != 0 ? std::clamp((i + 0.5 - u0) / du, 0.0, 1.0) : 0.0;
    const double v = std::floor(v0 + part * dv);
    if (v >= 0 && v < across) {
      const auto j = static_cast<std::size_t>(v);
      pixels_[steep ? std::size_t{i} * width_ + j : j * width_ + i] = colour;
    }
  }
}

}  // namespace juxta
