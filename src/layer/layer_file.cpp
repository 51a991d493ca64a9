// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer/layer_file.h"
#include "juxta/core/try.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace juxta::layer_detail {

LayerFileLayout::LayerFileLayout(const LayerFileHeader& header) noexcept {
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  const std::size_t block = header.dimensions == 2 ? sizeof(BoxBlock<2>) : sizeof(BoxBlock<3>);
  bytes[kLayerBlocks] = plan_block_tree(header.lanes).total * block;
  bytes[kLayerBodyOf] = header.lanes * kWord;
  bytes[kLayerLaneOf] = header.numbers * kWord;
  bytes[kLayerCategory] = bytes[kLayerMask] =
      (header.flags & kFileFiltered) != 0 ? header.lanes * kWord : std::size_t{0};
  bytes[kLayerGenerations] = bytes[kLayerLinks] =
      (header.flags & kFileHasIds) != 0 ? header.numbers * kWord : std::size_t{0};
  place();
}

namespace {

constexpr std::uint64_t kMost = 0xFFFF'FFFE;

template <int D>
Aabb<D> nothing() noexcept {
  constexpr float kBeyond = std::numeric_limits<float>::infinity();
  return {Vec<D>::all(kBeyond), Vec<D>::all(-kBeyond)};
}

template <int D>
bool finite(const Aabb<D>& box) noexcept {
  bool all = true;
  for (int axis = 0; axis < D; ++axis) {
    all = all && std::isfinite(box.lo[axis]) && std::isfinite(box.hi[axis]);
  }
  return all;
}

template <int D>
Aabb<D> bounds_of(const BoxBlock<D>& block) noexcept {
  Aabb<D> bounds = nothing<D>();
  for (int axis = 0; axis < D; ++axis) {
    for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      bounds.lo[axis] = std::min(bounds.lo[axis], block.lo[axis][lane]);
      bounds.hi[axis] = std::max(bounds.hi[axis], block.hi[axis][lane]);
    }
  }
  return bounds;
}

bool makes_sense(const LayerFileHeader& header, std::uint32_t dimensions) noexcept {
  const bool has_ids = (header.flags & kFileHasIds) != 0;
  return header.dimensions == dimensions && header.flags <= (kFileFiltered | kFileHasIds) &&
         header.lanes <= kMost && header.lanes % kBlockLanes == 0 && header.numbers <= kMost &&
         header.bodies <= header.numbers && (has_ids || header.bodies == header.numbers) &&
         header.sorted_end <= header.tail_end && header.tail_end <= header.lane_end &&
         header.lane_end <= header.lanes && std::isfinite(header.edges_at_sort) &&
         std::isfinite(header.edges) && (has_ids || header.first_free == IdTable::kNone);
}

/// Reads one file; every check names the section that failed.
template <int D>
class LayerReader {
 public:
  LayerReader(std::span<const std::byte> file, const LayerFileHeader& header,
              const LayerFileLayout& layout) noexcept
      : file_(file),
        header_(header),
        layout_(layout),
        body_of_(section<std::uint32_t>(kLayerBodyOf)),
        lane_of_(section<std::uint32_t>(kLayerLaneOf)),
        generations_(section<std::uint32_t>(kLayerGenerations)),
        links_(section<std::uint32_t>(kLayerLinks)),
        blocks_(section<BoxBlock<D>>(kLayerBlocks)),
        // The tree only looks here, though its pointers would allow to write.
        tree_(plan_block_tree(header.lanes), const_cast<BoxBlock<D>*>(blocks_.data())) {}

  Result<void> read(LayerStore<D>& store) const {
    if (!places_are_sound()) {
      return kLayerFormat.corrupt("bodies and lanes contradict each other", layout_.begin[kLayerBodyOf]);
    }
    if (!boxes_are_sound()) {
      return kLayerFormat.corrupt("a box is not finite or inverted, or stands where no body is",
                                  layout_.begin[kLayerBlocks]);
    }
    if (!bounds_are_sound()) {
      return kLayerFormat.corrupt("the bounds in the tree are not those of the boxes",
                                  layout_.begin[kLayerBlocks]);
    }
    if (!ids_are_sound()) {
      return kLayerFormat.corrupt("the Ids and the bodies contradict each other",
                                  layout_.begin[kLayerGenerations]);
    }
    return fill(store);
  }

 private:
  template <class T>
  std::span<const T> section(LayerSection which) const noexcept {
    return {reinterpret_cast<const T*>(file_.data() + layout_.begin[which]),
            static_cast<std::size_t>(layout_.bytes[which] / sizeof(T))};
  }

  std::uint32_t body_in(std::size_t lane) const noexcept {
    return lane < body_of_.size() ? body_of_[lane] : kNoBody;
  }

