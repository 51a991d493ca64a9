// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A hierarchy to a file and back.

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "core/os.h"
#include "core/path.h"
#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/hierarchy_file.h"
#include "transform/links.h"
#include "transform/tile_file.h"

namespace juxta {
namespace {

using core_detail::FlatSink;
using transform_detail::HierarchyStore;
using transform_detail::LinkRecord;

/// Elements of a section that are put at once: a multiple of 64 bytes of whatever kind.
constexpr std::size_t kPiece = 4096;

Result<void> put_words(std::span<const std::uint32_t> words, core_detail::FlatSink sink) {
  return core_detail::put_section(std::as_bytes(words), sink);
}

/// Nothing was computed for a new node yet: its row holds what the memory held, which must not decide what
/// the file holds.
void forget_unknown_worlds(const HierarchyStore& store, const transform_detail::Tile& tile,
                           transform_detail::TileRecord& record) {
  for (std::uint32_t w = 0; w < transform_detail::kTileWords; ++w) {
    transform_detail::for_each_bit(tile.live.words[w], w * 64, [&](std::uint32_t row) {
      // Otherwise its user wrote it with set_world().
      if (tile.version_of(row) == 0 && (tile.written.test(row) || store.kept_of(tile, row))) {
        record.world[row] = {{0, 0, 0, 0}, {0, 0, 0}, 0};
      }
    });
  }
}

Result<void> put_tiles(const HierarchyStore& store, core_detail::FlatSink sink) {
  const auto record = std::make_unique<transform_detail::TileRecord>();
  for (std::uint32_t number = 0; number < store.tiles.size(); ++number) {
    if (store.tiles[number] != nullptr) {
      to_record(*store.tiles[number], number, *record);
      forget_unknown_worlds(store, *store.tiles[number], *record);
      JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(record.get(), 1)), sink));
    }
  }
  return {};
}

Result<void> put_history(const HierarchyStore& store, core_detail::FlatSink sink) {
  const auto history = std::make_unique<transform_detail::TileHistory>();
  for (const transform_detail::Tile* tile : store.tiles) {
    if (tile != nullptr && store.history) {
      to_record(*tile, *history);
      JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(history.get(), 1)), sink));
    }
  }
  return {};
}

/// A section of `count` elements, each made by `make(i)`.
template <class T, class Make>
Result<void> put_each(std::size_t count, core_detail::FlatSink sink, Make&& make) {
  std::vector<T> piece(std::min(count, kPiece));
  for (std::size_t first = 0; first < count; first += kPiece) {
    const std::size_t size = std::min(kPiece, count - first);
    for (std::size_t i = 0; i < size; ++i) {
      piece[i] = make(first + i);
    }
    JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(piece).first(size)), sink));
  }
  return {};
}

/// Free links hold what they once were: zeros go to the file, so that the same history gives the same bytes.
LinkRecord record_of(const transform_detail::Link& link, std::uint32_t depth) noexcept {
  return link.nodes == 0 ? LinkRecord{transform_detail::kNoRow, 0, 0, link.next, 0, 0}
                         : LinkRecord{link.parent_row, link.first, link.span, link.next, depth, 0};
}

/// By ascending slots.
Result<void> put_kept(const HierarchyStore& store, core_detail::FlatSink sink) {
  std::vector<transform_detail::KeptRecord> records;
  for (const auto& [slot, world] : store.kept) {
    records.push_back({world, slot, 0});
  }
  std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
  return core_detail::put_section(std::as_bytes(std::span(records)), sink);
}

Result<void> put_destroyed(const HierarchyStore& store, core_detail::FlatSink sink) {
  return put_each<transform_detail::DestroyedRecord>(store.destroyed.size(), sink, [&](std::size_t i) {
    const transform_detail::Destroyed& one = store.destroyed[i];
    return transform_detail::DestroyedRecord{one.id.slot, one.id.generation, one.version, 0};
  });
}

Result<void> put_vacant(const HierarchyStore& store, core_detail::FlatSink sink) {
  std::vector<transform_detail::VacantRecord> records;
  for (const auto& [shape, places] : store.vacancies.all()) {
    records.push_back({shape, transform_detail::kNoRow, 0});
    for (const transform_detail::Row row : places) {
      records.push_back({shape, row, 0});
    }
  }
  return core_detail::put_section(std::as_bytes(std::span(records)), sink);
}

