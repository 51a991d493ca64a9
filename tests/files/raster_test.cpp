// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Pixels against the definition of each shape, pixel by pixel; small pictures by hand; PNG read back.
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "juxta/files/raster.h"
#include "support/code_of.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;

constexpr Rgb kInk{10, 20, 30}, kPaper{255, 255, 255};
constexpr double kInf = std::numeric_limits<double>::infinity(),
                 kNan = std::numeric_limits<double>::quiet_NaN();

/// Rows of '#' and '.', from the top.
std::string text_of(const Raster& image) {
  std::string out;
  for (std::size_t j = 0; j < image.height(); ++j) {
    for (std::size_t i = 0; i < image.width(); ++i) {
      out += image.pixels()[j * image.width() + i] == kPaper ? '.' : '#';
    }
    out += '\n';
  }
  return out;
}

TEST(Raster, IsWhiteAndOfAllowedSize) {
  EXPECT_EQ(Raster(0, 20000).width(), 1u);
  EXPECT_EQ(Raster(0, 20000).height(), 16384u);
  const Raster image(3, 2);
  EXPECT_EQ(text_of(image), "...\n...\n");
  Raster other(2, 2);
  other.fill(kInk);
  EXPECT_EQ(other.pixels()[3], kInk);
}

TEST(Raster, ShowsTheWholeWorldInItsMiddle) {
  Raster image(8, 4);
  image.show({0, 0, 2, 2});
  EXPECT_EQ(image.scale(), 2);
  image.rect(0, 0, 2, 2, kInk);
  EXPECT_EQ(text_of(image), "..####..\n..####..\n..####..\n..####..\n");
  image.fill(kPaper);
  image.rect(0, 0, 1, 0.5, kInk);  // y upwards
  EXPECT_EQ(text_of(image), "........\n........\n........\n..##....\n");
  image.fill(kPaper);
  image.rect(-1, 1.5, 0, 9, kInk);  // beside the world, and cut
  EXPECT_EQ(text_of(image), "##......\n........\n........\n........\n");
  EXPECT_EQ(image.aspect(), 1);
  image.show({0, 0, 6, 3});
  EXPECT_EQ(image.aspect(), 2);
  image.show({0, 0, 6, 0});
  EXPECT_EQ(image.aspect(), 1);
}

TEST(Raster, OddWorldsAreTheUnitSquare) {
  for (const RectD& world : {RectD{1, 1, 0, 0}, RectD{0, 0, 0, 0}, RectD{kNan, 0, 1, 1}, RectD{0, 0, kInf, 1},
                             RectD{0, 0, 1e-320, 1e-320}}) {
    Raster image(4, 4);
    image.show(world);
    EXPECT_EQ(image.scale(), 4);
    image.rect(0, 0, 0.25, 0.25, kInk);
    EXPECT_EQ(text_of(image), "....\n....\n....\n#...\n");
  }
  Raster line(4, 4);
  line.show({0, 5, 0, 7});  // a world of no width
  EXPECT_EQ(line.scale(), 2);
  line.disc(0, 6, 0.6, kInk);
  EXPECT_EQ(text_of(line), "....\n.##.\n.##.\n....\n");
}

TEST(Raster, ACameraIsThereAtOnce) {
  Raster image(4, 4);
  image.show({0, 0, 2, 2});
  image.look({.zoom = 2});
  image.rect(0.5, 0.5, 1, 1, kInk);
  EXPECT_EQ(text_of(image), "....\n....\n##..\n##..\n");
}

TEST(Raster, ACameraShowsAPartOfWhateverIsDrawn) {
  const auto drawn = [](const Camera& camera) {
    Raster image(8, 4);
    image.look(camera);
    image.show({0, 0, 2, 2});
    image.rect(0, 0, 1, 1, kInk);
    EXPECT_EQ(image.aspect(), 1) << "that of the world, not of the part";
    return text_of(image);
  };
  const std::string whole = "........\n........\n..##....\n..##....\n";
  EXPECT_EQ(drawn({}), whole);
  EXPECT_EQ(drawn({.zoom = 2}), "........\n........\n####....\n####....\n");
  EXPECT_EQ(drawn({.x = 0, .y = 0, .zoom = 1}), "....##..\n....##..\n........\n........\n");
  EXPECT_EQ(drawn({.x = 0.5, .y = 0.5, .zoom = 2}), "..####..\n..####..\n..####..\n..####..\n");
  EXPECT_EQ(drawn({.x = 9, .zoom = 2}), "........\n........\n........\n........\n");
  for (const double none : {0.0, -1.0, kNan, kInf}) {
    EXPECT_EQ(drawn({.x = kNan, .y = kInf, .zoom = none}), whole);
  }
}

