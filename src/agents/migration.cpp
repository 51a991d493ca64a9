// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A message from one rank to another: keys, numbers of newborns, slots, then column after column.
#include "agents/migration.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "agents/distribution.h"
#include "agents/store.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

/// Between two ranks: who goes, or who comes.
struct Parcel {
  std::vector<std::uint32_t> rows;  // of those who go
  std::size_t ordered = 0, newborn = 0;
  std::vector<std::byte> bytes;

  [[nodiscard]] std::size_t agents() const noexcept { return ordered + newborn; }
};

std::size_t bytes_of_parcel(const Luggage& luggage, const Parcel& parcel) noexcept {
  std::size_t bytes = sizeof(std::uint64_t) + sizeof(std::uint32_t);
  for (const ColumnData* column : luggage) {
    bytes += column->bytes;
  }
  return bytes * parcel.agents() + sizeof(std::uint64_t) * parcel.newborn;
}

/// Writes values one behind the other.
class Packer {
 public:
  explicit Packer(std::byte* to) noexcept : to_(to) {}
  void put(const void* from, std::size_t bytes) noexcept {
    std::memcpy(to_, from, bytes);
    to_ += bytes;
  }

 private:
  std::byte* to_;
};

void pack(const PopulationStore& store, const Luggage& luggage, std::span<const std::uint64_t> keys,
          Parcel& parcel) {
  const Distribution& distribution = *store.distribution;
  parcel.bytes.resize(bytes_of_parcel(luggage, parcel));
  Packer out(parcel.bytes.data());
  for (const std::uint32_t row : parcel.rows) {
    out.put(&keys[row], sizeof keys[row]);
  }
  for (const std::uint32_t row : parcel.rows) {
    if (row >= distribution.ordered) {
      out.put(&distribution.numbers[row - distribution.ordered], sizeof(std::uint64_t));
    }
  }
  for (const std::uint32_t row : parcel.rows) {
    out.put(&store.ids.slots()[row], sizeof(std::uint32_t));
  }
  for (const ColumnData* column : luggage) {
    for (const std::uint32_t row : parcel.rows) {
      out.put(column->data.data() + row * column->bytes, column->bytes);
    }
  }
}

/// An agent that was born or inserted since the last sort.
struct Newborn {
  std::uint64_t number, key;
  std::uint32_t row;
};

/// Keys [first, last) of the cells of a rank; those of the last one have no end.
struct KeyRange {
  std::uint64_t first, last;
  bool endless;
  [[nodiscard]] bool has(std::uint64_t key) const noexcept {
    return static_cast<int>(key >= first) & (static_cast<int>(key < last) | static_cast<int>(endless));
  }
};

/// Puts together who is here now.
class Assembly {
 public:
  Assembly(PopulationStore& store, const Luggage& luggage, std::size_t arriving)
      : store_(store), luggage_(luggage), row_(store.size()) {
    for (ColumnData* column : luggage) {
      column->grow(row_ + arriving);
    }
    store.distribution->rows.resize_discard(row_ + arriving);
    store.distribution->keys.resize_discard(row_ + arriving);
  }

  void stay(std::span<const std::uint64_t> keys, KeyRange own) {
    const Distribution& distribution = *store_.distribution;
    Array<std::uint32_t>& rows = store_.distribution->rows;
    Array<std::uint64_t>& kept = store_.distribution->keys;
    for (std::uint32_t row = 0; row < distribution.ordered; ++row) {  // nearly all stay: no branches
      rows[end_] = row;
      kept[end_] = keys[row];
      end_ += own.has(keys[row]) ? 1 : 0;
    }
    for (std::size_t row = distribution.ordered; row < keys.size(); ++row) {
      if (own.has(keys[row])) {
        newborn_.push_back(
            {distribution.numbers[row - distribution.ordered], keys[row], static_cast<std::uint32_t>(row)});
      }
    }
  }
  void arrive(const Parcel& parcel) {
    const std::byte* in = parcel.bytes.data();
    const auto take = [&in](void* to, std::size_t bytes) {
      if (bytes != 0) {
        std::memcpy(to, in, bytes);
        in += bytes;
      }
    };
    std::vector<std::uint64_t> keys(parcel.agents()), numbers(parcel.newborn);
    take(keys.data(), keys.size() * sizeof(std::uint64_t));
    take(numbers.data(), numbers.size() * sizeof(std::uint64_t));
    const std::size_t slots = result_.slots.size();
    result_.slots.resize(slots + keys.size());
    take(result_.slots.data() + slots, keys.size() * sizeof(std::uint32_t));
    for (ColumnData* column : luggage_) {
      take(column->data.data() + row_ * column->bytes, keys.size() * column->bytes);
    }
    for (std::size_t i = 0; i < keys.size(); ++i, ++row_) {
      const auto row = static_cast<std::uint32_t>(row_);
      if (i < parcel.ordered) {
        add(row, keys[i]);
      } else {
        newborn_.push_back({numbers[i - parcel.ordered], keys[i], row});
      }
    }
  }
  Arrivals finish() {
    std::sort(newborn_.begin(), newborn_.end(),
              [](const Newborn& a, const Newborn& b) { return a.number < b.number; });
    for (const Newborn& newborn : newborn_) {
      add(newborn.row, newborn.key);
    }
    store_.distribution->rows.resize(end_);
    store_.distribution->keys.resize(end_);
    result_.rows = store_.distribution->rows.span();
    return std::move(result_);
  }

