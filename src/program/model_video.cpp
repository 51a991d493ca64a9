// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a run looks like: pictures and videos of it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "juxta/core/try.h"
#include "program/console.h"
#include "program/model.h"

namespace juxta::program_detail {
namespace {

/// Of a picture's longer side, in pixels.
constexpr std::uint32_t kPictureSize = 1000;

/// Width over height of what the model shows, which a first small drawing tells.
double form_of(const Model& model) {
  Raster sketch(8, 8);
  model.draw(sketch);
  return std::clamp(sketch.aspect(), 0.1, 10.0);
}

}  // namespace

std::string picture_mistake(const ModelSettings& s) {
  const ModelVideoSettings& video = s.video;
  const ModelVideoSettings usual;
  if (video.path.empty()) {
    if (video.every != usual.every || video.width != usual.width || video.rate != usual.rate) {
      return "--video-every, --video-width and --video-rate are about a video: give --video too";
    }
    if (s.camera.asked_for() && s.out.empty()) {
      return "--centre and --zoom are about pictures: give --out FOLDER or --video too";
    }
  } else if (std::string wrong = video_path_mistake(video.path); !wrong.empty()) {
    return wrong;
  }
  if (!(video.rate >= 0.1 && video.rate <= 50)) {
    return fmt::format("--video-rate {}: give a number from 0.1 to 50", video.rate);
  }
  return camera_mistake(s.camera);
}

Result<ModelPictures> ModelPictures::open(const ModelSettings& settings, const juxta::Run& run) {
  JUXTA_TRY_LET(auto camera, ModelCamera::open(settings.camera, run.simulation()).map_error(wrong_use));
  ModelPictures pictures(run, settings.video, std::move(camera));
  if (!settings.video.path.empty()) {
    const double form = form_of(run.model());
    pictures.frame_ = video_image(settings.video.width, form, 1);
    JUXTA_TRY_LET(auto video, Video::open(settings.video.path, pictures.frame_));
    pictures.video_.emplace(std::move(video));
  }
  return pictures;
}

Raster ModelPictures::drawn(Raster image) {
  image.look(camera_.at(run_.simulation()));
  run_.model().draw(image);
  return image;
}

Raster ModelPictures::picture() {
  const double form = form_of(run_.model());
  const auto side = [](double part) {
    return static_cast<std::uint32_t>(kPictureSize * std::min(part, 1.0));
  };
  return drawn({side(form), side(1 / form)});
}

Result<void> ModelPictures::due() {
  // A GIF begins with what there is. Frames in a folder are numbered by the step, so that a run that goes on
  // also goes on with its frames, and those that are there stay what they were.
  const bool begins = !std::exchange(began_, true) && !gif_of(settings_.path).empty();
  if (!video_ || (!begins && run_.steps_done() % settings_.every != 0)) {
    return {};
  }
  return video_->write(drawn(frame_), run_.steps_done() / settings_.every, 1 / settings_.rate);
}

Result<void> ModelPictures::end() {
  return video_ ? video_->end() : Result<void>();
}

}  // namespace juxta::program_detail