TEST(Raster, RectanglesHaveThePixelsWhoseMiddleIsInside) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto number = [&] { return static_cast<double>(random() % 97) / 8 - 2; };  // middles and edges too
    const double a = number(), b = number(), c = number(), d = number();
    const double x0 = std::min(a, b), x1 = std::max(a, b), y0 = std::min(c, d), y1 = std::max(c, d);
    Raster image(8, 8);
    image.rect(x0, y0, x1, y1, kInk);
    for (int j = 0; j < 8; ++j) {
      for (int i = 0; i < 8; ++i) {
        const double x = i + 0.5, y = 8 - (j + 0.5);
        // A side without any middle has the pixel where it begins.
        const bool no_column = std::ceil(x0 - 0.5) == std::ceil(x1 - 0.5),
                   no_row = std::ceil(y0 - 0.5) == std::ceil(y1 - 0.5);
        const bool across = no_column ? i == std::floor(x0) : x0 <= x && x < x1;
        const bool up = no_row ? 7 - j == std::floor(y0) : y0 <= y && y < y1;
        ASSERT_EQ(image.pixels()[static_cast<std::size_t>(j * 8 + i)] == kInk, across && up)
            << x0 << ' ' << x1 << ' ' << y0 << ' ' << y1 << " at " << x << ' ' << y;
      }
    }
  }
}

TEST(Raster, CellsOfAGridCoverEveryPixelOnce) {
  Raster image(100, 100);
  image.show({0, 0, 37, 37});
  std::vector<int> painted(10'000, 0);
  for (int y = 0; y < 37; ++y) {
    for (int x = 0; x < 37; ++x) {
      image.fill(kPaper);
      image.rect(x, y, x + 1, y + 1, kInk);
      for (std::size_t p = 0; p < painted.size(); ++p) {
        painted[p] += image.pixels()[p] == kInk ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(painted, std::vector<int>(10'000, 1));
}

TEST(Raster, DiscsHaveThePixelsWithinTheRadius) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const auto number = [&] { return static_cast<double>(random() % 97) / 8 - 2; };
    const double x = number(), y = number(), r = number();
    Raster image(8, 8);
    image.disc(x, y, r, kInk);
    for (int j = 0; j < 8; ++j) {
      for (int i = 0; i < 8; ++i) {
        const double dx = i + 0.5 - x, dy = 8 - (j + 0.5) - y;
        const bool within = r > 0 && dx * dx + dy * dy <= r * r;
        const bool inside = 0 <= x && x <= 8 && 0 <= y && y <= 8;  // the far edges belong to the last pixels
        const bool middle =
            inside && i == std::min(std::floor(x), 7.0) && 7 - j == std::min(std::floor(y), 7.0);
        ASSERT_EQ(image.pixels()[static_cast<std::size_t>(j * 8 + i)] == kInk, within || middle)
            << x << ' ' << y << ' ' << r << " at " << i << ' ' << j;
      }
    }
  }
}

TEST(Raster, LinesByHand) {
  Raster image(7, 5);
  image.line(0.5, 0.5, 6.5, 4.5, kInk);
  EXPECT_EQ(text_of(image), "......#\n....##.\n...#...\n.##....\n#......\n");
  const std::string rising = text_of(image);
  image.fill(kPaper);
  image.line(6.5, 4.5, 0.5, 0.5, kInk);
  EXPECT_EQ(text_of(image), rising);
  image.fill(kPaper);
  image.line(3.5, -100, 3.5, 100, kInk);
  EXPECT_EQ(text_of(image), "...#...\n...#...\n...#...\n...#...\n...#...\n");
  image.fill(kPaper);
  image.line(-1e9, 2.5, 1e9, 2.5, kInk);
  EXPECT_EQ(text_of(image), ".......\n.......\n#######\n.......\n.......\n");
  image.fill(kPaper);
  image.line(2.2, 3.7, 2.2, 3.7, kInk);
  EXPECT_EQ(text_of(image), ".......\n..#....\n.......\n.......\n.......\n");
}

TEST(Raster, LinesFollowTheirSegment) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const auto number = [&] { return static_cast<double>(random() % 4000) / 100 - 10; };
    const double x0 = number(), y0 = number(), x1 = number(), y1 = number();
    Raster image(20, 20);
    image.line(x0, y0, x1, y1, kInk);
    int painted = 0, columns = 0;
    const double longest = std::max(std::abs(x1 - x0), std::abs(y1 - y0));
    for (int j = 0; j < 20; ++j) {
      for (int i = 0; i < 20; ++i) {
        if (image.pixels()[static_cast<std::size_t>(j * 20 + i)] == kInk) {
          const double x = i + 0.5, y = 19.5 - j;
          const double cross = std::abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0));
          ASSERT_LE(cross, longest * 1.01) << "no farther than a pixel from the line";
          ++painted;
        }
      }
    }
    const bool flat = std::abs(x1 - x0) >= std::abs(y1 - y0);
    const double a = flat ? std::min(x0, x1) : std::min(y0, y1),
                 b = flat ? std::max(x0, x1) : std::max(y0, y1);
    const auto inside = [](double v) { return v >= 0 && v < 20; };
    columns = static_cast<int>(std::floor(b)) - static_cast<int>(std::floor(a)) + 1;
    if (inside(x0) && inside(x1) && inside(y0) && inside(y1)) {
      ASSERT_EQ(painted, columns) << "one pixel for each step along its longer axis";
    } else {
      ASSERT_LE(painted, columns);
    }
  }
}

