// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A moving picture: a GIF, or a PNG for each frame. Shared by models and battles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/files/gif.h"
#include "juxta/files/raster.h"

namespace juxta::program_detail {

inline constexpr std::uint32_t kVideoWidth = 800;

/// What is wrong with the path of a video: it is a .gif, or a folder that ends in /. Empty: nothing.
[[nodiscard]] std::string video_path_mistake(const std::string& path);
/// The file, where it is a GIF; else empty.
[[nodiscard]] std::string gif_of(const std::string& path);
/// Refuses a GIF or a frame that would overwrite an input. Errors: kInvalidArgument.
[[nodiscard]] Result<void> check_video(const std::string& path, const std::vector<std::string>& inputs);
/// Makes the folder, and tries whether files will find their place. Errors: kIo.
[[nodiscard]] Result<void> try_video(const std::string& path);
/// Of the form wide : high, its longer side as many pixels as asked for. Both sides are even, which most
/// video encoders demand, and 16 pixels at least.
[[nodiscard]] Raster video_image(std::uint32_t pixels, double wide, double high);

/// Takes frames of one size.
class Video {
 public:
  /// After try_video(). Errors: kIo.
  [[nodiscard]] static Result<Video> open(const std::string& path, const Raster& image);

  /// In a folder, the frame is called by its number; in a GIF it is shown for `seconds`. Errors: kIo.
  [[nodiscard]] Result<void> write(const Raster& image, std::uint32_t number, double seconds);
  /// The GIF appears. Errors: kIo.
  [[nodiscard]] Result<void> end();

 private:
  explicit Video(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::optional<GifWriter> gif_;
};

}  // namespace juxta::program_detail
