// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// giflib compresses and writes the blocks. This file decides what is in them: for each frame, the rectangle
// that has changed, a palette for the pixels in it that have, and one transparent colour for those that have
// not, which compress best and stay exactly as they are.
#include "juxta/files/gif.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "files/median_cut.h"
#include "juxta/core/try.h"
#include "juxta/files/output_file.h"

namespace juxta {
namespace {

constexpr std::uint32_t kLargestSide = 65'535;
constexpr double kLongest = 600;         // seconds: a delay has 16 bits of hundredths
constexpr std::int64_t kLeastDelay = 2;  // browsers show frames of less for a tenth of a second
constexpr std::size_t kBlock = std::size_t{1} << 16;

/// Half open.
struct Area {
  std::uint32_t left, top, right, bottom;
};

/// Where two images of one size differ; one pixel where they do not, since a frame has one at least.
Area changed_area(std::span<const Rgb> before, std::span<const Rgb> now, std::uint32_t width) {
  Area area{width, 0, 0, 0};
  bool found = false;
  for (std::size_t row = 0; row * width < now.size(); ++row) {
    const auto old = before.subspan(row * width, width), fresh = now.subspan(row * width, width);
    const auto first = std::ranges::mismatch(old, fresh).in1;
    if (first == old.end()) {
      continue;
    }
    std::size_t last = width;
    while (old[last - 1] == fresh[last - 1]) {
      --last;
    }
    area.left = std::min(area.left, static_cast<std::uint32_t>(first - old.begin()));
    area.right = std::max(area.right, static_cast<std::uint32_t>(last));
    area.top = found ? area.top : static_cast<std::uint32_t>(row);
    area.bottom = static_cast<std::uint32_t>(row) + 1;
    found = true;
  }
  return found ? area : Area{0, 0, 1, 1};
}

struct FreeMap {
  void operator()(ColorMapObject* map) const noexcept { GifFreeMapObject(map); }
};
using Map = std::unique_ptr<ColorMapObject, FreeMap>;

/// With room for one colour more, the transparent one, if `transparent`. Null: no memory.
Map map_of(std::span<const Rgb> colours, bool transparent) {
  std::array<GifColorType, 256> entries{};
  std::ranges::transform(colours, entries.begin(), [](Rgb c) { return GifColorType{c.r, c.g, c.b}; });
  const std::size_t needed = std::max<std::size_t>(colours.size() + (transparent ? 1 : 0), 2);
  return Map(GifMakeMapObject(static_cast<int>(std::bit_ceil(needed)), entries.data()));
}

}  // namespace

struct GifWriter::Impl {
  Impl(OutputFile with, std::uint32_t w, std::uint32_t h) : file(std::move(with)), width(w), height(h) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    done = true;
    static_cast<void>(close());
  }

  OutputFile file;
  std::uint32_t width, height;
  GifFileType* gif = nullptr;
  std::string block;             // not written yet
  std::optional<Error> trouble;  // of the file; giflib itself knows no more than that there was some
  std::vector<Rgb> shown;        // the frame before; empty: none
  double wanted = 0;             // hundredths of a second of all frames
  std::int64_t given = 0;        // of them in the file
  bool done = false;

  /// giflib's way out.
  static int take(GifFileType* gif, const GifByteType* bytes, int count) {
    auto& self = *static_cast<Impl*>(gif->UserData);
    self.block.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
    return self.block.size() < kBlock || self.flush() ? count : 0;
  }
  bool flush() {
    if (!trouble && !done) {
      if (auto written = file.write(block); !written) {
        trouble = std::move(written.error());
      }
    }
    block.clear();
    return !trouble;
  }
  /// Ends the stream and frees what giflib has.
  Result<void> close() {
    if (gif == nullptr) {
      return {};
    }
    int code = 0;
    const bool closed = EGifCloseFile(std::exchange(gif, nullptr), &code) == GIF_OK;
    return flush() && closed ? Result<void>() : wrong(code);
  }
  [[nodiscard]] tl::unexpected<Error> wrong(int code) const {
    if (trouble) {
      return tl::unexpected<Error>(*trouble);
    }
    const char* const said = GifErrorString(code);
    return fail(ErrorCode::kIo,
                std::string("cannot encode as GIF: ") + (said != nullptr ? said : "giflib failed"));
  }

  /// Size, and that it plays again and again: the extension that all programs have taken over from Netscape.
  Result<void> begin() {
    EGifSetGifVersion(gif, true);
    const std::array<GifByteType, 3> forever = {1, 0, 0};
    const bool written =
        EGifPutScreenDesc(gif, static_cast<int>(width), static_cast<int>(height), 8, 0, nullptr) == GIF_OK &&
        EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
        EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
        EGifPutExtensionBlock(gif, static_cast<int>(forever.size()), forever.data()) == GIF_OK &&
        EGifPutExtensionTrailer(gif) == GIF_OK;
    return written ? Result<void>() : wrong(gif->Error);
  }