Result<void> put_sections(const HierarchyStore& store, std::span<const std::uint32_t> depths,
                          core_detail::FlatSink sink) {
  return put_tiles(store, sink)
      .and_then([&] { return put_history(store, sink); })
      .and_then([&] { return put_words(store.free_tiles, sink); })
      .and_then([&] { return put_words(store.dirty, sink); })
      .and_then([&] {
        return put_each<transform_detail::Slot>(store.slots.size(), sink, [&](std::size_t i) {
          const transform_detail::Slot slot = store.slots[static_cast<std::uint32_t>(i)];
          return slot.generation == 0 ? transform_detail::Slot{0, transform_detail::kNoRow} : slot;
        });
      })
      .and_then([&] {
        return put_each<LinkRecord>(store.links.size(), sink, [&](std::size_t i) {
          return i == 0 ? LinkRecord{} : record_of(store.links[static_cast<std::uint32_t>(i)], depths[i]);
        });
      })
      .and_then([&] { return put_kept(store, sink); })
      .and_then([&] { return put_destroyed(store, sink); })
      .and_then([&] { return put_vacant(store, sink); });
}

transform_detail::HierarchyFileHeader header_of(const HierarchyStore& store,
                                                std::span<const std::uint32_t> depths) noexcept {
  transform_detail::HierarchyFileHeader header{};
  header.magic = transform_detail::kHierarchyFormat.magic;
  header.format = transform_detail::kHierarchyFormat.version;
  header.byte_order = core_detail::kByteOrder;
  header.flags = (store.history ? transform_detail::kFileHistory : 0) |
                 (store.keeps_destroyed ? transform_detail::kFileDestroyed : 0) |
                 (store.side_by_side ? 0 : transform_detail::kFileRows);
  header.tiles = static_cast<std::uint32_t>(store.tiles_in_use());
  header.free_tiles = static_cast<std::uint32_t>(store.free_tiles.size());
  header.slots = store.slots.size();
  header.links = store.links.size();
  header.depths = std::max(static_cast<std::uint32_t>(store.queues.size()),
                           depths.size() > 1 ? *std::max_element(depths.begin(), depths.end()) + 1 : 0);
  header.dirty = static_cast<std::uint32_t>(store.dirty.size());
  header.version = store.version;
  header.open = store.open;
  header.filled = store.filled;
  header.cursor = store.cursor;
  header.first_free_slot = store.first_free_slot;
  header.first_free_link = store.first_free_link;
  header.kept = static_cast<std::uint32_t>(store.kept.size());
  header.debt = store.debt;
  header.moved = store.moved;
  header.generation = store.first_generation - 1;
  header.destroyed = store.destroyed.size();
  header.forgotten = store.forgotten;
  header.vacant = store.vacancies.records();
  return header;
}

}  // namespace

Result<void> Hierarchy::save(std::string_view path) const {
  const std::vector<std::uint32_t> depths = settled_depths(*store_);
  const transform_detail::HierarchyFileHeader header = header_of(*store_, depths);
  std::array<std::byte, core_detail::kHeaderBytes> head{};
  std::memcpy(head.data(), &header, sizeof header);
  return transform_detail::kHierarchyFormat.save(
      path_of(path), head, [&](core_detail::FlatSink sink) { return put_sections(*store_, depths, sink); });
}

Result<Hierarchy> Hierarchy::load(std::string_view path, std::pmr::memory_resource* resource) {
  const auto prefix = [&](Error error) {
    if (error.code == ErrorCode::kCorruptFile) {
      error.message = std::string(path) + ": " + error.message;
    }
    return error;
  };
  return core_detail::MappedFile::open(path_of(path))
      .and_then([&](core_detail::MappedFile file) -> Result<Hierarchy> {
        JUXTA_TRY_LET(const HierarchyOptions options, transform_detail::options_of(file.bytes()));
        Hierarchy hierarchy(options, resource);
        JUXTA_TRY(transform_detail::read_hierarchy(file.bytes(), *hierarchy.store_));
        return hierarchy;
      })
      .map_error(prefix);
}

}  // namespace juxta
