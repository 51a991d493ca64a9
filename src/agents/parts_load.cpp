// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All ranks from files.
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "agents/distribution.h"
#include "agents/migration.h"
#include "agents/simulation_file.h"
#include "agents/simulation_parts.h"
#include "agents/simulation_store.h"
#include "agents/store.h"
#include "agents/world_check.h"
#include "core/os.h"
#include "core/path.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

using core_detail::FlatReader;

/// The manifest as it is read; spans borrow from it.
struct Manifest {
  PartsHeader header{};
  std::span<const std::byte> blueprint;
  std::span<const std::uint64_t> sums;
  struct Of {
    PartsPopulation record{};
    std::span<const std::uint32_t> generations, links;
  };
  std::vector<Of> populations;
  struct OfField {
    std::string name;
    FieldOptions options;
  };
  std::vector<OfField> fields;
};

template <class T>
std::span<const T> numbers_of(FlatReader& pieces, std::size_t count) noexcept {
  const auto section = pieces.section(count, sizeof(T));
  return {reinterpret_cast<const T*>(section.data()), section.size() / sizeof(T)};
}

Result<Manifest> read_manifest(std::span<const std::byte> bytes) {
  JUXTA_TRY(kPartsFormat.check_head(bytes));
  Manifest manifest;
  std::memcpy(&manifest.header, bytes.data(), sizeof manifest.header);
  if (manifest.header.parts == 0) {
    return kPartsFormat.corrupt("there are no parts", offsetof(PartsHeader, parts));
  }
  FlatReader pieces(bytes, core_detail::kHeaderBytes, bytes.size());
  manifest.blueprint = pieces.section(manifest.header.blueprint, 1);
  manifest.sums = numbers_of<std::uint64_t>(pieces, manifest.header.parts);
  for (std::uint32_t i = 0; i < manifest.header.populations && pieces.whole(); ++i) {
    Manifest::Of& of = manifest.populations.emplace_back();
    if (const auto record = pieces.section(1, sizeof of.record); !record.empty()) {
      std::memcpy(&of.record, record.data(), sizeof of.record);
    }
    if (!skin_is_sound(of.record)) {
      return kPartsFormat.corrupt("the order of a population makes no sense", core_detail::kHeaderBytes);
    }
    of.generations = numbers_of<std::uint32_t>(pieces, of.record.slots);
    of.links = numbers_of<std::uint32_t>(pieces, of.record.slots);
  }
  std::vector<FieldRecord> records;
  for (std::uint32_t i = 0; i < manifest.header.fields && pieces.whole(); ++i) {
    FieldRecord& record = records.emplace_back();
    if (const auto section = pieces.section(1, sizeof record); !section.empty()) {
      std::memcpy(&record, section.data(), sizeof record);
    }
    const auto name = pieces.section(record.name_bytes, 1);
    manifest.fields.push_back({std::string(reinterpret_cast<const char*>(name.data()), name.size()), {}});
  }
  if (!pieces.whole() || !pieces.empty()) {
    return kPartsFormat.corrupt("the manifest is longer or shorter than it says", core_detail::kHeaderBytes);
  }
  JUXTA_TRY(kPartsFormat.check_whole(bytes, bytes.size()));
  SimulationFileHeader like{};
  if (manifest.blueprint.size() >= sizeof like) {
    std::memcpy(&like, manifest.blueprint.data(), sizeof like);
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto options = options_of(records[i], like.dimensions);
    if (!options) {
      return kPartsFormat.corrupt("there is no such field as \"" + manifest.fields[i].name + "\"", 0);
    }
    manifest.fields[i].options = *options;
  }
  return manifest;
}

Result<Simulation> load_part(const Manifest& manifest, const std::string& path, std::uint32_t part,
                             std::pmr::memory_resource* resource) {
  const std::string name = part_path(path, manifest.header.tag, part);
  return core_detail::MappedFile::open(path_of(name)).and_then([&](const core_detail::MappedFile& file) {
    return SimulationImage::load(file.bytes(), resource)
        .and_then([&](Simulation&& simulation) -> Result<Simulation> {
          SimulationFileHeader header{};
          std::memcpy(&header, file.bytes().data(), sizeof header);
          if (header.checksum != manifest.sums[part]) {
            return kPartsFormat.corrupt("another part than the one that was saved", 0);
          }
          return std::move(simulation);
        })
        .map_error([&](Error error) {
          error.message = name + ": " + error.message;
          return error;
        });
  });
}

/// Columns as the blueprint has them, and those of a part behind them.
Result<void> check_columns(const PopulationStore& part, const PopulationStore& like, bool kept) {
  const std::size_t stood =
      std::size_t{like.world.dimensions} * (like.extents != Column<float>::kNone ? 2 : 1);
  const std::size_t base = like.columns.size();
  bool right = part.columns.size() == base + kStood + (kept ? stood : 0);
  for (std::size_t c = 0; right && c < part.columns.size(); ++c) {
    const std::size_t bytes = c < base ? like.columns[c].bytes : c == base + kPlace ? 8 : 4;
    right = part.columns[c].bytes == bytes && (c < base ? part.columns[c].name == like.columns[c].name
                                                        : part.columns[c].kind == ColumnKind::kOther);
  }
  return right ? Result<void>()
               : kPartsFormat.corrupt("\"" + like.name + "\" has other columns in a part", 0);
}

