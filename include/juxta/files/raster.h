// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/math/rect.h"

namespace juxta {

/// A colour of a screen.
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

/// From dark blue over green to yellow, for values from 0 to 1; others: the nearest end. Told apart by people
/// who see few colours, and in print.
[[nodiscard]] Rgb colour_of(double value) noexcept;

/// Which part of a picture is shown, whatever draws it: Raster::look().
struct Camera {
  /// What is in the middle of the image, in the world's own numbers. Not finite: the middle of the picture.
  double x = std::numeric_limits<double>::quiet_NaN(), y = std::numeric_limits<double>::quiet_NaN();
  /// How many times larger than the whole picture would be. Not finite, or not above 0: 1.
  double zoom = 1;
};

/// An image of pixels, and a part of the world that it shows, y upwards. What is drawn outside is cut off.
/// The same bytes on every machine.
class Raster {
 public:
  /// White. Width and height from 1 to 16384, else taken to the nearest of these. Until show(), x and y are
  /// pixels from the lower left corner.
  Raster(std::uint32_t width, std::uint32_t height);

  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
  /// Row by row from the top, r g b.
  [[nodiscard]] std::span<const Rgb> pixels() const noexcept { return {pixels_.data(), pixels_.size()}; }

  void fill(Rgb colour) noexcept;
  /// The world's part that fits into the image as a whole, in its middle, one scale for both axes. Sets what
  /// the functions below mean by x and y. A rectangle that is empty, a point or not finite: the unit square.
  void show(const RectD& world) noexcept;
  /// What is shown now, and whatever show() is given from now on, is shown by this camera. So a Model::draw()
  /// that knows of no camera can be drawn from near.
  void look(const Camera& camera) noexcept;
  /// Pixels per unit of the world.
  [[nodiscard]] double scale() const noexcept { return scale_; }
  /// Width over height of the last rectangle that show() was given, whatever the camera.
  [[nodiscard]] double aspect() const noexcept { return aspect_; }

  /// Every pixel whose middle is in [x0, x1) x [y0, y1), and at least one. Inverted or NaN: none.
  void rect(double x0, double y0, double x1, double y1, Rgb colour) noexcept;
  /// Every pixel whose middle is within the radius, and at least the one that (x, y) is in; the edges of the
  /// image belong to it. x or y not finite: none.
  void disc(double x, double y, double radius, Rgb colour) noexcept;
  /// The same, mixed with what is there: 0 leaves it as it is, 1 covers it. NaN: none.
  void disc(double x, double y, double radius, Rgb colour, double opacity) noexcept;
  /// A pixel wide.
  void line(double x0, double y0, double x1, double y1, Rgb colour) noexcept;

 private:
  template <class Paint>
  void paint_disc(double x, double y, double radius, const Paint& paint) noexcept;

  std::uint32_t width_, height_;
  double scale_ = 1, left_ = 0, top_ = 0, aspect_ = 1;
  RectD shown_{};
  Camera camera_;
  std::vector<Rgb> pixels_;
};

/// Whether this build has libpng. Without it the next two are kInvalidArgument.
[[nodiscard]] bool has_png() noexcept;
/// The bytes of a PNG file: the same for the same pixels and one version of libpng. Errors: kIo (libpng's
/// own).
[[nodiscard]] Result<std::string> encode_png(const Raster& image);
/// Whole or not at all. Errors: kIo.
[[nodiscard]] Result<void> write_png(std::string_view path, const Raster& image);

}  // namespace juxta
