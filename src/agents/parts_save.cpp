// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All ranks to files.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "agents/blueprint.h"
#include "agents/distribution.h"
#include "agents/migration.h"
#include "agents/simulation_file.h"
#include "agents/simulation_parts.h"
#include "core/os.h"
#include "core/path.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

bool keeps_order(const PopulationStore& store) noexcept {
  return store.skin.kept && store.skin.members == store.members;
}

/// Where the rows of this rank stand among all: those in order rank after rank, then newborns by number.
/// Numbers begin behind all agents that there were, and grow with every birth: none is below how many stand
/// in order.
Result<std::vector<std::uint64_t>> places_in_all(const PopulationStore& store) {
  const Distribution& distribution = *store.distribution;
  JUXTA_TRY_LET(const auto ordered, all_gather(distribution.ranks, std::uint64_t{distribution.ordered}));
  std::vector<std::uint64_t> places(distribution.ordered);
  std::iota(places.begin(), places.end(),
            std::accumulate(ordered.begin(), ordered.begin() + distribution.rank(), std::uint64_t{0}));
  places.insert(places.end(), distribution.numbers.begin(), distribution.numbers.end());
  return places;
}

template <class T>
void fill_extra(PopulationStore& store, const char* name, std::span<const T> values) {
  const T zero{};
  ColumnData& column = store.add(name, ColumnKind::kOther, sizeof(T), &zero);
  std::copy(values.begin(), values.end(), column.as<T>());
}

}  // namespace

std::string part_path(const std::string& path, std::uint64_t tag, std::uint32_t part) {
  std::array<char, 32> end{};
  std::snprintf(end.data(), end.size(), ".%016llx.%u", static_cast<unsigned long long>(tag), part);
  return path + end.data();
}

Result<Simulation> SimulationParts::without_agents(const Simulation& of) {
  JUXTA_TRY_LET(Simulation empty, Simulation::build(of.world(), of.seed(), of.store_->resource));
  JUXTA_TRY(Blueprint::build(Blueprint::of(*of.store_), *empty.store_, empty));
  empty.store_->fields.clear();  // their records are in the manifest, their values in the parts
  return empty;
}

Result<Simulation> SimulationParts::part_of(const Simulation& of) {
  JUXTA_TRY_LET(Simulation part, without_agents(of));
  for (std::size_t i = 0; i < of.population_count(); ++i) {
    const PopulationStore& from = PopulationStore::of(*of.store_->populations[i]);
    PopulationStore& to = PopulationStore::of(*part.store_->populations[i]);
    JUXTA_TRY_LET(const auto places, places_in_all(from));
    JUXTA_TRY(to.append(from.size()));
    for (std::size_t c = 0; c < from.columns.size(); ++c) {
      const ColumnData& column = from.columns[c];
      std::copy_n(column.data.begin(), from.size() * column.bytes, to.columns[c].data.begin());
    }
    fill_extra<std::uint32_t>(to, "#slot", from.ids.slots());
    fill_extra<std::uint64_t>(to, "#place", places);
    if (keeps_order(from)) {
      for (const ColumnData& stood : columns_of_skin(from)) {
        const std::string name = "#stood" + std::to_string(to.columns.size());
        fill_extra<float>(to, name.c_str(), {stood.as<float>(), from.size()});
      }
    }
  }
  for (const auto& field : of.store_->fields) {
    JUXTA_TRY_LET(Field slabs, own_slabs(field->field));
    part.store_->fields.push_back(std::make_unique<NamedField>(NamedField{field->name, std::move(slabs)}));
  }
  return part;
}