/// The fields of the manifest, in this order, and no other.
Result<void> check_names(const Manifest& manifest, const Simulation& part) {
  bool right = part.field_count() == manifest.fields.size();
  for (std::size_t i = 0; right && i < manifest.fields.size(); ++i) {
    right = part.field_name(i) == manifest.fields[i].name;
  }
  return right ? Result<void>() : kPartsFormat.corrupt("a part has other fields than the manifest", 0);
}

/// A row of one of the parts.
struct PartRow {
  std::uint64_t place;
  std::uint32_t part, row;
};

/// A population of this rank from those of its parts.
class Joining {
 public:
  Joining(PopulationStore& to, const std::vector<const PopulationStore*>& parts) : to_(to), parts_(parts) {
    for (std::uint32_t p = 0; p < parts.size(); ++p) {
      const std::uint64_t* const places = extra<std::uint64_t>(p, kPlace);
      for (std::uint32_t row = 0; row < parts[p]->size(); ++row) {
        rows_.push_back({places[row], p, row});
      }
    }
    std::sort(rows_.begin(), rows_.end(),
              [](const PartRow& a, const PartRow& b) { return a.place < b.place; });
  }

  /// Columns, then Ids, then the order that was kept. Errors: kCorruptFile.
  Result<void> fill(const Manifest::Of& from, Ranks& ranks) {
    for (std::size_t c = 0; c < to_.columns.size(); ++c) {
      ColumnData& column = to_.columns[c];
      column.grow(rows_.size());
      column.fill(rows_.size(), rows_.size() + kArrayPadding);
      copy(c, column.data.data(), column.bytes);
    }
    JUXTA_TRY(agree(ranks, name_rows(from)));
    JUXTA_TRY(check_once(ranks));
    JUXTA_TRY_LET(const auto counts, all_gather(ranks, std::uint64_t{rows_.size()}));
    const auto alive = std::count_if(from.generations.begin(), from.generations.end(),
                                     [](std::uint32_t generation) { return (generation & 1) != 0; });
    if (std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) !=
        static_cast<std::uint64_t>(alive)) {
      return kPartsFormat.corrupt("the parts have other agents than the manifest", core_detail::kHeaderBytes);
    }
    to_.distribution = std::make_unique<Distribution>(ranks);
    to_.distribution->next_number = from.record.next_number;
    for (const PartRow& row : rows_) {
      to_.distribution->numbers.push_back(row.place);
    }
    ++to_.changed;
    ++to_.members;
    return agree(ranks, keep_order(from.record));
  }

 private:
  template <class T>
  const T* extra(std::size_t part, std::size_t which) const {
    return parts_[part]->columns[to_.columns.size() + which].as<T>();
  }
  void copy(std::size_t column, std::byte* to, std::size_t bytes) const {
    for (const PartRow& row : rows_) {
      std::memcpy(to, parts_[row.part]->columns[column].data.data() + row.row * bytes, bytes);
      to += bytes;
    }
  }

  /// Which living Id each row has.
  Result<void> name_rows(const Manifest::Of& from) {
    std::vector<std::uint32_t> links(from.links.begin(), from.links.end());
    std::uint32_t next = 0;
    for (std::size_t slot = 0; slot < links.size(); ++slot) {
      links[slot] = (from.generations[slot] & 1) != 0 ? next++ : links[slot];
    }
    auto ids = IdTable::restore({from.generations, links, from.record.first_free}, to_.memory);
    std::vector<std::uint32_t> slots;
    named_.assign((links.size() + 63) / 64, 0);
    for (const PartRow& row : rows_) {
      const std::uint32_t slot = extra<std::uint32_t>(row.part, kSlot)[row.row];
      if (!ids || slot >= links.size() || (from.generations[slot] & 1) == 0 ||
          (named_[slot / 64] >> slot % 64 & 1) != 0) {
        return contradiction();
      }
      named_[slot / 64] |= std::uint64_t{1} << slot % 64;
      slots.push_back(slot);
    }
    JUXTA_TRY_LET(to_.ids, std::move(ids));
    to_.ids.settle(slots);
    return {};
  }

  tl::unexpected<Error> contradiction() const {
    return kPartsFormat.corrupt("the Ids of \"" + to_.name + "\" contradict each other", 0);
  }

  /// No two ranks have rows of one Id. Collective; all ranks find the same.
  Result<void> check_once(Ranks& ranks) const {
    constexpr std::size_t kSome = 1 << 13;  // 64 KiB of each rank at a time
    std::vector<std::uint64_t> all;
    for (std::size_t first = 0; first < named_.size() && ranks.size() > 1; first += kSome) {
      const auto mine = std::span(named_).subspan(first, std::min(kSome, named_.size() - first));
      all.resize(mine.size() * ranks.size());
      JUXTA_TRY(ranks.all_gather(std::as_bytes(mine), std::as_writable_bytes(std::span(all))));
      for (std::size_t i = mine.size(); i < all.size(); ++i) {
        std::uint64_t& before = all[i % mine.size()];
        if ((before & all[i]) != 0) {
          return contradiction();
        }
        before |= all[i];
      }
    }
    return {};
  }

  Result<void> keep_order(const PartsPopulation& record) {
    Skin& skin = to_.skin;
    skin.kept = record.skin != 0;
    skin.directory = false;
    if (!skin.kept) {
      return {};
    }
    skin.radius = record.skin_radius;
    skin.arrangement = static_cast<Arrangement>(record.skin_arrangement);
    skin.members = to_.members;
    std::vector<ColumnData> stood;
    const std::size_t count =
        std::size_t{to_.world.dimensions} * (to_.extents != Column<float>::kNone ? 2 : 1);
    for (std::size_t i = 0; i < count; ++i) {
      ColumnData& column = stood.emplace_back();
      column.bytes = sizeof(float);
      column.data = Array<std::byte>(to_.memory);
      column.grow(rows_.size());
      copy(to_.columns.size() + kStood + i, column.data.data(), sizeof(float));
    }
    take_skin(to_, stood, rows_.size());
    for (std::uint32_t axis = 0; axis < to_.world.dimensions; ++axis) {
      if (!may_be_sorted(to_.world, axis, skin.position[axis], skin.extents[axis])) {
        return kPartsFormat.corrupt("an agent of \"" + to_.name + "\" was sorted where nobody can stand",
                                    core_detail::kHeaderBytes);
      }
    }
    return {};
  }

  PopulationStore& to_;
  const std::vector<const PopulationStore*>& parts_;
  std::vector<PartRow> rows_;
  std::vector<std::uint64_t> named_;  // a bit for each slot that a row has
};

}  // namespace

