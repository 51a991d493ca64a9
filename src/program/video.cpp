// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/video.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/path.h"
#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "program/output_folder.h"
#include "program/same_file.h"

namespace juxta::program_detail {
namespace {

bool names_folder(const std::string& path) {
  return path.ends_with('/');
}
bool is_gif(const std::string& path) {
  return !names_folder(path) && (path.ends_with(".gif") || path.ends_with(".GIF"));
}

/// Numbers of six digits, as tools that read series of pictures expect it.
std::string frame_name(std::uint32_t number) {
  return fmt::format("frame_{:06}.png", number);
}

}  // namespace

std::string video_path_mistake(const std::string& path) {
  if (!names_folder(path) && !is_gif(path)) {
    return fmt::format(
        "--video {}: give a file that ends in .gif, or a folder that ends in / for a PNG file of each frame",
        path);
  }
  if (is_gif(path) && !has_gif()) {
    return "--video: this build of juxta cannot write GIF files. Install giflib (Debian: libgif-dev) and "
           "build it again, or give a folder that ends in / for a PNG file of each frame";
  }
  return "";
}

std::string gif_of(const std::string& path) {
  return is_gif(path) ? path : "";
}

Result<void> check_video(const std::string& path, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  if (!names_folder(path)) {
    return {};  // a GIF is compared with all other outputs, too
  }
  std::error_code error;
  for (fs::directory_iterator at(path_of(path), error), end; !error && at != end; at.increment(error)) {
    const std::string name = utf8_of(at->path().filename());
    if (name.starts_with("frame_") && name.ends_with(".png")) {  // it may be a link to an input
      JUXTA_TRY(check_outputs(inputs, std::array{NamedFile{utf8_of(at->path()), "--video"}}));
    }
  }
  return {};
}

Result<void> try_video(const std::string& path) {
  if (names_folder(path)) {
    constexpr std::array files = {"frame_000000.png"};
    return make_folder(path, files);
  }
  if (is_gif(path)) {
    return OutputFile::open(path).map([](const OutputFile&) {});  // not committed: leaves nothing
  }
  return {};
}

Raster video_image(std::uint32_t pixels, double wide, double high) {
  const auto side = [&](double of) {
    const double part = pixels * of / std::max(wide, high);
    return std::max(2 * static_cast<std::uint32_t>(std::lround(part / 2)), 16u);
  };
  return {side(wide), side(high)};
}

Result<Video> Video::open(const std::string& path, const Raster& image) {
  Video video(path);
  if (is_gif(path)) {
    JUXTA_TRY_LET(auto gif, GifWriter::open(path, image.width(), image.height()));
    video.gif_.emplace(std::move(gif));
  }
  return video;
}

Result<void> Video::write(const Raster& image, std::uint32_t number, double seconds) {
  return gif_ ? gif_->write(image, seconds) : write_png(in_folder(path_, frame_name(number)), image);
}

Result<void> Video::end() {
  return gif_ ? gif_->commit() : Result<void>();
}

}  // namespace juxta::program_detail
