// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/simulation_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "agents/world_check.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

bool fits(ColumnKind kind, std::size_t bytes) noexcept {
  switch (kind) {
    case ColumnKind::kFloat:
    case ColumnKind::kResult:
    case ColumnKind::kInt:
    case ColumnKind::kUnsigned:
      return bytes == 4;
    case ColumnKind::kDouble:
    case ColumnKind::kReference:
      return bytes == 8;
    case ColumnKind::kByte:
      return bytes == 1;
    case ColumnKind::kOther:
      return bytes > 0;
  }
  return false;
}

/// No two of the same name, and none without.
template <class Named>
bool names_are_sound(const std::vector<Named>& all) {
  std::vector<std::string_view> names;
  names.reserve(all.size());
  for (const Named& one : all) {
    names.push_back(one.name);
  }
  std::sort(names.begin(), names.end());
  return std::none_of(names.begin(), names.end(), [](std::string_view name) { return name.empty(); }) &&
         std::adjacent_find(names.begin(), names.end()) == names.end();
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> file) noexcept : file_(file) {}

  Result<SimulationFile> read() {
    return read_header()
        .and_then([&] { return read_catalogue(); })
        .and_then([&] { return check_columns(); })
        .and_then([&] { return check_fields(); })
        .and_then([&] { return read_sections(); })
        .map([&] { return std::move(out_); });
  }

 private:
  Result<void> sound(bool well, const char* what, std::size_t byte) const {
    return well ? Result<void>() : kSimulationFormat.corrupt(what, byte);
  }

  Result<void> read_header() {
    JUXTA_TRY(kSimulationFormat.check_head(file_));
    std::memcpy(&out_.header, file_.data(), sizeof out_.header);
    const SimulationFileHeader& header = out_.header;
    World& world = out_.world;
    world.dimensions = header.dimensions;
    world.lo = header.lo;
    world.hi = header.hi;
    for (std::size_t axis = 0; axis < world.edges.size(); ++axis) {
      if (header.edges[axis] > static_cast<std::uint32_t>(Edge::kPeriodic)) {
        return kSimulationFormat.corrupt("an edge of the world is of no known kind",
                                         offsetof(SimulationFileHeader, edges));
      }
      world.edges[axis] = static_cast<Edge>(header.edges[axis]);
    }
    return sound(check_world(world).has_value(), "there is no such world",
                 offsetof(SimulationFileHeader, dimensions))
        .and_then([&] {
          return sound(header.catalogue <= file_.size() - core_detail::kHeaderBytes &&
                           header.catalogue % 4 == 0 &&
                           header.populations <= header.catalogue / sizeof(PopulationRecord) &&
                           header.fields <= header.catalogue / sizeof(FieldRecord) && header.zero == 0,
                       "the counts in the header make no sense", offsetof(SimulationFileHeader, populations));
        });
  }

  Result<void> read_catalogue() {
    core_detail::FlatReader pieces(file_, core_detail::kHeaderBytes,
                                   core_detail::kHeaderBytes + out_.header.catalogue);
    out_.populations.reserve(out_.header.populations);
    for (std::uint32_t i = 0; i < out_.header.populations && pieces.whole(); ++i) {
      CataloguePopulation population;
      population.record = pieces.record<PopulationRecord>();
      population.name = pieces.text(population.record.name_bytes);
      for (std::uint32_t c = 0; c < population.record.columns && pieces.whole(); ++c) {
        CatalogueColumn column;
        column.record = pieces.record<ColumnRecord>();
        column.name = pieces.text(column.record.name_bytes);
        column.initial = pieces.words(column.record.bytes);
        population.columns.push_back(column);
      }
      out_.populations.push_back(std::move(population));
    }
    for (std::uint32_t i = 0; i < out_.header.fields && pieces.whole(); ++i) {
      CatalogueField& field = out_.fields.emplace_back();
      field.record = pieces.record<FieldRecord>();
      field.name = pieces.text(field.record.name_bytes);
    }
    return sound(pieces.whole() && pieces.empty(), "the catalogue is longer or shorter than it says",
                 core_detail::kHeaderBytes);
  }

  [[nodiscard]] bool is_sound(const CatalogueColumn& column) const noexcept {
    const ColumnRecord& record = column.record;
    if (record.kind > static_cast<std::uint32_t>(ColumnKind::kResult)) {
      return false;
    }
    const auto kind = static_cast<ColumnKind>(record.kind);
    return fits(kind, record.bytes) &&
           (kind == ColumnKind::kReference ? record.target < out_.populations.size()
                                           : record.target == kNoTarget);
  }

  /// Columns [first, first + dimensions) are the floats of these names.
  [[nodiscard]] bool has_axes(const CataloguePopulation& population, std::size_t first,
                              std::array<std::string_view, 3> names) const noexcept {
    for (std::size_t axis = 0; axis < out_.world.dimensions; ++axis) {
      if (first + axis >= population.columns.size() || population.columns[first + axis].name != names[axis] ||
          population.columns[first + axis].record.kind != static_cast<std::uint32_t>(ColumnKind::kFloat)) {
        return false;
      }
    }
    return true;
  }

  Result<void> check_fields() {
    bool well = names_are_sound(out_.fields);
    for (CatalogueField& field : out_.fields) {
      const auto same = [&](const CataloguePopulation& population) { return population.name == field.name; };
      well = well && std::none_of(out_.populations.begin(), out_.populations.end(), same);
      if (auto options = options_of(field.record, out_.world.dimensions); options) {
        field.options = *options;
      } else {
        well = false;
      }
    }
    return sound(well, "there are no such fields", core_detail::kHeaderBytes);
  }

  Result<void> check_columns() const {
    bool well = names_are_sound(out_.populations);
    for (const CataloguePopulation& population : out_.populations) {
      const std::uint32_t extents = population.record.extents;
      well = well && names_are_sound(population.columns) && has_axes(population, 0, {"x", "y", "z"}) &&
             (extents == Column<float>::kNone || has_axes(population, extents, {"ex", "ey", "ez"})) &&
             skin_is_sound(population.record);
      for (const CatalogueColumn& column : population.columns) {
        well = well && is_sound(column);
      }
    }
    return sound(well, "populations and columns contradict each other", core_detail::kHeaderBytes);
  }

  Result<void> read_sections() {
    const std::size_t begin =
        core_detail::padded_to_section(core_detail::kHeaderBytes + out_.header.catalogue);
    core_detail::FlatReader pieces(file_, std::min(begin, file_.size()), file_.size());
    const auto words = [&](std::uint32_t count) {
      const auto bytes = pieces.section(count, sizeof(std::uint32_t));
      return std::span(reinterpret_cast<const std::uint32_t*>(bytes.data()),
                       bytes.size() / sizeof(std::uint32_t));
    };
    const auto floats = [&](std::size_t count) {
      const auto bytes = pieces.section(count, sizeof(float));
      return std::span(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
    };
    for (CataloguePopulation& population : out_.populations) {
      const PopulationRecord& record = population.record;
      population.generations = words(record.slots);
      population.links = words(record.slots);
      for (CatalogueColumn& column : population.columns) {
        column.data = pieces.section(record.rows, column.record.bytes);
      }
      for (std::uint32_t axis = 0; axis < out_.world.dimensions && record.skin != 0; ++axis) {
        population.skin_position[axis] = floats(record.rows);
        if (record.extents != Column<float>::kNone) {
          population.skin_extents[axis] = floats(record.rows);
        }
      }
    }
    for (CatalogueField& field : out_.fields) {
      const auto& cells = field.options.cells;
      for (std::uint32_t c = 0; c < field.options.components; ++c) {
        field.components.push_back(floats(std::size_t{cells[0]} * cells[1] * cells[2]));
      }
    }
    if (!pieces.whole() || !pieces.empty() || file_.size() % core_detail::kSectionAlignment != 0) {
      return kSimulationFormat.corrupt("the file is longer or shorter than its catalogue says", file_.size());
    }
    return kSimulationFormat.check_whole(file_, file_.size())
        .and_then([&] { return check_skins(); })
        .and_then([&] { return check_values(); });
  }

  Result<void> check_values() const {
    for (const CatalogueField& field : out_.fields) {
      for (const std::span<const float> component : field.components) {
        if (!std::all_of(component.begin(), component.end(),
                         [](float value) { return std::isfinite(value); })) {
          return kSimulationFormat.corrupt("a value of a field is not finite", core_detail::kHeaderBytes);
        }
      }
    }
    return {};
  }

  Result<void> check_skins() const {
    for (const CataloguePopulation& population : out_.populations) {
      for (std::uint32_t axis = 0; axis < out_.world.dimensions; ++axis) {
        if (!may_be_sorted(out_.world, axis, population.skin_position[axis], population.skin_extents[axis])) {
          return kSimulationFormat.corrupt("an agent was sorted where nobody can stand",
                                           core_detail::kHeaderBytes);
        }
      }
    }
    return {};
  }

  std::span<const std::byte> file_;
  SimulationFile out_{};
};

}  // namespace

Result<SimulationFile> SimulationFile::read(std::span<const std::byte> file) {
  return Reader(file).read();
}

}  // namespace juxta::agents_detail
