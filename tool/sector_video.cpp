// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/sector_video.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "sector/picture.h"
#include "tool/arguments.h"
#include "tool/output_folder.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

bool is_folder(const std::string& path) {
  return path.ends_with('/');
}
bool is_gif(const std::string& path) {
  return !is_folder(path) && (path.ends_with(".gif") || path.ends_with(".GIF"));
}

/// Its longer side is as long as was asked for. Both are even, which most video encoders demand; a side of a
/// world that is very narrow has 16 pixels.
Raster image_of(const VideoSettings& settings, const sector::Scenario& scenario) {
  const double longer = static_cast<double>(std::max(scenario.width, scenario.depth));
  const auto side = [&](float of) {
    const double pixels = settings.width * static_cast<double>(of) / longer;
    return std::max(2 * static_cast<std::uint32_t>(std::lround(pixels / 2)), 16u);
  };
  return {side(scenario.width), side(scenario.depth)};
}

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

/// Numbers of six digits, as tools that read series of pictures expect it.
std::string frame_name(std::uint32_t number) {
  return fmt::format("frame_{:06}.png", number);
}

}  // namespace

std::string video_mistake(const VideoSettings& s) {
  if (s.path.empty()) {
    const bool changed = s.every != kVideoEvery || s.width != kVideoWidth || !s.centre.empty() || s.zoom != 1;
    return changed ? "--video-every, --video-width, --video-centre and --video-zoom are about a video: give "
                     "--video too"
                   : "";
  }
  if (!is_folder(s.path) && !is_gif(s.path)) {
    return fmt::format(
        "--video {}: give a file that ends in .gif, or a folder that ends in / for a PNG file "
        "of each frame",
        s.path);
  }
  if (is_gif(s.path) && !has_gif()) {
    return "--video: this build of juxta cannot write GIF files. Install giflib (Debian: libgif-dev) and "
           "build "
           "it again, or give a folder that ends in / for a PNG file of each frame";
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

std::string gif_of(const VideoSettings& settings) {
  return is_gif(settings.path) ? settings.path : "";
}

Result<void> check_video(const VideoSettings& settings, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  if (!is_folder(settings.path)) {
    return {};  // a GIF is compared with all other outputs, too
  }
  std::error_code error;
  for (fs::directory_iterator at(settings.path, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with("frame_") && name.ends_with(".png")) {  // it may be a link to an input
      JUXTA_TRY(check_outputs(inputs, std::array{NamedFile{at->path().string(), "--video"}}));
    }
  }
  return {};
}

Result<void> try_video(const VideoSettings& settings) {
  if (is_folder(settings.path)) {
    constexpr std::array files = {"frame_000000.png"};
    return make_folder(settings.path, files);
  }
  if (is_gif(settings.path)) {
    return OutputFile::open(settings.path).map([](const OutputFile&) {});  // not committed: leaves nothing
  }
  return {};
}

SectorVideo::SectorVideo(const VideoSettings& settings, const sector::World& world)
    : settings_(settings),
      part_(part_of(settings, world.scenario)),
      image_(image_of(settings, world.scenario)) {}

Result<SectorVideo> SectorVideo::open(const VideoSettings& settings, const sector::World& world) {
  SectorVideo video(settings, world);
  if (!is_gif(settings.path)) {
    return video;
  }
  return GifWriter::open(settings.path, video.image_.width(), video.image_.height()).map([&](GifWriter gif) {
    video.gif_.emplace(std::move(gif));
    return std::move(video);
  });
}

Result<void> SectorVideo::due(const sector::World& world) {
  if (std::exchange(began_, true) && world.tick() % settings_.every != 0) {
    return {};
  }
  sector::draw(world, image_, part_);
  if (gif_) {
    return gif_->write(image_,
                       static_cast<double>(settings_.every) / static_cast<double>(sector::kTicksPerSecond));
  }
  // Numbered by the tick, so that a battle that goes on also goes on with its frames.
  return write_png(in_folder(settings_.path, frame_name(world.tick() / settings_.every)), image_);
}

Result<void> SectorVideo::end() {
  return gif_ ? gif_->commit() : Result<void>();
}

}  // namespace juxta::tool
