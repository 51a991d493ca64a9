// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// RankedPoints to a file and back.

#include <algorithm>
#include <cstring>
#include <vector>

#include "juxta/core/isa.h"
#include "ranked/ranked_file.h"
#include "ranked/store.h"

namespace juxta {
namespace {

using detail::FileHeader;
using detail::FileLayout;
using detail::RankedView;

/// Everything behind the header, piece by piece: once for the checksum, once for the file. Borrowed
/// coordinates are copied together in small pieces. `sink` returns a Result<void>; the first error ends it.
template <class Sink>
Result<void> for_each_piece(const RankedView& view, const FileLayout& layout, Sink sink) {
  constexpr std::size_t kPiece = 1 << 16;
  std::vector<std::byte> piece(kPiece);
  const std::size_t scalar = view.is_double ? sizeof(double) : sizeof(float);
  const std::array<const void*, detail::kSections> sources = {
      view.x_axis.knots,  view.x_axis.filled,   view.x_axis.occupied, view.x_axis.run_end, view.y_axis.knots,
      view.y_axis.filled, view.y_axis.occupied, view.y_axis.run_end,  view.index_of,       view.xs,
      view.grid.sums,     view.lists.lengths,   view.lists.blocks,    view.tall.nodes,     view.tall.tops,
      view.tall.leaves,   view.flat.nodes,      view.flat.tops,       view.flat.leaves};
  const bool scattered =
      view.ys != view.xs + scalar || view.x_stride != 2 * scalar || view.y_stride != 2 * scalar;
  for (std::size_t s = 0; s < detail::kSections; ++s) {
    const auto* source = static_cast<const std::byte*>(sources[s]);
    const std::size_t end = s + 1 < detail::kSections ? layout.begin[s + 1] : layout.total;
    for (std::size_t done = 0; layout.begin[s] + done < end; done += kPiece) {
      const std::size_t bytes = std::min(kPiece, end - layout.begin[s] - done);
      const std::size_t filled = std::min(bytes, layout.bytes[s] - std::min(done, layout.bytes[s]));
      if (s == detail::kCoordinates && scattered) {
        for (std::size_t i = 0; i < filled / scalar; i += 2) {
          const std::size_t point = (done / scalar + i) / 2;
          std::memcpy(piece.data() + i * scalar, view.xs + point * view.x_stride, scalar);
          std::memcpy(piece.data() + (i + 1) * scalar, view.ys + point * view.y_stride, scalar);
        }
      } else {
        std::copy_n(source + done, filled, piece.begin());
      }
      std::fill_n(piece.begin() + static_cast<std::ptrdiff_t>(filled), bytes - filled, std::byte{0});
      if (auto written = sink(std::span<const std::byte>(piece).first(bytes)); !written) {
        return written;
      }
    }
  }
  return {};
}

}  // namespace

Result<void> RankedPoints::save(const std::filesystem::path& path) const {
  const RankedView& view = store_->view;
  FileHeader header{};
  header.magic = detail::kFileMagic;
  header.version = detail::kFileVersion;
  header.byte_order = detail::kByteOrder;
  header.points = view.size;
  header.scalar_bytes = view.is_double ? sizeof(double) : sizeof(float);
  header.has_order = view.index_of != nullptr;
  header.gradient = static_cast<std::uint32_t>(view.gradient);
  std::memcpy(header.bounds, view.bounds, sizeof header.bounds);
  const FileLayout layout(view.size, header.scalar_bytes, header.has_order != 0);
  const auto pieces = [&](auto sink) {
    return view.size == 0 ? Result<void>{} : for_each_piece(view, layout, sink);
  };

  std::array<std::byte, detail::kHeaderBytes> head{};
  std::memcpy(head.data(), &header, sizeof header);
  detail::Checksum sum;
  sum.add(head);
  (void)pieces([&](std::span<const std::byte> bytes) {
    sum.add(bytes);
    return Result<void>{};
  });
  header.checksum = sum.value();
  std::memcpy(head.data(), &header, sizeof header);

  return detail::AtomicFile::create(path).and_then([&](detail::AtomicFile file) {
    return file.write(head)
        .and_then([&] { return pieces([&](std::span<const std::byte> bytes) { return file.write(bytes); }); })
        .and_then([&] { return file.commit(); });
  });
}

Result<RankedPoints> RankedPoints::load(const std::filesystem::path& path) {
  const auto prefix = [&](Error error) {
    if (error.code == ErrorCode::kCorruptFile) {
      error.message = path.string() + ": " + error.message;
    }
    return error;
  };
  return active_isa()
      .and_then([&](Isa) { return detail::MappedFile::open(path); })
      .and_then([&](detail::MappedFile file) {
        return detail::view_file(file.bytes()).map([&](const RankedView& view) {
          RankedPoints points;
          points.store_->file = std::move(file);
          points.store_->view = view;
          return points;
        });
      })
      .map_error(prefix);
}

}  // namespace juxta
