// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A layer to a file and back.

#include <algorithm>
#include <array>
#include <cstring>

#include "core/os.h"
#include "core/path.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "layer/layer_file.h"

namespace juxta {
namespace {

using core_detail::FlatSink;
using layer_detail::LayerStore;

/// Filter bits lane by lane. What stands in lanes without a body is left over from earlier ones: zeros go to
/// the file, so that the same history gives the same bytes.
Result<void> put_filter_bits(std::span<const std::uint32_t> bits, std::span<const std::uint32_t> body_of,
                             core_detail::FlatSink sink) {
  std::array<std::uint32_t, 4096> piece;
  for (std::size_t first = 0; first < bits.size(); first += piece.size()) {
    const std::size_t count = std::min(piece.size(), bits.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      piece[i] = body_of[first + i] == kNoBody ? 0 : bits[first + i];
    }
    JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(piece).first(count)), sink));
  }
  return {};
}

template <int D>
Result<void> put_sections(const LayerStore<D>& store, core_detail::FlatSink sink) {
  const auto words = [&](std::span<const std::uint32_t> section) {
    return core_detail::put_section(std::as_bytes(section), sink);
  };
  const std::size_t lanes = store.body_of.size(), blocks = plan_block_tree(lanes).total;
  const auto filter_bits = [&](const Array<std::uint32_t>& bits) {
    return store.filtered ? put_filter_bits(bits.span().first(lanes), store.body_of.span(), sink)
                          : Result<void>{};
  };
  return core_detail::put_section(std::as_bytes(store.blocks.span().first(blocks)), sink)
      .and_then([&] { return words(store.body_of.span()); })
      .and_then([&] { return words(store.lane_of.span()); })
      .and_then([&] { return filter_bits(store.category); })
      .and_then([&] { return filter_bits(store.mask); })
      .and_then([&] { return store.has_ids ? words(store.ids.state().generations) : Result<void>{}; })
      .and_then([&] { return store.has_ids ? words(store.ids.state().links) : Result<void>{}; });
}

template <int D>
layer_detail::LayerFileHeader header_of(const LayerStore<D>& store) noexcept {
  layer_detail::LayerFileHeader header{};
  header.magic = layer_detail::kLayerFormat.magic;
  header.version = layer_detail::kLayerFormat.version;
  header.byte_order = core_detail::kByteOrder;
  header.dimensions = D;
  header.flags =
      (store.filtered ? layer_detail::kFileFiltered : 0) | (store.has_ids ? layer_detail::kFileHasIds : 0);
  header.lanes = store.body_of.size();
  header.numbers = store.lane_of.size();
  header.bodies = store.bodies;
  header.sorted_end = store.sorted_end;
  header.tail_end = store.tail_end;
  header.lane_end = store.lane_end;
  header.strays = store.strays;
  header.sorts = store.sorts;
  header.edges_at_sort = store.edges_at_sort;
  header.edges = store.edges;
  header.first_free = store.has_ids ? store.ids.state().first_free : IdTable::kNone;
  return header;
}

}  // namespace

template <int D>
Result<void> BasicLayer<D>::save(std::string_view path) const {
  const layer_detail::LayerFileHeader header = header_of(*store_);
  std::array<std::byte, core_detail::kHeaderBytes> head{};
  std::memcpy(head.data(), &header, sizeof header);
  return layer_detail::kLayerFormat.save(
      path_of(path), head, [&](core_detail::FlatSink sink) { return put_sections(*store_, sink); });
}

template <int D>
Result<BasicLayer<D>> BasicLayer<D>::load(std::string_view path, std::pmr::memory_resource* resource) {
  const auto prefix = [&](Error error) {
    if (error.code == ErrorCode::kCorruptFile) {
      error.message = std::string(path) + ": " + error.message;
    }
    return error;
  };
  return active_isa()
      .and_then([&](Isa) { return core_detail::MappedFile::open(path_of(path)); })
      .and_then([&](core_detail::MappedFile file) -> Result<BasicLayer> {
        BasicLayer layer(resource);
        JUXTA_TRY(layer_detail::read_layer(file.bytes(), *layer.store_));
        return layer;
      })
      .map_error(prefix);
}

template JUXTA_API Result<void> BasicLayer<2>::save(std::string_view) const;
template JUXTA_API Result<void> BasicLayer<3>::save(std::string_view) const;
template JUXTA_API Result<BasicLayer<2>> BasicLayer<2>::load(std::string_view, std::pmr::memory_resource*);
template JUXTA_API Result<BasicLayer<3>> BasicLayer<3>::load(std::string_view, std::pmr::memory_resource*);

}  // namespace juxta
