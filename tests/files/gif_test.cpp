// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// GIF files read back by giflib: size, times, and every pixel of every frame, as a viewer would show it.
#include "juxta/files/gif.h"

#include <gif_lib.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "files/median_cut.h"
#include "support/code_of.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;

struct Shown {
  int delay;
  std::vector<Rgb> pixels;
  std::size_t stored;  // pixels of its rectangle
};

/// What a viewer shows, frame by frame; frames never clear what they lie upon.
std::vector<Shown> read_gif(const std::string& path) {
  int code = 0;
  GifFileType* const gif = DGifOpenFileName(path.c_str(), &code);
  EXPECT_NE(gif, nullptr) << GifErrorString(code);
  std::vector<Shown> frames;
  if (gif == nullptr || DGifSlurp(gif) != GIF_OK) {
    ADD_FAILURE() << "giflib cannot read it";
    return frames;
  }
  const auto width = static_cast<std::size_t>(gif->SWidth);
  std::vector<Rgb> canvas(width * static_cast<std::size_t>(gif->SHeight));
  for (int i = 0; i < gif->ImageCount; ++i) {
    const SavedImage& image = gif->SavedImages[i];
    GraphicsControlBlock control{};
    EXPECT_EQ(DGifSavedExtensionToGCB(gif, i, &control), GIF_OK);
    EXPECT_EQ(control.DisposalMode, DISPOSE_DO_NOT);
    const GifImageDesc& at = image.ImageDesc;
    const auto wide = static_cast<std::size_t>(at.Width), high = static_cast<std::size_t>(at.Height);
    for (std::size_t j = 0; j < wide * high; ++j) {
      if (image.RasterBits[j] != control.TransparentColor) {
        const GifColorType& c = at.ColorMap->Colors[image.RasterBits[j]];
        canvas[(static_cast<std::size_t>(at.Top) + j / wide) * width + static_cast<std::size_t>(at.Left) +
               j % wide] = {c.Red, c.Green, c.Blue};
      }
    }
    frames.push_back({control.DelayTime, canvas, wide * high});
  }
  EXPECT_EQ(DGifCloseFile(gif, &code), GIF_OK);
  return frames;
}

double below(std::mt19937& random, std::uint32_t count) {
  return static_cast<double>(random() % count);
}

class GifTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_gif()) {
      GTEST_SKIP() << "built without giflib";
    }
    folder_ = fs::path(testing::TempDir()) / ("juxta_gif_" + std::to_string(std::random_device{}()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string path(const char* name = "a.gif") const { return (folder_ / name).string(); }
  fs::path folder_;
};

TEST_F(GifTest, ShowsEveryPixelOfFramesWithFewColours) {
  auto gif = GifWriter::open(path(), 40, 30);
  ASSERT_TRUE(gif) << gif.error().message;
  std::mt19937 random(1);
  std::vector<std::vector<Rgb>> wanted;
  Raster image(40, 30);
  for (int frame = 0; frame < 30; ++frame) {
    for (int i = 0; i < frame % 5; ++i) {  // nothing at all changes in every fifth
      const double x = below(random, 40), y = below(random, 30);
      image.disc(x, y, below(random, 6),
                 {static_cast<std::uint8_t>(random()), 7, static_cast<std::uint8_t>(frame)});
    }
    ASSERT_TRUE(gif->write(image, 0.1));
    wanted.emplace_back(image.pixels().begin(), image.pixels().end());
  }
  EXPECT_FALSE(fs::exists(path()));
  ASSERT_TRUE(gif->commit());
  const auto shown = read_gif(path());
  ASSERT_EQ(shown.size(), wanted.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    EXPECT_EQ(shown[i].pixels, wanted[i]) << i;
    EXPECT_EQ(shown[i].delay, 10);
  }
  EXPECT_EQ(shown[5].stored, 1u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(GifTest, IsCloseWhereAFrameHasManyColours) {
  auto gif = GifWriter::open(path(), 64, 64);
  ASSERT_TRUE(gif);
  Raster image(64, 64);
  std::vector<std::vector<Rgb>> wanted;
  for (int frame = 0; frame < 2; ++frame) {
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) {  // 4,096 colours
        image.disc(x + 0.5, y + 0.5, 0,
                   {static_cast<std::uint8_t>(4 * x), static_cast<std::uint8_t>(4 * y),
                    static_cast<std::uint8_t>(100 * frame)});
      }
    }
    ASSERT_TRUE(gif->write(image, 1));
    wanted.emplace_back(image.pixels().begin(), image.pixels().end());
  }
  ASSERT_TRUE(gif->commit());
  const auto shown = read_gif(path());
  ASSERT_EQ(shown.size(), 2u);
  for (std::size_t frame = 0; frame < 2; ++frame) {
    for (std::size_t i = 0; i < wanted[frame].size(); ++i) {
      EXPECT_NEAR(shown[frame].pixels[i].r, wanted[frame][i].r, 16);
      EXPECT_NEAR(shown[frame].pixels[i].g, wanted[frame][i].g, 16);
      EXPECT_EQ(shown[frame].pixels[i].b, wanted[frame][i].b);
    }
  }
}

TEST_F(GifTest, KeepsTimeOverManyFrames) {
  const auto total = [&](double seconds, int frames) {
    auto gif = GifWriter::open(path(), 2, 2);
    EXPECT_TRUE(gif);
    for (int i = 0; i < frames; ++i) {
      EXPECT_TRUE(gif->write(Raster(2, 2), seconds));
    }
    EXPECT_TRUE(gif->commit());
    int sum = 0;
    for (const Shown& frame : read_gif(path())) {
      EXPECT_GE(frame.delay, 2);
      sum += frame.delay;
    }
    return sum;
  };
  EXPECT_EQ(total(1 / 30.0, 300), 1000);
  EXPECT_EQ(total(1 / 60.0, 60), 120);  // no GIF shows 60 frames a second
  EXPECT_EQ(total(600, 2), 120'000);
}

TEST_F(GifTest, WrongUseIsAnError) {
  for (const auto& [width, height] : {std::pair(0u, 1u), std::pair(1u, 0u), std::pair(65'536u, 1u)}) {
    const auto refused = GifWriter::open(path(), width, height);
    ASSERT_FALSE(refused);
    EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
    EXPECT_NE(refused.error().message.find("1 to 65535"), std::string::npos) << refused.error().message;
  }
  EXPECT_EQ(test::code_of(GifWriter::open((folder_ / "no" / "a.gif").string(), 2, 2)), ErrorCode::kIo);
  auto gif = GifWriter::open(path(), 2, 2);
  ASSERT_TRUE(gif);
  EXPECT_EQ(test::code_of(gif->commit()), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(gif->write(Raster(2, 3), 1)), ErrorCode::kInvalidArgument);
  for (const double seconds : {-1.0, 601.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(test::code_of(gif->write(Raster(2, 2), seconds)), ErrorCode::kInvalidArgument);
  }
  EXPECT_TRUE(gif->write(Raster(2, 2), 1));
  EXPECT_TRUE(gif->commit());
  EXPECT_EQ(read_gif(path()).size(), 1u);
}

TEST_F(GifTest, LeavesNothingWithoutACommitOrOnAFullDisk) {
  {
    auto gif = GifWriter::open(path(), 50, 50);
    ASSERT_TRUE(gif);
    EXPECT_TRUE(gif->write(Raster(50, 50), 1));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
  if (!fs::exists("/dev/full")) {
    return;
  }
  auto gif = GifWriter::open("/dev/full", 300, 300);
  ASSERT_TRUE(gif);
  std::mt19937 random(1);
  Result<void> done;
  for (int i = 0; done && i < 30; ++i) {
    Raster image(300, 300);
    for (int j = 0; j < 3000; ++j) {
      image.disc(below(random, 300), below(random, 300), 1, {static_cast<std::uint8_t>(random()), 0, 0});
    }
    done = gif->write(image, 1);
  }
  ASSERT_FALSE(done);
  EXPECT_EQ(test::code_of(done), ErrorCode::kIo);
  EXPECT_NE(done.error().message.find("No space left"), std::string::npos) << done.error().message;
}

TEST(MedianCut, KeepsFewColoursAndServesMany) {
  const std::vector<Rgb> few = {{1, 2, 3}, {250, 0, 9}, {1, 2, 3}, {1, 2, 4}};
  const files_detail::Palette exact(few, 3);
  EXPECT_EQ(exact.colours().size(), 3u);
  for (const Rgb colour : few) {
    EXPECT_EQ(exact.colours()[exact.index_of(colour)], colour);
  }
  EXPECT_EQ(files_detail::Palette({}, 9).colours().size(), 0u);
  std::vector<Rgb> grey;
  for (int i = 0; i < 256; ++i) {
    const auto level = static_cast<std::uint8_t>(i);
    grey.insert(grey.end(), i == 200 ? 1000 : 1, {level, level, level});
  }
  const files_detail::Palette sixteen(grey, 16);
  EXPECT_EQ(sixteen.colours().size(), 16u);
  for (const Rgb colour : grey) {
    EXPECT_NEAR(sixteen.colours()[sixteen.index_of(colour)].r, colour.r, 24);
  }
  EXPECT_NEAR(sixteen.colours()[sixteen.index_of({200, 200, 200})].r, 200, 1);
  EXPECT_EQ(files_detail::Palette(grey, 1).colours().size(), 1u);
}

}  // namespace
}  // namespace juxta
