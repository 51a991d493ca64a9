// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/sector_video.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sector/picture.h"
#include "tool/arguments.h"

namespace juxta::tool {
namespace {

/// Around the centre, and smaller than the world by the zoom.
RectD part_of(const VideoSettings& settings, const sector::Scenario& scenario) {
  double x = 0, y = 0;
  if (!settings.centre.empty()) {
    const std::vector<float> centre = parse_floats(settings.centre).value();  // video_mistake() has read it
    x = static_cast<double>(centre[0]);
    y = static_cast<double>(centre[1]);
  }
  const double wide = static_cast<double>(scenario.width) / 2 / settings.zoom;
  const double deep = static_cast<double>(scenario.depth) / 2 / settings.zoom;
  return {x - wide, y - deep, x + wide, y + deep};
}

}  // namespace

std::string video_mistake(const VideoSettings& s) {
  if (s.path.empty()) {
    const bool changed = s.every != kVideoEvery || s.width != kVideoWidth || !s.centre.empty() || s.zoom != 1;
    return changed ? "--video-every, --video-width, --video-centre and --video-zoom are about a video: give "
                     "--video too"
                   : "";
  }
  if (std::string wrong = video_path_mistake(s.path); !wrong.empty()) {
    return wrong;
  }
  if (!(s.zoom >= 0.1 && s.zoom <= 1000)) {
    return fmt::format("--video-zoom {}: give a number from 0.1 to 1000", s.zoom);
  }
  if (!s.centre.empty()) {
    const auto centre = parse_floats(s.centre);
    if (!centre || centre->size() != 2 || !std::isfinite((*centre)[0]) || !std::isfinite((*centre)[1])) {
      return fmt::format("--video-centre '{}': give X,Y in metres from the middle of the world, like 100,-50",
                         s.centre);
    }
  }
  return "";
}

SectorVideo::SectorVideo(const VideoSettings& settings, const sector::World& world)
    : settings_(settings),
      part_(part_of(settings, world.scenario)),
      image_(video_image(settings.width, world.scenario.width, world.scenario.depth)) {}

Result<SectorVideo> SectorVideo::open(const VideoSettings& settings, const sector::World& world) {
  SectorVideo video(settings, world);
  return Video::open(settings.path, video.image_).map([&](Video opened) {
    video.video_.emplace(std::move(opened));
    return std::move(video);
  });
}

Result<void> SectorVideo::due(const sector::World& world) {
  if (std::exchange(began_, true) && world.tick() % settings_.every != 0) {
    return {};
  }
  sector::draw(world, image_, part_);
  // Numbered by the tick, so that a battle that goes on also goes on with its frames.
  return video_->write(image_, world.tick() / settings_.every,
                       static_cast<double>(settings_.every) / static_cast<double>(sector::kTicksPerSecond));
}

}  // namespace juxta::tool
