// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a population owns, and how it grows.

#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "agents/store.h"

namespace juxta::agents_detail {
namespace {

tl::unexpected<Error> too_many() {
  return fail(ErrorCode::kTooLarge, "a population has at most 2^32 - 2 agents: make another one");
}

}  // namespace

void ColumnData::fill(std::size_t first, std::size_t last) noexcept {
  if (first >= last) {
    return;
  }
  std::byte* const begin = data.data() + first * bytes;
  const std::size_t total = (last - first) * bytes;
  // Doubles what is there, so that long runs are copied as a whole whatever the size of a value.
  std::memcpy(begin, initial.data(), bytes);
  for (std::size_t done = bytes; done < total; done *= 2) {
    std::memcpy(begin + done, begin, std::min(done, total - done));
  }
}

PopulationStore::PopulationStore(std::string population_name, const World& where,
                                 std::pmr::memory_resource* resource)
    : name(std::move(population_name)),
      world(where),
      memory(resource),
      ids(resource),
      directory(resource),
      skin(resource),
      scratch(resource),
      changes(*this) {
  constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
  const float zero = 0;
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    add(kAxes[axis], ColumnKind::kFloat, sizeof zero, &zero);
  }
}

const ColumnData* PopulationStore::find(std::string_view column) const noexcept {
  for (const ColumnData& data : columns) {
    if (data.name == column) {
      return &data;
    }
  }
  return nullptr;
}

ColumnData& PopulationStore::add(std::string_view column, ColumnKind kind, std::size_t size,
                                 const void* first_value) {
  const auto* const value = static_cast<const std::byte*>(first_value);
  ColumnData data;
  data.name = column;
  data.kind = kind;
  data.bytes = size;
  data.initial.assign(value, value + size);
  data.unchecked = kind == ColumnKind::kReference;
  data.at = newborn.size();
  data.data = Array<std::byte>(memory);
  data.spare = Array<std::byte>(memory);
  data.grow(this->size());
  data.fill(0, this->size() + kArrayPadding);
  columns.push_back(std::move(data));
  // Those that are noted already get the new value too.
  const std::size_t before = newborn.size();
  newborn.insert(newborn.end(), value, value + size);
  for_each_changes([&](Changes& noted) {
    std::vector<std::byte> born;
    for (std::size_t at = 0; at < noted.noted_->born.size(); at += before) {
      const auto agent = noted.noted_->born.begin() + static_cast<std::ptrdiff_t>(at);
      born.insert(born.end(), agent, agent + static_cast<std::ptrdiff_t>(before));
      born.insert(born.end(), value, value + size);
    }
    noted.noted_->born = std::move(born);
  });
  return columns.back();
}

void PopulationStore::pad() noexcept {
  for (std::uint32_t a = 0; a < world.dimensions; ++a) {
    std::fill_n(columns[a].as<float>() + size(), kArrayPadding, std::numeric_limits<float>::quiet_NaN());
  }
}

Result<std::uint32_t> PopulationStore::append(std::size_t count) {
  if (distribution) {
    const std::uint64_t counts[] = {count};
    return append_over_ranks(*this, counts);
  }
  const std::size_t before = size();
  if (count > kMostAgents - before) {
    return too_many();
  }
  for (ColumnData& column : columns) {
    column.grow(before + count);
    column.fill(before, before + count + kArrayPadding);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!ids.insert()) {  // slots whose generations are used up never come back
      while (size() > before) {
        static_cast<void>(ids.remove(ids.id_of(static_cast<std::uint32_t>(size() - 1))));
      }
      return too_many();
    }
  }
  changed += count > 0;
  members += count > 0;
  return static_cast<std::uint32_t>(before);
}

void PopulationStore::begin_ranges(std::size_t count) {
  ranges.reserve(ranges_used + count);
  while (ranges.size() < ranges_used + count) {
    ranges.push_back(std::unique_ptr<Changes>(new Changes(*this)));
  }
}

}  // namespace juxta::agents_detail
