// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A field but for its steps, its points and its files.
#include "juxta/grid/field.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/flat_file.h"
#include "core/rank_gather.h"
#include "grid/field_store.h"
#include "juxta/core/executor.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"

namespace juxta {
namespace grid_detail {
namespace {

constexpr std::size_t kCellsOfSum = 1 << 16;  // of total(): part of its result

Axis axis_of(const FieldOptions& options, std::uint32_t axis) noexcept {
  const float extent = options.world.hi[axis] - options.world.lo[axis];
  const auto cells = static_cast<float>(options.cells[axis]);
  Axis made;
  made.lo = options.world.lo[axis];
  made.hi = options.world.hi[axis];
  made.scale = cells / extent;
  made.half_inverse = made.scale * 0.5F;
  made.cells = static_cast<std::int32_t>(options.cells[axis]);
  made.edge = options.world.edges[axis];
  return made;
}

/// Sixteen sums side by side, then one after the other.
double sum_of_block(const float* values, std::size_t count) noexcept {
  constexpr std::size_t kSums = 16;
  std::array<double, kSums> sums{};
  std::size_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) {
      sums[k] += static_cast<double>(values[i + k]);
    }
  }
  for (std::size_t k = 0; i < count; ++i, ++k) {
    sums[k] += static_cast<double>(values[i]);
  }
  double sum = 0;
  for (const double one : sums) {
    sum += one;
  }
  return sum;
}

}  // namespace

FieldStore::FieldStore(const FieldOptions& wanted, std::pmr::memory_resource* resource)
    : options(wanted), cells(1), memory(resource) {
  if (options.world.dimensions == 2) {  // z is not used: fields that differ in it alone are equal
    options.world.edges[2] = Edge::kOpen;
    options.world.lo.z = options.world.hi.z = 0;
  }
  std::int32_t stride = 1;
  for (std::uint32_t axis = 0; axis < options.world.dimensions; ++axis) {
    axes[axis] = axis_of(options, axis);
    axes[axis].stride = stride;
    stride *= axes[axis].cells;
    cells *= options.cells[axis];
  }
  planes.reserve(options.components);
  for (std::uint32_t c = 0; c < options.components; ++c) {
    planes.emplace_back(cells, resource);
    spare.emplace_back(resource);
  }
}

Result<void> check_options(const FieldOptions& options) {
  const World& world = options.world;
  if (world.dimensions != 2 && world.dimensions != 3) {
    return fail(ErrorCode::kInvalidArgument,
                "A field has 2 or 3 dimensions, not " + std::to_string(world.dimensions) + ".");
  }
  std::uint64_t cells = 1;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::string name = std::string("Axis ") + "xyz"[axis];
    const bool used = axis < world.dimensions;
    const std::uint32_t most = used ? Field::kMostCellsOfAxis : 1;
    if (options.cells[axis] < 1 || options.cells[axis] > most) {
      return fail(ErrorCode::kInvalidArgument,
                  name + " has " + std::to_string(options.cells[axis]) + " cells. It must have 1 to " +
                      std::to_string(most) + ".",
                  axis);
    }
    cells *= options.cells[axis];
    if (!used) {
      continue;
    }
    if (world.edges[axis] > Edge::kPeriodic) {
      return fail(ErrorCode::kInvalidArgument, name + " has an edge of no known kind.", axis);
    }
    if (!finite(world.lo[axis]) || !finite(world.hi[axis])) {
      return fail(ErrorCode::kNotFinite, name + ": lo or hi is not finite. A field needs both.", axis);
    }
    const float extent = world.hi[axis] - world.lo[axis];
    if (!(extent > 0) || !finite(extent) || !finite(static_cast<float>(options.cells[axis]) / extent)) {
      return fail(ErrorCode::kInvalidArgument,
                  name + ": hi must be above lo, and hi - lo and the size of a cell must be floats.", axis);
    }
  }
  if (options.components < 1 || options.components > Field::kMostComponents) {
    return fail(ErrorCode::kInvalidArgument, "A field has 1 to " + std::to_string(Field::kMostComponents) +
                                                 " components, not " + std::to_string(options.components) +
                                                 ".");
  }
  if (cells > Field::kMostCells) {
    return fail(ErrorCode::kTooLarge, "The field would have " + std::to_string(cells) +
                                          " cells. It may have " + std::to_string(Field::kMostCells) + ".");
  }
  return {};
}

Result<void> check_component(const FieldStore& store, std::uint32_t component) {
  if (component >= store.options.components) {
    return fail(ErrorCode::kInvalidArgument,
                "There is no component " + std::to_string(component) + ". The field has " +
                    std::to_string(store.options.components) + ", counted from 0.");
  }
  return {};
}

std::size_t first_not_finite(const float* values, std::size_t count) noexcept {
  std::size_t i = 0;
  while (i < count && finite(values[i])) {
    ++i;
  }
  return i;
}

std::string name_of_cell(const FieldStore& store, std::uint32_t component, std::size_t cell) {
  const std::size_t nx = store.options.cells[0], ny = store.options.cells[1];
  std::string name = "component " + std::to_string(component) + ", cell (" + std::to_string(cell % nx) +
                     ", " + std::to_string(cell / nx % ny);
  if (store.options.world.dimensions == 3) {
    name += ", " + std::to_string(cell / (nx * ny));
  }
  return name + ")";
}