  /// Hundredths of a second of a frame that is to be shown for so long.
  int delay_of(double seconds) {
    wanted += 100 * seconds;
    const std::int64_t delay = std::max<std::int64_t>(std::llround(wanted) - given, kLeastDelay);
    given += delay;
    return static_cast<int>(std::min<std::int64_t>(delay, kLargestSide));
  }

  Result<void> put(std::span<const Rgb> now, const Area& area, int delay) {
    const bool first = shown.empty();
    std::vector<Rgb> fresh;  // pixels that have changed
    for (std::size_t row = area.top; row < area.bottom; ++row) {
      for (std::size_t i = row * width + area.left; i < row * width + area.right; ++i) {
        if (first || !(now[i] == shown[i])) {
          fresh.push_back(now[i]);
        }
      }
    }
    const files_detail::Palette palette(fresh, first ? 256 : 255);
    const auto clear = static_cast<std::uint8_t>(palette.colours().size());
    const Map map = map_of(palette.colours(), !first);
    if (map == nullptr || !put_head(area, delay, first ? NO_TRANSPARENT_COLOR : clear, *map)) {
      return wrong(map == nullptr ? E_GIF_ERR_NOT_ENOUGH_MEM : gif->Error);
    }
    std::vector<GifPixelType> line(area.right - area.left);
    for (std::size_t row = area.top; row < area.bottom; ++row) {
      for (std::size_t i = 0; i < line.size(); ++i) {
        const std::size_t at = row * width + area.left + i;
        line[i] = first || !(now[at] == shown[at]) ? palette.index_of(now[at]) : clear;
      }
      if (EGifPutLine(gif, line.data(), static_cast<int>(line.size())) != GIF_OK) {
        return wrong(gif->Error);
      }
    }
    return {};
  }

  bool put_head(const Area& area, int delay, int transparent, const ColorMapObject& map) {
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, delay, transparent};
    std::array<GifByteType, 4> bytes{};
    const std::size_t count = EGifGCBToExtension(&control, bytes.data());
    return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(count), bytes.data()) == GIF_OK &&
           EGifPutImageDesc(gif, static_cast<int>(area.left), static_cast<int>(area.top),
                            static_cast<int>(area.right - area.left),
                            static_cast<int>(area.bottom - area.top), false, &map) == GIF_OK;
  }
};

GifWriter::GifWriter(Owned<Impl> impl) noexcept : impl_(std::move(impl)) {}
GifWriter::GifWriter(GifWriter&&) noexcept = default;
GifWriter::~GifWriter() = default;

bool has_gif() noexcept {
  return true;
}

Result<GifWriter> GifWriter::open(std::string_view path, std::uint32_t width, std::uint32_t height) {
  if (width == 0 || height == 0 || width > kLargestSide || height > kLargestSide) {
    return fail(ErrorCode::kInvalidArgument,
                "a GIF of " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels cannot be: give from 1 to " + std::to_string(kLargestSide) + " for each side");
  }
  JUXTA_TRY_LET(auto file, OutputFile::open(path));
  auto impl = make_owned<Impl>(std::move(file), width, height);
  int code = 0;
  impl->gif = EGifOpen(impl.get(), &Impl::take, &code);
  if (impl->gif == nullptr) {
    return impl->wrong(code);
  }
  JUXTA_TRY(impl->begin());
  return GifWriter(std::move(impl));
}

Result<void> GifWriter::write(const Raster& frame, double seconds) {
  Impl& gif = *impl_;
  if (frame.width() != gif.width || frame.height() != gif.height) {
    return fail(ErrorCode::kInvalidArgument, "every frame of a GIF has the size that it was opened with");
  }
  if (!(seconds >= 0 && seconds <= kLongest)) {
    return fail(ErrorCode::kInvalidArgument, "a frame of a GIF is shown for 0 to 600 seconds");
  }
  const Area area = gif.shown.empty() ? Area{0, 0, gif.width, gif.height}
                                      : changed_area(gif.shown, frame.pixels(), gif.width);
  JUXTA_TRY(gif.put(frame.pixels(), area, gif.delay_of(seconds)));
  gif.shown.assign(frame.pixels().begin(), frame.pixels().end());
  return {};
}

Result<void> GifWriter::commit() {
  if (impl_->shown.empty()) {
    return fail(ErrorCode::kInvalidArgument, "a GIF has at least one frame");
  }
  JUXTA_TRY(impl_->close());
  impl_->done = true;
  return impl_->file.commit();
}

}  // namespace juxta
