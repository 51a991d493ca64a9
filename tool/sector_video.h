// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A battle as a moving picture: a GIF, or a PNG for each frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/files/gif.h"
#include "sector/world.h"

namespace juxta::tool {

inline constexpr std::uint32_t kVideoEvery = 2, kVideoWidth = 800;

struct VideoSettings {
  std::string path;  ///< A .gif, or a folder that ends in /; empty: none is wanted.
  std::uint32_t every = kVideoEvery;
  std::uint32_t width = kVideoWidth;  ///< Of the longer side, in pixels.
  std::string centre;                 ///< "X,Y" in metres; empty: the middle of the world.
  double zoom = 1;                    ///< 1: the whole world.
};

/// What is wrong with the settings themselves; empty: nothing.
[[nodiscard]] std::string video_mistake(const VideoSettings& settings);
/// Refuses a GIF or a frame that would overwrite an input. Errors: kInvalidArgument.
[[nodiscard]] Result<void> check_video(const VideoSettings& settings, const std::vector<std::string>& inputs);
/// Makes the folder, and tries whether files will find their place. Errors: kIo.
[[nodiscard]] Result<void> try_video(const VideoSettings& settings);
/// The file, where it is a GIF; else empty.
[[nodiscard]] std::string gif_of(const VideoSettings& settings);

/// Draws a frame of a battle every so many ticks.
class SectorVideo {
 public:
  /// After try_video(). Errors: kIo.
  [[nodiscard]] static Result<SectorVideo> open(const VideoSettings& settings, const sector::World& world);

  /// A frame if one is due at the tick that the battle is at; the first call always draws one. Errors: kIo.
  [[nodiscard]] Result<void> due(const sector::World& world);
  /// The GIF appears. Errors: kIo.
  [[nodiscard]] Result<void> end();

 private:
  SectorVideo(const VideoSettings& settings, const sector::World& world);

  VideoSettings settings_;
  RectD part_;  // of the map
  Raster image_;
  bool began_ = false;
  std::optional<GifWriter> gif_;
};

}  // namespace juxta::tool
