// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/live_points_file.h"

#include <cstring>
#include <utility>

#include "juxta/core/try.h"

namespace juxta::ranked_detail {
namespace {

struct LiveHeader {
  char magic[8] = {'J', 'U', 'X', 'T', 'A', 'L', 'P', '\n'};
  std::uint64_t number = 0, sequence = 0;
  std::uint32_t coordinate_type = 0, rank_type = 0;
  std::uint64_t points = 0, free = 0, has_categories = 0;
  std::uint32_t value_columns = 0;  // 0 in files from before there were any
  std::uint16_t value_types[2] = {};
};
static_assert(sizeof(LiveHeader) == 64);

Id id_of(const FrozenPoint& point) noexcept {
  return {point.slot, point.generation};
}

tl::unexpected<Error> corrupt(const std::string& path, const std::string& what) {
  return fail(ErrorCode::kCorruptFile, path + ": " + what);
}

/// Takes values from the front of the attachment, whose length was checked.
template <class T>
T next(const std::byte*& from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof value);
  from += sizeof value;
  return value;
}

bool is_coordinate(std::uint32_t type) noexcept {
  return type == static_cast<std::uint32_t>(ScalarType::kFloat) ||
         type == static_cast<std::uint32_t>(ScalarType::kDouble);
}

constexpr auto kLastType = static_cast<std::uint32_t>(ScalarType::kDouble);

bool fits_values(const LiveHeader& header, const ValuesView& values) noexcept {
  bool fits = header.value_columns == values.count;
  for (std::size_t c = 0; fits && c < values.count; ++c) {
    fits = header.value_types[c] == static_cast<std::uint16_t>(values.column[c].type);
  }
  return fits;
}

/// The header, if it fits the points and the length of the attachment.
Result<LiveHeader> read_header(const std::string& path, const RankedPoints& frozen) {
  const std::span<const std::byte> bytes = frozen.attachment();
  LiveHeader header;
  const LiveHeader expected;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), expected.magic, sizeof expected.magic) != 0) {
    return corrupt(path, "these are ranked points, but not live ones: load them with RankedPoints::load()");
  }
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  const RankedView& view = StoreAccess::view(frozen);
  const bool fits_types =
      view.size == 0 ||
      (view.ranks != nullptr &&
       view.is_double == (header.coordinate_type == static_cast<std::uint32_t>(ScalarType::kDouble)) &&
       static_cast<std::uint32_t>(view.rank_type) == header.rank_type && fits_values(header, view.values));
  const std::uint64_t room = (bytes.size() - sizeof header) / sizeof(Id);
  const std::uint64_t ids = header.points * (header.has_categories != 0 ? 2 : 1);
  if (!is_coordinate(header.coordinate_type) || header.rank_type > kLastType ||
      header.value_columns > kMostValues || header.value_types[0] > kLastType ||
      header.value_types[1] > kLastType || header.points != view.size || header.free > room || ids > room ||
      header.free + ids > room || header.points + header.free > 0xFFFF'FFFE || !fits_types) {
    return corrupt(path, "the numbers of points, free slots and types contradict each other");
  }
  return header;
}

}  // namespace

Result<void> save_live_file(const std::string& path, const LiveTypes& types, const LiveGeneration& generation,
                            const LiveSlots& slots) {
  const std::span<const std::uint64_t> categories = generation.categories();
  LiveHeader header;
  header.number = slots.number;
  header.sequence = slots.sequence;
  header.coordinate_type = static_cast<std::uint32_t>(types.coordinate);
  header.rank_type = static_cast<std::uint32_t>(types.rank);
  header.value_columns = types.value_columns;
  for (std::size_t c = 0; c < types.value_columns; ++c) {
    header.value_types[c] = static_cast<std::uint16_t>(types.values[c]);
  }
  header.points = generation.points().size();
  header.free = slots.free.size();
  header.has_categories = categories.empty() ? 0 : 1;
  std::vector<std::byte> bytes(sizeof header + (header.points + header.free) * sizeof(Id) +
                               categories.size_bytes());
  std::byte* to = bytes.data();
  const auto put = [&to](const void* from, std::size_t size) {
    if (size != 0) {
      std::memcpy(to, from, size);
    }
    to += size;
  };
  put(&header, sizeof header);
  for (const FrozenPoint& point : generation.points()) {
    const Id id = id_of(point);
    put(&id, sizeof id);
  }
  put(categories.data(), categories.size_bytes());
  put(slots.free.data(), slots.free.size() * sizeof(Id));
  return generation.frozen().save(path, bytes);
}

Result<LiveFileContents> load_live_file(const std::string& path, std::pmr::memory_resource* resource) {
  JUXTA_TRY_LET(RankedPoints frozen, RankedPoints::load(path));
  JUXTA_TRY_LET(const LiveHeader header, read_header(path, frozen));
  LiveFileContents contents;
  contents.types = {
      static_cast<ScalarType>(header.coordinate_type),
      static_cast<ScalarType>(header.rank_type),
      header.value_columns,
      {static_cast<ScalarType>(header.value_types[0]), static_cast<ScalarType>(header.value_types[1])}};
  contents.slots.number = header.number;
  contents.slots.sequence = header.sequence;
  const std::size_t all_slots = header.points + header.free;
  const std::byte* from = frozen.attachment().data() + sizeof header;
  Array<FrozenPoint> points(header.points, resource);
  for (std::size_t i = 0; i < header.points; ++i) {
    const Id id = next<Id>(from);
    if (id.slot >= all_slots || (id.generation & 1) == 0 || (i != 0 && id.slot <= points[i - 1].slot)) {
      return corrupt(path, "the id of point " + std::to_string(i) + " is damaged");
    }
    points[i] = {id.slot, id.generation, 0};
  }
  Array<std::uint64_t> categories(header.has_categories != 0 ? header.points : 0, resource);
  for (std::uint64_t& mask : categories) {
    mask = next<std::uint64_t>(from);
  }
  std::vector<bool> used(all_slots);
  for (const FrozenPoint& point : points) {
    used[point.slot] = true;
  }
  for (std::size_t i = 0; i < header.free; ++i) {
    const Id id = next<Id>(from);
    if (id.slot >= all_slots || used[id.slot] || (id.generation & 1) != 0) {
      return corrupt(path, "the free slot " + std::to_string(i) + " is damaged");
    }
    used[id.slot] = true;
    contents.slots.free.push_back(id);
  }
  contents.generation = std::make_unique<LiveGeneration>(contents.types, std::move(frozen), std::move(points),
                                                         std::move(categories), resource);
  return contents;
}

}  // namespace juxta::ranked_detail