bool SimulationParts::is_manifest(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= sizeof kPartsFormat.magic &&
         std::memcmp(bytes.data(), kPartsFormat.magic.data(), sizeof kPartsFormat.magic) == 0;
}

Result<Simulation> SimulationParts::load(Ranks& ranks, std::span<const std::byte> bytes,
                                         const std::string& path, std::pmr::memory_resource* resource) {
  auto manifest = read_manifest(bytes);
  JUXTA_TRY(agree(ranks, manifest.map([](const Manifest&) {})));
  auto simulation = SimulationImage::load(manifest->blueprint, resource);
  std::vector<Simulation> parts;
  const std::uint64_t count = manifest->header.parts;
  Result<void> loaded = simulation.map([](const Simulation&) {});
  for (std::uint64_t p = ranks.rank() * count / ranks.size();
       loaded && p < (ranks.rank() + 1) * count / ranks.size(); ++p) {
    loaded = load_part(*manifest, path, static_cast<std::uint32_t>(p), resource).map([&](Simulation&& part) {
      parts.push_back(std::move(part));
    });
  }
  if (loaded &&
      (simulation->population_count() != manifest->populations.size() || simulation->field_count() != 0)) {
    loaded = kPartsFormat.corrupt("the manifest has other populations or fields than it says",
                                  core_detail::kHeaderBytes);
  }
  const auto part_store = [](Simulation& part, std::size_t i) -> const PopulationStore& {
    return PopulationStore::of(*part.store_->populations[i]);
  };
  for (const Simulation& part : parts) {
    loaded = loaded ? check_names(*manifest, part) : loaded;
  }
  for (std::size_t i = 0; loaded && i < manifest->populations.size(); ++i) {
    for (Simulation& part : parts) {
      loaded = part.population_count() == manifest->populations.size()
                   ? check_columns(part_store(part, i), part_store(*simulation, i),
                                   manifest->populations[i].record.skin != 0)
                   : kPartsFormat.corrupt("a part has other populations", 0);
      if (!loaded) {
        break;
      }
    }
  }
  JUXTA_TRY(agree(ranks, loaded));
  for (std::size_t i = 0; i < manifest->populations.size(); ++i) {
    std::vector<const PopulationStore*> stores;
    stores.reserve(parts.size());
    for (Simulation& part : parts) {
      stores.push_back(&part_store(part, i));
    }
    JUXTA_TRY(Joining(PopulationStore::of(*simulation->store_->populations[i]), stores)
                  .fill(manifest->populations[i], ranks));
  }
  for (std::size_t i = 0; i < manifest->fields.size(); ++i) {
    std::vector<const Field*> slabs;
    slabs.reserve(parts.size());
    for (const Simulation& part : parts) {
      slabs.push_back(&part.field(i));
    }
    JUXTA_TRY_LET(Field field,
                  join_slabs(manifest->fields[i].options, slabs, count, ranks, kPartsFormat, resource));
    simulation->store_->fields.push_back(
        std::make_unique<NamedField>(NamedField{manifest->fields[i].name, std::move(field)}));
  }
  simulation->store_->ranks = &ranks;
  return simulation;
}

}  // namespace juxta::agents_detail