std::array<std::uint32_t, 14> shape_of(const FieldStore& store) noexcept {
  const FieldOptions& options = store.options;
  const World& world = options.world;
  const auto bits = [](float number) { return std::bit_cast<std::uint32_t>(number); };
  return {world.dimensions,
          options.cells[0],
          options.cells[1],
          options.cells[2],
          options.components,
          static_cast<std::uint32_t>(world.edges[0]),
          static_cast<std::uint32_t>(world.edges[1]),
          static_cast<std::uint32_t>(world.edges[2]),
          bits(world.lo.x),
          bits(world.lo.y),
          bits(world.lo.z),
          bits(world.hi.x),
          bits(world.hi.y),
          bits(world.hi.z)};
}

}  // namespace grid_detail

Field::Field(Owned<grid_detail::FieldStore> store) noexcept : store_(std::move(store)) {}

Result<Field> Field::build(const FieldOptions& options, std::pmr::memory_resource* resource) {
  JUXTA_TRY(active_isa());
  JUXTA_TRY(grid_detail::check_options(options));
  Field field(make_owned<grid_detail::FieldStore>(options, resource));
  for (Array<float>& plane : field.store_->planes) {
    std::fill(plane.begin(), plane.end(), 0.0F);
  }
  return field;
}

const FieldOptions& Field::options() const noexcept {
  return store_->options;
}

std::size_t Field::cells() const noexcept {
  return store_->cells;
}

float Field::cell_size(std::uint32_t axis) const noexcept {
  const FieldOptions& options = store_->options;
  return axis >= options.world.dimensions
             ? 0
             : (options.world.hi[axis] - options.world.lo[axis]) / static_cast<float>(options.cells[axis]);
}

std::span<float> Field::values(std::uint32_t component) noexcept {
  const auto values = std::as_const(*this).values(component);
  return {const_cast<float*>(values.data()), values.size()};
}

std::span<const float> Field::values(std::uint32_t component) const noexcept {
  if (component >= store_->options.components) {
    return {};
  }
  const grid_detail::Slabs own = store_->own();
  const float* const plane = store_->planes[component].data();
  return {plane + store_->cell_of_slab(own.first), plane + store_->cell_of_slab(own.last)};
}

std::size_t Field::first_cell() const noexcept {
  return store_->cell_of_slab(store_->own().first);
}

std::size_t Field::memory_bytes() const noexcept {
  std::size_t bytes = 0;
  for (std::size_t c = 0; c < store_->planes.size(); ++c) {
    bytes += store_->planes[c].memory_bytes() + store_->spare[c].memory_bytes();
  }
  return bytes;
}

Result<void> Field::fill(float value, std::uint32_t component) {
  JUXTA_TRY(grid_detail::check_component(*store_, component));
  if (!grid_detail::finite(value)) {
    return fail(ErrorCode::kNotFinite, "The value to fill a field with is not finite.");
  }
  std::fill(values(component).begin(), values(component).end(), value);
  return {};
}

Result<double> Field::total(std::uint32_t component, const Context& context) const {
  using grid_detail::kCellsOfSum;
  const Result<void> checked = grid_detail::check_component(*store_, component);
  JUXTA_TRY(store_->over ? agree(store_->over->ranks, checked) : checked);
  const std::size_t cells = store_->cells;
  // Over ranks a block is summed where its first cell is.
  const grid_detail::Slabs own = store_->own();
  const std::size_t first_block = (store_->cell_of_slab(own.first) + kCellsOfSum - 1) / kCellsOfSum,
                    last_block = (store_->cell_of_slab(own.last) + kCellsOfSum - 1) / kCellsOfSum;
  if (store_->over) {
    const std::size_t slab = store_->cell_of_slab(1), end = std::min(last_block * kCellsOfSum, cells);
    const grid_detail::Slabs read{own.first, static_cast<std::int64_t>((end + slab - 1) / slab)};
    JUXTA_TRY(grid_detail::fetch(*store_, first_block < last_block ? read : grid_detail::Slabs{}, component,
                                 component + 1));
  }
  const float* const all = store_->planes[component].data();
  std::vector<double> sums(last_block - first_block);
  executor_or_serial(context.executor).parallel_for(sums.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t begin = (first_block + i) * kCellsOfSum;
      sums[i] = grid_detail::sum_of_block(all + begin, std::min(kCellsOfSum, cells - begin));
    }
  });
  if (store_->over) {
    JUXTA_TRY_LET(sums, core_detail::all_of_all<double>(store_->over->ranks, sums));
  }
  double total = 0;
  for (const double sum : sums) {
    total += sum;
  }
  return total;
}

std::uint64_t Field::state_hash() const {
  const auto shape = grid_detail::shape_of(*store_);
  core_detail::Checksum sum;
  sum.add(std::as_bytes(std::span(shape)));
  for (std::uint32_t c = 0; c < store_->options.components; ++c) {
    const std::span<const float> plane = values(c);
    const std::size_t even = plane.size() / 2 * 2;
    const std::array<float, 2> rest = {even < plane.size() ? plane[even] : 0.0F, 0.0F};
    sum.add(std::as_bytes(plane.first(even)));
    sum.add(std::as_bytes(std::span(rest)));
  }
  return sum.value();
}

bool operator==(const Field& a, const Field& b) noexcept {
  if (!(a.options() == b.options())) {
    return false;
  }
  for (std::uint32_t c = 0; c < a.options().components; ++c) {
    if (a.values(c).size() != b.values(c).size() ||
        std::memcmp(a.values(c).data(), b.values(c).data(), a.values(c).size_bytes()) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace juxta
