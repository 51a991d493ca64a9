// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A hierarchy to a file and back.

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "core/os.h"
#include "juxta/transform/hierarchy.h"
#include "transform/hierarchy_file.h"
#include "transform/tile_file.h"

namespace juxta {
namespace {

using detail::FlatSink;
using detail::HierarchyStore;
using detail::LinkRecord;

/// Elements of a section that are put at once: a multiple of 64 bytes of whatever kind.
constexpr std::uint32_t kPiece = 4096;

Result<void> put_words(std::span<const std::uint32_t> words, FlatSink sink) {
  return detail::put_section(std::as_bytes(words), sink);
}

Result<void> put_tiles(const HierarchyStore& store, FlatSink sink) {
  const auto record = std::make_unique<detail::TileRecord>();
  for (std::uint32_t number = 0; number < store.tiles.size(); ++number) {
    if (store.tiles[number] != nullptr) {
      to_record(*store.tiles[number], number, *record);
      if (auto put = detail::put_section(std::as_bytes(std::span(record.get(), 1)), sink); !put) {
        return put;
      }
    }
  }
  return {};
}

Result<void> put_history(const HierarchyStore& store, FlatSink sink) {
  const auto history = std::make_unique<detail::TileHistory>();
  for (const detail::Tile* tile : store.tiles) {
    if (tile != nullptr && store.history) {
      to_record(*tile, *history);
      if (auto put = detail::put_section(std::as_bytes(std::span(history.get(), 1)), sink); !put) {
        return put;
      }
    }
  }
  return {};
}

/// A section of `count` elements, each made by `make(i)`.
template <class T, class Make>
Result<void> put_each(std::uint32_t count, FlatSink sink, Make&& make) {
  std::vector<T> piece(std::min(count, kPiece));
  for (std::uint32_t first = 0; first < count; first += kPiece) {
    const std::uint32_t size = std::min(kPiece, count - first);
    for (std::uint32_t i = 0; i < size; ++i) {
      piece[i] = make(first + i);
    }
    if (auto put = detail::put_section(std::as_bytes(std::span(piece).first(size)), sink); !put) {
      return put;
    }
  }
  return {};
}

/// Free links hold what they once were: zeros go to the file, so that the same history gives the same bytes.
LinkRecord record_of(const detail::Link& link) noexcept {
  return link.nodes == 0 ? LinkRecord{detail::kNoRow, 0, 0, link.next, 0, 0}
                         : LinkRecord{link.parent_row, link.first, link.span, link.next, link.depth, 0};
}

Result<void> put_sections(const HierarchyStore& store, FlatSink sink) {
  return put_tiles(store, sink)
      .and_then([&] { return put_history(store, sink); })
      .and_then([&] { return put_words(store.free_tiles, sink); })
      .and_then([&] { return put_words(store.dirty, sink); })
      .and_then([&] {
        return put_each<detail::Slot>(store.slots.size(), sink, [&](std::uint32_t i) {
          const detail::Slot slot = store.slots[i];
          return slot.generation == 0 ? detail::Slot{0, detail::kNoRow} : slot;
        });
      })
      .and_then([&] {
        return put_each<LinkRecord>(store.links.size(), sink, [&](std::uint32_t i) {
          return i == 0 ? LinkRecord{} : record_of(store.links[i]);
        });
      });
}

detail::HierarchyFileHeader header_of(const HierarchyStore& store) noexcept {
  detail::HierarchyFileHeader header{};
  header.magic = detail::kHierarchyFormat.magic;
  header.format = detail::kHierarchyFormat.version;
  header.byte_order = detail::kByteOrder;
  header.flags = store.history ? detail::kFileHistory : 0;
  header.tiles = static_cast<std::uint32_t>(store.tiles_in_use());
  header.free_tiles = static_cast<std::uint32_t>(store.free_tiles.size());
  header.slots = store.slots.size();
  header.links = store.links.size();
  header.depths = static_cast<std::uint32_t>(store.queues.size());
  header.dirty = static_cast<std::uint32_t>(store.dirty.size());
  header.version = store.version;
  header.open = store.open;
  header.filled = store.filled;
  header.cursor = store.cursor;
  header.first_free_slot = store.first_free_slot;
  header.first_free_link = store.first_free_link;
  header.debt = store.debt;
  return header;
}

}  // namespace

Result<void> Hierarchy::save(const std::filesystem::path& path) const {
  const detail::HierarchyFileHeader header = header_of(*store_);
  std::array<std::byte, detail::kHeaderBytes> head{};
  std::memcpy(head.data(), &header, sizeof header);
  return detail::kHierarchyFormat.save(path, head,
                                       [&](FlatSink sink) { return put_sections(*store_, sink); });
}

Result<Hierarchy> Hierarchy::load(const std::filesystem::path& path, std::pmr::memory_resource* resource) {
  const auto prefix = [&](Error error) {
    if (error.code == ErrorCode::kCorruptFile) {
      error.message = path.string() + ": " + error.message;
    }
    return error;
  };
  return detail::MappedFile::open(path)
      .and_then([&](detail::MappedFile file) -> Result<Hierarchy> {
        const Result<bool> history = detail::keeps_history(file.bytes());
        if (!history) {
          return tl::unexpected(history.error());
        }
        Hierarchy hierarchy({.history = *history}, resource);
        if (auto filled = detail::read_hierarchy(file.bytes(), *hierarchy.store_); !filled) {
          return tl::unexpected(std::move(filled.error()));
        }
        return hierarchy;
      })
      .map_error(prefix);
}

}  // namespace juxta
