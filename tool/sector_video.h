// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A battle as a moving picture: a GIF, or a PNG for each frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "program/video.h"
#include "sector/world.h"
#include "tool/console.h"  // the names of src/program

namespace juxta::tool {

inline constexpr std::uint32_t kVideoEvery = 2;

struct VideoSettings {
  std::string path;  ///< A .gif, or a folder that ends in /; empty: none is wanted.
  std::uint32_t every = kVideoEvery;
  std::uint32_t width = kVideoWidth;  ///< Of the longer side, in pixels.
  std::string centre;                 ///< "X,Y" in metres; empty: the middle of the world.
  double zoom = 1;                    ///< 1: the whole world.
};

/// What is wrong with the settings themselves; empty: nothing.
[[nodiscard]] std::string video_mistake(const VideoSettings& settings);
/// Draws a frame of a battle every so many ticks.
class SectorVideo {
 public:
  /// After try_video(). Errors: kIo.
  [[nodiscard]] static Result<SectorVideo> open(const VideoSettings& settings, const sector::World& world);

  /// A frame if one is due at the tick that the battle is at; the first call always draws one. Errors: kIo.
  [[nodiscard]] Result<void> due(const sector::World& world);
  /// The GIF appears. Errors: kIo.
  [[nodiscard]] Result<void> end() { return video_->end(); }

 private:
  SectorVideo(const VideoSettings& settings, const sector::World& world);

  VideoSettings settings_;
  RectD part_;  // of the map
  Raster image_;
  bool began_ = false;
  std::optional<Video> video_;  // open() makes it
};

}  // namespace juxta::tool
