// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// RankedPoints to a file and back.

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/path.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "ranked/ranked_file.h"
#include "ranked/store.h"

namespace juxta {
namespace {

using ranked_detail::FileHeader;
using ranked_detail::FileLayout;
using ranked_detail::RankedView;

/// Coordinates that stand anywhere, x and y of each point side by side, in small pieces.
Result<void> put_coordinates(const RankedView& view, std::size_t bytes, core_detail::FlatSink sink) {
  constexpr std::size_t kPiece = 1 << 16;
  std::vector<std::byte> piece(kPiece);
  const std::size_t scalar = view.is_double ? sizeof(double) : sizeof(float);
  for (std::size_t done = 0; done < bytes; done += kPiece) {
    const std::size_t filled = std::min(kPiece, bytes - done);
    for (std::size_t i = 0; i < filled / scalar; i += 2) {
      const std::size_t point = (done / scalar + i) / 2;
      std::memcpy(piece.data() + i * scalar, view.xs + point * view.x_stride, scalar);
      std::memcpy(piece.data() + (i + 1) * scalar, view.ys + point * view.y_stride, scalar);
    }
    // A whole piece is a multiple of a section's alignment, so that only the last one gets zeros.
    if (auto written = core_detail::put_section(std::span<const std::byte>(piece).first(filled), sink);
        !written) {
      return written;
    }
  }
  return {};
}

/// Where the bytes of each section are.
std::array<const void*, ranked_detail::kSections> sources_of(const RankedView& view) {
  // The arrays of all categories stand behind those of the first one.
  const RankedView first = view.categories.used != 0 ? view.categories.subsets[0] : RankedView{};
  std::array<const void*, ranked_detail::kSections> sources = {view.x_axis.knots,
                                                               view.x_axis.filled,
                                                               view.x_axis.occupied,
                                                               view.x_axis.run_end,
                                                               view.y_axis.knots,
                                                               view.y_axis.filled,
                                                               view.y_axis.occupied,
                                                               view.y_axis.run_end,
                                                               view.index_of,
                                                               view.xs,
                                                               view.grid.sums,
                                                               view.lists.lengths,
                                                               view.lists.blocks,
                                                               view.tall.nodes,
                                                               view.tall.tops,
                                                               view.tall.leaves,
                                                               view.flat.nodes,
                                                               view.flat.tops,
                                                               view.flat.leaves,
                                                               view.levels.cells,
                                                               view.levels.blocks,
                                                               first.tall.nodes,
                                                               first.tall.tops,
                                                               first.tall.leaves,
                                                               first.lists.lengths,
                                                               first.lists.blocks,
                                                               view.categories.node_masks,
                                                               view.categories.top_bits,
                                                               view.categories.leaf_bits,
                                                               view.ranks,
                                                               view.best.blocks,
                                                               view.best.quanta[0],
                                                               view.best.quanta[1],
                                                               view.best.bits};
  for (std::size_t i = 0; i < view.values.count; ++i) {
    const ranked_detail::ValueView& v = view.values.column[i];
    const std::array<const void*, ranked_detail::kValueSections> own = {
        v.numbers, v.knots,      v.highest,       v.begin,         v.leaf_quanta, v.top_quanta,
        v.bounds,  v.run.blocks, v.run.quanta[0], v.run.quanta[1], v.run.bits};
    std::ranges::copy(own, sources.begin() + ranked_detail::section_of(i, ranked_detail::kNumbers));
  }
  return sources;
}

/// Everything behind the header, section by section.
Result<void> put_sections(const RankedView& view, const FileLayout& layout, core_detail::FlatSink sink) {
  const std::size_t scalar = view.is_double ? sizeof(double) : sizeof(float);
  const auto sources = sources_of(view);
  const bool scattered =
      view.ys != view.xs + scalar || view.x_stride != 2 * scalar || view.y_stride != 2 * scalar;
  for (std::size_t s = 0; s < ranked_detail::kSections; ++s) {
    auto written = s == ranked_detail::kCoordinates && scattered
                       ? put_coordinates(view, static_cast<std::size_t>(layout.bytes[s]), sink)
                       : core_detail::put_section({static_cast<const std::byte*>(sources[s]),
                                                   static_cast<std::size_t>(layout.bytes[s])},
                                                  sink);
    if (!written) {
      return written;
    }
  }
  return {};
}

/// Puts the file in front of what is said of its contents.
auto in_file(std::string_view path) {
  return [path](Error error) {
    if (error.code == ErrorCode::kCorruptFile) {
      error.message = std::string(path) + ": " + error.message;
    }
    return error;
  };
}

}  // namespace

Result<void> RankedPoints::save(std::string_view path, std::span<const std::byte> attachment) const {
  if (store_->chunks != nullptr) {  // damage does not get fresh sums
    JUXTA_TRY(store_->chunks->check_all().map_error(in_file(store_->path)));
  }
  const RankedView& view = store_->view;
  FileHeader header{};
  header.magic = ranked_detail::kFileMagic;
  header.version = ranked_detail::kFileVersion;
  header.byte_order = core_detail::kByteOrder;
  header.points = view.size;
  header.scalar_bytes = view.is_double ? sizeof(double) : sizeof(float);
  header.has_order = view.index_of != nullptr;
  header.gradient = static_cast<std::uint32_t>(view.gradient);
  header.rank_type = view.ranks == nullptr ? 0 : 1 + static_cast<std::uint32_t>(view.rank_type);
  std::memcpy(header.bounds, view.bounds, sizeof header.bounds);
  header.attachment_bytes = attachment.size();
  header.categories = view.categories.used;
  const std::size_t categories = view.categories.count();
  for (std::size_t bit = 0; bit < categories; ++bit) {
    header.category_points[bit] = static_cast<std::uint32_t>(view.categories.subsets[bit].size);
  }
  for (std::size_t i = 0; i < view.values.count; ++i) {
    header.value_types[i] = 1 + static_cast<std::uint32_t>(view.values.column[i].type);
  }
  const FileLayout layout(header);
  std::array<std::byte, core_detail::kHeaderBytes> head{};
  std::memcpy(head.data(), &header, sizeof header);
  return ranked_detail::kRankedFormat.save(path_of(path), head, [&](core_detail::FlatSink sink) {
    auto put = view.size == 0 ? Result<void>{} : put_sections(view, layout, sink);
    return put ? core_detail::put_section(attachment, sink) : put;
  });
}

Result<RankedPoints> RankedPoints::load(std::string_view path, FileCheck check) {
  const auto map = [&]() -> Result<core_detail::MappedFile> {
    JUXTA_TRY(active_isa());
    if (check == FileCheck::kAsRead) {
      if (auto file = core_detail::MappedFile::open(path_of(path), ranked_detail::kReachOfNames)) {
        return file;
      }
      check = FileCheck::kWhole;  // there are not as many addresses (ulimit -v), or no such file
    }
    return core_detail::MappedFile::open(path_of(path));
  };
  return map()
      .and_then([&](core_detail::MappedFile file) {
        return ranked_detail::view_file(file.bytes(), check).map([&](ranked_detail::FileContents&& contents) {
          RankedPoints points;
          points.store_->file = std::move(file);
          points.store_->path = path;
          points.store_->chunks = std::move(contents.chunks);
          points.store_->view = contents.view;
          points.store_->categories.subsets = std::move(contents.subsets);
          points.store_->view.categories = contents.categories;
          points.store_->attachment = contents.attachment;
          return points;
        });
      })
      .map_error(in_file(path));
}

Result<void> RankedPoints::check_read() const {
  return store_->chunks == nullptr ? Result<void>{}
                                   : store_->chunks->check_read().map_error(in_file(store_->path));
}

Result<void> RankedPoints::copy_attachment(std::size_t at, std::span<std::byte> out) const {
  const std::span<const std::byte> all = store_->attachment;
  if (at > all.size() || out.size() > all.size() - at) {
    return fail(ErrorCode::kInvalidArgument,
                "the attachment has " + std::to_string(all.size()) + " bytes, not as many as are asked for");
  }
  if (store_->chunks == nullptr) {
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), out.size(), out.begin());
    return {};
  }
  const auto begin = static_cast<std::size_t>(all.data() - store_->file.bytes().data());
  return store_->chunks->copy(store_->file, begin + at, out).map_error([&](Error error) {
    error.message = store_->path + ": " + error.message;
    return error;
  });
}

}  // namespace juxta