 private:
  void add(std::uint32_t row, std::uint64_t key) {
    store_.distribution->rows[end_] = row;
    store_.distribution->keys[end_++] = key;
  }

  PopulationStore& store_;
  const Luggage& luggage_;
  std::size_t row_, end_ = 0;
  Arrivals result_;
  std::vector<Newborn> newborn_;
};

/// Counts of both kinds in one number.
constexpr std::uint32_t kOrderedBits = 32;

Result<std::vector<Parcel>> receive(Ranks& ranks, const Luggage& luggage, const std::vector<Parcel>& going) {
  std::vector<std::uint64_t> counts(ranks.size()), coming(ranks.size());
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    counts[r] = std::uint64_t{going[r].newborn} << kOrderedBits | going[r].ordered;
  }
  JUXTA_TRY(ranks.swap(counts, coming));
  std::vector<Parcel> parcels(ranks.size());
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    Parcel& parcel = parcels[r];
    parcel.ordered = coming[r] & 0xFFFF'FFFF;
    parcel.newborn = coming[r] >> kOrderedBits;
    if (parcel.agents() != 0) {
      parcel.bytes.resize(bytes_of_parcel(luggage, parcel));
      receives.push_back({r, parcel.bytes});
    }
    if (going[r].agents() != 0) {
      sends.push_back({r, going[r].bytes});
    }
  }
  JUXTA_TRY(ranks.start(sends, receives));
  return ranks.finish().map([&] { return std::move(parcels); });
}

}  // namespace

Luggage luggage_of(PopulationStore& store, bool results) {
  Luggage luggage;
  for (ColumnData& column : store.columns) {
    if (results || column.kind != ColumnKind::kResult) {
      luggage.push_back(&column);
    }
  }
  return luggage;
}

std::vector<ColumnData> columns_of_skin(const PopulationStore& store) {
  std::vector<ColumnData> columns;
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    for (const auto* from : {&store.skin.position[a], &store.skin.extents[a]}) {
      if (from == &store.skin.extents[a] && store.extents == Column<float>::kNone) {
        continue;
      }
      ColumnData& column = columns.emplace_back();
      column.kind = ColumnKind::kFloat;
      column.bytes = sizeof(float);
      column.data = Array<std::byte>(store.memory);
      column.spare = Array<std::byte>(store.memory);
      column.grow(store.size());
      std::copy_n(from->begin(), store.size(), column.as<float>());
    }
  }
  return columns;
}

Places places_in(const PopulationStore& store, std::vector<ColumnData>& columns) noexcept {
  Places places;
  places.count = store.size();
  auto column = columns.begin();
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    places.position[a] = (column++)->as<float>();
    if (store.extents != Column<float>::kNone) {
      places.extents[a] = (column++)->as<float>();
    }
  }
  return places;
}

void take_skin(PopulationStore& store, const std::vector<ColumnData>& columns, std::size_t rows) {
  auto column = columns.begin();
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    for (auto* to : {&store.skin.position[a], &store.skin.extents[a]}) {
      if (to == &store.skin.extents[a] && store.extents == Column<float>::kNone) {
        continue;
      }
      to->resize_discard(rows);
      std::copy_n((column++)->as<float>(), rows, to->begin());
    }
  }
}

Result<Arrivals> migrate(PopulationStore& store, const Luggage& luggage,
                         std::span<const std::uint64_t> keys) {
  const Distribution& distribution = *store.distribution;
  const std::uint32_t here = distribution.rank();
  const auto& cuts = distribution.cuts;
  const bool last = here + 1 == cuts.size();
  const KeyRange own{cuts[here], last ? 0 : cuts[here + 1], last};
  const auto rank_of = [&](std::uint64_t key) {
    return static_cast<std::uint32_t>(std::upper_bound(cuts.begin(), cuts.end(), key) - cuts.begin() - 1);
  };
  std::vector<Parcel> going(distribution.size());
  for (std::uint32_t row = 0; row < keys.size(); ++row) {
    if (!own.has(keys[row])) {
      Parcel& parcel = going[rank_of(keys[row])];
      parcel.rows.push_back(row);
      ++(row < distribution.ordered ? parcel.ordered : parcel.newborn);
    }
  }
  for (Parcel& parcel : going) {
    pack(store, luggage, keys, parcel);
  }
  JUXTA_TRY_LET(const std::vector<Parcel> coming, receive(distribution.ranks, luggage, going));
  const std::size_t arriving =
      std::accumulate(coming.begin(), coming.end(), std::size_t{0},
                      [](std::size_t sum, const Parcel& parcel) { return sum + parcel.agents(); });
  Assembly assembly(store, luggage, arriving);
  for (std::uint32_t r = 0; r < here; ++r) {
    assembly.arrive(coming[r]);
  }
  assembly.stay(keys, own);
  for (std::uint32_t r = here + 1; r < distribution.size(); ++r) {
    assembly.arrive(coming[r]);
  }
  return assembly.finish();
}

}  // namespace juxta::agents_detail