  /// lane_of and body_of are each other's inverse, and nothing lies behind lane_end.
  bool places_are_sound() const noexcept {
    std::size_t living = 0, strays = 0;
    for (std::size_t lane = 0; lane < body_of_.size(); ++lane) {
      const std::uint32_t body = body_of_[lane];
      if (body == kNoBody) {
        continue;
      }
      if (lane >= header_.lane_end || body >= lane_of_.size() || lane_of_[body] != lane) {
        return false;
      }
      ++living;
      strays += lane >= header_.sorted_end;
    }
    const auto dead = static_cast<std::size_t>(std::count(lane_of_.begin(), lane_of_.end(), kNoBody));
    // Distinct lanes have distinct bodies by now; as many numbers as bodies leaves none that points astray.
    return living == header_.bodies && strays == header_.strays && lane_of_.size() - dead == living;
  }

  bool boxes_are_sound() const noexcept {
    const std::size_t blocks = tree_.levels == 0 ? 0 : tree_.blocks[0];
    for (std::size_t lane = 0; lane < blocks * kBlockLanes; ++lane) {
      const auto box = blocks_[lane / kBlockLanes].box(static_cast<std::uint32_t>(lane % kBlockLanes));
      if (body_in(lane) == kNoBody ? box != nothing<D>() : !finite(box) || box.empty()) {
        return false;
      }
    }
    return true;
  }

  /// Every level holds exactly the bounds of the blocks below.
  bool bounds_are_sound() const noexcept {
    for (std::uint32_t level = 1; level < tree_.levels; ++level) {
      for (std::size_t child = 0; child < std::size_t{tree_.blocks[level]} * kBlockLanes; ++child) {
        const Aabb<D> due =
            child < tree_.blocks[level - 1] ? bounds_of(tree_.level[level - 1][child]) : nothing<D>();
        const auto lane = static_cast<std::uint32_t>(child % kBlockLanes);
        if (tree_.level[level][child / kBlockLanes].box(lane) != due) {
          return false;
        }
      }
    }
    return true;
  }

  /// A number has a living Id exactly when it has a lane. (Whether the Ids are sound in themselves,
  /// IdTable::restore() decides.)
  bool ids_are_sound() const noexcept {
    for (std::size_t body = 0; body < generations_.size(); ++body) {
      if (((generations_[body] & 1) != 0) != (lane_of_[body] != kNoBody)) {
        return false;
      }
    }
    return true;
  }

  template <class T>
  void copy(LayerSection which, Array<T>& to) const {
    const std::span<const T> from = section<T>(which);
    to.resize_discard(from.size());
    std::copy(from.begin(), from.end(), to.begin());
  }

  Result<void> fill(LayerStore<D>& store) const {
    store.filtered = (header_.flags & kFileFiltered) != 0;
    store.has_ids = (header_.flags & kFileHasIds) != 0;
    if (store.has_ids) {
      auto ids = IdTable::restore({generations_, links_, header_.first_free}, store.memory);
      if (!ids) {
        return kLayerFormat.corrupt(ids.error().message, layout_.begin[kLayerGenerations]);
      }
      store.ids = std::move(*ids);
    }
    copy(kLayerBlocks, store.blocks);
    copy(kLayerBodyOf, store.body_of);
    copy(kLayerLaneOf, store.lane_of);
    copy(kLayerCategory, store.category);
    copy(kLayerMask, store.mask);
    store.tree = BlockTree<D>(plan_block_tree(header_.lanes), store.blocks.data());
    store.bodies = header_.bodies;
    store.sorted_end = header_.sorted_end;
    store.tail_end = header_.tail_end;
    store.lane_end = header_.lane_end;
    store.strays = header_.strays;
    store.sorts = header_.sorts;
    store.edges_at_sort = header_.edges_at_sort;
    store.edges = header_.edges;
    return {};
  }

  std::span<const std::byte> file_;
  const LayerFileHeader& header_;
  const LayerFileLayout& layout_;
  std::span<const std::uint32_t> body_of_, lane_of_, generations_, links_;
  std::span<const BoxBlock<D>> blocks_;
  BlockTree<D> tree_;
};

}  // namespace

template <int D>
Result<void> read_layer(std::span<const std::byte> file, LayerStore<D>& store) {
  JUXTA_TRY(kLayerFormat.check_head(file));
  LayerFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.dimensions != D) {
    return kLayerFormat.corrupt(
        "this layer has " + std::to_string(header.dimensions) + " dimensions, not " + std::to_string(D),
        offsetof(LayerFileHeader, dimensions));
  }
  if (!makes_sense(header, D)) {
    return kLayerFormat.corrupt("the counts in the header make no sense", offsetof(LayerFileHeader, flags));
  }
  if (!core_detail::may_hold(file, header.lanes, sizeof(BoxBlock<D>) / kBlockLanes) ||
      !core_detail::may_hold(file, header.numbers, sizeof(std::uint32_t))) {
    return kLayerFormat.corrupt("the file has fewer bytes than the counts in its header ask for",
                                offsetof(LayerFileHeader, lanes));
  }
  const LayerFileLayout layout(header);
  JUXTA_TRY(kLayerFormat.check_whole(file, layout.total));
  return LayerReader<D>(file, header, layout).read(store);
}

template Result<void> read_layer(std::span<const std::byte>, LayerStore<2>&);
template Result<void> read_layer(std::span<const std::byte>, LayerStore<3>&);

}  // namespace juxta::layer_detail