Result<std::vector<std::byte>> SimulationParts::save(const Simulation& of, const std::string& path) {
  Ranks& ranks = *of.store_->ranks;
  std::random_device any;
  const std::uint64_t random = std::uint64_t{any()} << 32 | any();
  JUXTA_TRY_LET(const auto randoms, all_gather(ranks, random));
  const std::uint64_t tag = randoms[0];
  Result<void> finite;
  for (const auto& field : of.store_->fields) {
    finite = finite ? check_finite(*field) : finite;
  }
  JUXTA_TRY(agree(ranks, finite));
  JUXTA_TRY_LET(const Simulation part, part_of(of));
  const SimulationImage image(part);
  auto written = core_detail::AtomicFile::create(path_of(part_path(path, tag, ranks.rank())))
                     .and_then([&](core_detail::AtomicFile file) {
                       return image.put([&](std::span<const std::byte> bytes) { return file.write(bytes); })
                           .and_then([&] { return file.commit(); });
                     });
  if (const auto all = agree(ranks, written); !all) {
    std::error_code error;
    std::filesystem::remove(path_of(part_path(path, tag, ranks.rank())), error);
    return tl::unexpected(all.error());
  }
  JUXTA_TRY_LET(const auto sums, all_gather(ranks, image.checksum()));
  JUXTA_TRY_LET(const Simulation empty, without_agents(of));
  const SimulationImage blueprint(empty);
  PartsHeader header{kPartsFormat.magic,
                     kPartsFormat.version,
                     core_detail::kByteOrder,
                     tag,
                     ranks.size(),
                     static_cast<std::uint32_t>(of.population_count()),
                     blueprint.bytes(),
                     0,
                     static_cast<std::uint32_t>(of.field_count()),
                     0};
  std::vector<std::byte> manifest(core_detail::kHeaderBytes);
  const auto put = [&](std::span<const std::byte> piece) {
    manifest.insert(manifest.end(), piece.begin(), piece.end());
    return Result<void>();
  };
  JUXTA_TRY(blueprint.put(put));
  JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(sums)), put));
  for (std::size_t i = 0; i < of.population_count(); ++i) {
    const PopulationStore& store = PopulationStore::of(*of.store_->populations[i]);
    const IdTable::State ids = store.ids.state();
    const bool kept = keeps_order(store);
    const PartsPopulation record{
        store.distribution->next_number,
        static_cast<std::uint32_t>(ids.generations.size()),
        ids.first_free,
        kept ? 1U : 0U,
        kept ? store.skin.radius : 0,
        static_cast<std::uint32_t>(kept ? store.skin.arrangement : Arrangement::kAuto),
        0};
    // Rows are those of one rank: who is alive stands in the parts.
    std::vector<std::uint32_t> links(ids.links.begin(), ids.links.end());
    for (std::size_t slot = 0; slot < links.size(); ++slot) {
      links[slot] = (ids.generations[slot] & 1) != 0 ? IdTable::kNone : links[slot];
    }
    JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(&record, 1)), put));
    JUXTA_TRY(core_detail::put_section(std::as_bytes(ids.generations), put));
    JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(links)), put));
  }
  for (const auto& field : of.store_->fields) {
    const FieldRecord record = record_of(*field);
    JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(&record, 1)), put));
    JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(field->name)), put));
  }
  std::memcpy(manifest.data(), &header, sizeof header);
  header.checksum = kPartsFormat.checksum_of(manifest);
  std::memcpy(manifest.data(), &header, sizeof header);
  return manifest;
}

void SimulationParts::discard(std::span<const std::byte> manifest, const std::string& path,
                              std::uint32_t rank) noexcept {
  PartsHeader header{};
  std::memcpy(&header, manifest.data(), sizeof header);
  std::error_code error;
  std::filesystem::remove(path_of(part_path(path, header.tag, rank)), error);
}

void SimulationParts::remove_others(std::span<const std::byte> manifest, const std::string& path) noexcept {
  PartsHeader header{};
  if (!manifest.empty()) {
    std::memcpy(&header, manifest.data(), sizeof header);
  }
  const std::filesystem::path whole = path_of(path);
  const std::string begin = utf8_of(whole.filename()) + ".";
  const std::string kept = utf8_of(path_of(part_path(path, header.tag, 0)).filename());
  const std::size_t tag = begin.size(), digits = 16;
  std::error_code error;
  std::vector<std::filesystem::path> others;
  const auto folder = whole.has_parent_path() ? whole.parent_path() : std::filesystem::path(".");
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    const std::string name = utf8_of(file->path().filename());
    const bool part = name.size() > tag + digits + 1 && name.starts_with(begin) &&
                      name[tag + digits] == '.' &&
                      name.find_first_not_of("0123456789abcdef", tag) == tag + digits &&
                      name.find_first_not_of("0123456789", tag + digits + 1) == std::string::npos;
    if (part && (manifest.empty() || name.compare(tag, digits, kept, tag, digits) != 0)) {
      others.push_back(file->path());
    }
  }
  for (const auto& other : others) {
    std::filesystem::remove(other, error);
  }
}

}  // namespace juxta::agents_detail