TEST(Raster, OddNumbersDrawNothingOrEverything) {
  Raster image(3, 3);
  image.rect(kNan, 0, 1, 1, kInk);
  image.rect(2, 0, 1, 1, kInk);
  image.rect(0, 1e300, 1, 1e300, kInk);
  image.disc(kNan, 0, 1, kInk);
  image.disc(0, kInf, kInf, kInk);
  image.disc(-5, -5, kNan, kInk);
  image.line(0, 0, kInf, 1, kInk);
  image.line(0, kNan, 1, 1, kInk);
  EXPECT_EQ(text_of(image), "...\n...\n...\n");
  image.disc(1.5, 1.5, kNan, kInk);
  EXPECT_EQ(text_of(image), "...\n.#.\n...\n");
  image.rect(-kInf, -kInf, kInf, 1, kInk);
  EXPECT_EQ(text_of(image), "...\n.#.\n###\n");
  image.disc(1, 1, kInf, kInk);
  EXPECT_EQ(text_of(image), "###\n###\n###\n");
}

TEST(ColourOf, GrowsLighterFromEndToEnd) {
  const auto lightness = [](const Rgb& c) { return 0.299 * c.r + 0.587 * c.g + 0.114 * c.b; };
  EXPECT_EQ(colour_of(0), (Rgb{68, 1, 84}));
  EXPECT_EQ(colour_of(1), (Rgb{253, 231, 37}));
  EXPECT_EQ(colour_of(0.5).g, (130 + 145 + 1) / 2) << "between the eighth and the ninth";
  for (int i = 0; i < 1000; ++i) {
    const double here = lightness(colour_of(i / 1000.0)), next = lightness(colour_of((i + 1) / 1000.0));
    EXPECT_GE(next, here - 0.6) << i;
    EXPECT_LE(next - here, 1.5) << "no jump at " << i;
  }
  EXPECT_EQ(colour_of(-3), colour_of(0));
  EXPECT_EQ(colour_of(kNan), colour_of(0));
  EXPECT_EQ(colour_of(kInf), colour_of(1));
}

TEST(Png, IsReadBackPixelByPixel) {
  const fs::path path = fs::path(testing::TempDir()) / "raster_test.png";
  Raster image(301, 17);
  for (int i = 0; i < 301; ++i) {
    image.rect(i, 0, i + 1, i % 18, colour_of(i / 300.0));
  }
  ASSERT_TRUE(write_png(path.string(), image).has_value());
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0) << png.message;
  EXPECT_EQ(png.width, 301u);
  EXPECT_EQ(png.height, 17u);
  EXPECT_EQ(png.format & (PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_LINEAR), 0u);
  png.format = PNG_FORMAT_RGB;
  std::vector<Rgb> pixels(301 * 17);
  ASSERT_NE(png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr), 0) << png.message;
  EXPECT_TRUE(std::equal(pixels.begin(), pixels.end(), image.pixels().begin(), image.pixels().end()));
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(encode_png(image).value(), bytes);
  fs::remove(path);
}

TEST(Png, IsThereWholeOrNotAtAll) {
  const fs::path folder = fs::path(testing::TempDir()) / "raster_test_none";
  EXPECT_EQ(test::code_of(write_png((folder / "a.png").string(), Raster(2, 2))), ErrorCode::kIo);
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(test::code_of(write_png("/dev/full", Raster(2, 2))), ErrorCode::kIo);
  }
}

TEST(Raster, DiscsOfAnOpacityMixEveryPixelOnce) {
  for (const double radius : {0.0, 0.3, 1.0, 2.7, 5.0}) {
    Raster solid(9, 9), half(9, 9), none(9, 9), over(9, 9);
    solid.disc(4.2, 4.9, radius, kInk);
    half.disc(4.2, 4.9, radius, kInk, 0.5);
    none.disc(4.2, 4.9, radius, kInk, 0);
    none.disc(4.2, 4.9, radius, kInk, -1);
    none.disc(4.2, 4.9, radius, kInk, kNan);
    over.disc(4.2, 4.9, radius, kInk, 2);
    const Rgb mixed{(255 + 10 + 1) / 2, (255 + 20 + 1) / 2, (255 + 30 + 1) / 2};
    for (std::size_t i = 0; i < 81; ++i) {
      EXPECT_EQ(half.pixels()[i], solid.pixels()[i] == kInk ? mixed : kPaper);
      EXPECT_EQ(none.pixels()[i], kPaper);
      EXPECT_EQ(over.pixels()[i], solid.pixels()[i]);
    }
  }
}

}  // namespace
}  // namespace juxta
